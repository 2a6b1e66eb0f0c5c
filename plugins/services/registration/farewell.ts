/**
 * The end of an account: the row stays for the books, and everything by which its owner was known or came in goes.
 * Their API keys stay too, so that whoever still uses one gets the reason of the refusal (AUTH-3).
 */
import type { Knex } from 'knex'
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Factors } from '../factors/index.js'
import type { Identity } from '../identity/index.js'
import type { Ledger } from '../ledger/index.js'

export interface FarewellDependencies {
  readonly identity: Pick<Identity, 'cutSessions'>
  readonly ledger: Pick<Ledger, 'setWalletActive'>
  readonly factors: Pick<Factors, 'remove'>
  readonly changes: Changes
  readonly clock: Clock
}

/** Tables whose rows are nobody's without the user. */
const ownTables = [
  'access_tokens',
  'oauth_identities',
  'one_time',
  'outbox',
  'security_events',
] as const

export async function leave(
  userId: number,
  { identity, ledger, factors, changes, clock }: FarewellDependencies,
  trx: Knex.Transaction,
): Promise<boolean> {
  const [user] = await trx('users')
    .where({ id: userId })
    .whereNull('deleted_at')
    .update({ ...gone, deleted_at: new Date(clock.now()) })
    .returning<{ email: string }[]>('email')
  if (user === undefined) return false
  await ledger.setWalletActive(userId, false, trx)
  await identity.cutSessions(userId, trx)
  await factors.remove(userId, 'all', trx)
  for (const table of ownTables) await trx(table).where('user_id', userId).delete()
  await trx('mail_codes').where({ email: user.email.toLowerCase() }).delete()
  await changes.note(trx, 'users', userId)
  return true
}

const gone = {
  status: 2,
  password_hash: '',
  aff_code: null,
  secrets: '{}',
} as const

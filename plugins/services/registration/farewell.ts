/**
 * The end of an account: the row stays for the books, and everything by which its owner was known or came in goes.
 * Their API keys stay too, so that whoever still uses one gets the reason of the refusal (AUTH-3).
 */
import type { Knex } from 'knex'
import type { Factors } from '../factors/index.js'
import type { Identity } from '../identity/index.js'

export interface FarewellDependencies {
  readonly identity: Pick<Identity, 'users'>
  readonly factors: Pick<Factors, 'remove'>
}

export async function leave(
  userId: number,
  { identity, factors }: FarewellDependencies,
  trx: Knex.Transaction,
): Promise<boolean> {
  const user = await identity.users.remove(userId, trx)
  if (user === undefined) return false
  await factors.remove(userId, 'all', trx)
  await trx('oauth_identities').where('user_id', userId).delete()
  await trx('outbox').where('user_id', userId).delete()
  await trx('billing_details').where('user_id', userId).delete()
  await trx('security_events').where('user_id', userId).delete()
  await trx('mail_codes').where({ email: user.email.toLowerCase() }).delete()
  return true
}

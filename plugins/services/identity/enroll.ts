/** A new user: the row and the wallet, in the caller's transaction. */
import type { Knex } from 'knex'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Ledger } from '../ledger/index.js'
import { claimName } from './claim-name.js'
import type { NewUser } from './identity.js'

export async function enroll(
  person: NewUser,
  trx: Knex.Transaction,
  { ledger, changes }: { readonly ledger: Ledger; readonly changes: Changes },
): Promise<number> {
  const name = await claimName(person.username, trx)
  const id = await insert({ ...person, ...name }, trx)
  await ledger.openWallet(id, trx)
  await changes.note(trx, 'users', id)
  return id
}

async function insert(
  person: NewUser & { readonly name_skeleton: string },
  trx: Knex.Transaction,
): Promise<number> {
  try {
    const [row] = await trx('users')
      .insert({
        username: person.username,
        name_skeleton: person.name_skeleton,
        password_hash: person.passwordHash ?? '',
        display_name: person.displayName,
        role: person.role,
        group: person.group,
        email: person.email ?? '',
        email_verified: person.emailVerified ?? false,
        inviter_id: person.inviterId ?? null,
      })
      .returning('id')
    return row.id
  } catch (error) {
    throw named(error)
  }
}

function named(error: unknown): unknown {
  const constraint = error instanceof Error && 'constraint' in error ? error.constraint : undefined
  if (constraint === 'users_username_key') {
    return new Refusal('conflict', { reason: 'This user name is taken.', param: 'username' })
  }
  if (constraint === 'users_email_key') {
    const reason = 'This e-mail address belongs to another account.'
    return new Refusal('conflict', { reason, param: 'email' })
  }
  return constraint === 'users_root_key' ? new Refusal('setup_done') : error
}

/** Who has a user name and a password: the same time and the same words for names that nobody has. */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/errors.js'
import type { Identity } from './identity.js'
import type { PasswordQueue } from './passwords.js'

export type Accounts = Pick<Identity, 'byPassword' | 'hasPassword'>

interface PersonRow {
  readonly id: number
  readonly status: number
  readonly password_hash: string
}

export function accounts(knex: Knex, passwords: PasswordQueue): Accounts {
  return {
    async byPassword(username, password) {
      const person = await personNamed(knex, username)
      // An account without a password has no hash, and is as any name nobody has.
      const hash = person?.password_hash || undefined
      if (!(await passwords.verify(hash, password)) || person === undefined) {
        throw new Refusal('invalid_credentials')
      }
      if (person.status !== 1) throw new Refusal('account_disabled')
      return person.id
    },
    async hasPassword(userId, password) {
      const person = await knex('users').where('id', userId).whereNull('deleted_at').first()
      return passwords.verify(person?.password_hash || undefined, password)
    },
  }
}

/** By name, or by an address its owner has shown to be theirs; of two, the address, since a name may look like one. */
async function personNamed(knex: Knex, name: string): Promise<PersonRow | undefined> {
  return knex('users')
    .select('id', 'status', 'password_hash')
    .whereNull('deleted_at')
    .where((either) => {
      either.whereRaw('lower(username) = lower(?)', [name])
      if (name.includes('@')) {
        either.orWhere((byMail) =>
          byMail
            .whereRaw("lower(email) = lower(?) AND email <> ''", [name])
            .where('email_verified', true),
        )
      }
    })
    .orderByRaw('(lower(username) = lower(?))', [name])
    .first()
}

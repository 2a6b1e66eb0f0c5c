/** Who has a user name and a password: the same time and the same words for names that nobody has. */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Identity } from './identity.js'
import type { PasswordQueue } from './passwords.js'

export type Accounts = Pick<Identity, 'accountNamed' | 'byPassword' | 'hasPassword'>

interface PersonRow {
  readonly id: number
  readonly username: string
  readonly status: number
  readonly password_hash: string
  readonly password_off: boolean
}

export function accounts(knex: Knex, passwords: PasswordQueue): Accounts {
  /** Unless the password was changed meanwhile, or too many wait; the next sign-in comes by here again. */
  async function renewHash({ id, password_hash }: PersonRow, password: string): Promise<void> {
    const renewed = await passwords.hash(password).catch(() => undefined)
    if (renewed === undefined) return
    await knex('users').where({ id, password_hash }).update({ password_hash: renewed })
  }

  return {
    accountNamed: async (typed) => (await personNamed(knex, typed))?.username ?? typed,
    async byPassword(username, password, priority) {
      const person = await personNamed(knex, username)
      // An account without a password, or opened by passkeys alone, is as any name nobody has.
      const hash = (!person?.password_off && person?.password_hash) || undefined
      if (!(await passwords.verify(hash, password, priority)) || person === undefined) {
        throw new Refusal('invalid_credentials')
      }
      if (person.status !== 1) throw new Refusal('account_disabled')
      if (passwords.isStale(person.password_hash)) await renewHash(person, password)
      return person.id
    },
    async hasPassword(userId, password) {
      const person = await knex('users').where('id', userId).whereNull('deleted_at').first()
      return passwords.verify(person?.password_hash || undefined, password, 'known')
    },
  }
}

/** By name, or by an address its owner has shown to be theirs; of two, the address, since a name may look like one. */
async function personNamed(knex: Knex, name: string): Promise<PersonRow | undefined> {
  return knex('users')
    .select('id', 'username', 'status', 'password_hash', 'password_off')
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

/** Who signs in, as their row stands now; it is also what a login answers. */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/errors.js'

export interface Account {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly role: number
  readonly status: number
  readonly group: string
}

/** Rejects with `account_disabled`. */
export async function usableAccount(knex: Knex, userId: number): Promise<Account> {
  const account: Account | undefined = await knex('users')
    .where('id', userId)
    .whereNull('deleted_at')
    .first('id', 'username', 'display_name', 'role', 'status', 'group')
  if (account?.status !== 1) throw new Refusal('account_disabled')
  return account
}

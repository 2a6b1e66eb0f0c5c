/** Who signs in, as their row stands now; it is also what a login answers. */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

export interface Account {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly role: number
  readonly status: number
  readonly group: string
}

export interface Usable {
  readonly account: Account
  /** As `SessionOpening` has it. */
  readonly epoch: number
}

/** Rejects with `account_disabled`. */
export async function usableAccount(knex: Knex, userId: number): Promise<Usable> {
  const row: (Account & { readonly sign_in_epoch: number }) | undefined = await knex('users')
    .where('id', userId)
    .whereNull('deleted_at')
    .first('id', 'username', 'display_name', 'role', 'status', 'group', 'sign_in_epoch')
  if (row?.status !== 1) throw new Refusal('account_disabled')
  const { sign_in_epoch: epoch, ...account } = row
  return { account, epoch }
}

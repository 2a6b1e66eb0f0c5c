/** What every part of the service works with. */
import type { Knex } from 'knex'
import type { Log } from '../../../kernel/contract/kit.js'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Users } from '../identity/index.js'
import type { Ledger } from '../ledger/index.js'
import type { Notifications } from '../notifications/index.js'
import type { SubscriptionRow } from './rows.js'

export interface Tools {
  readonly database: Pick<Database, 'knex'>
  readonly ledger: Pick<Ledger, 'post' | 'periods'>
  readonly changes: Changes
  readonly users: Pick<Users, 'change'>
  readonly notifications: Pick<Notifications, 'notify' | 'notifyRoot'>
  readonly log: Log
  /** Of days, weeks and months. */
  readonly zone: () => string
  readonly now: () => Date
}

export const topic = 'subscriptions'

/** What pays for a user's requests is read again, and their open pages are notified. */
export async function noteUser(
  { changes }: Pick<Tools, 'changes'>,
  userId: number,
  trx: Knex.Transaction,
): Promise<void> {
  await changes.note(trx, topic, userId)
  await changes.note(trx, 'users', userId)
}

/** Locks are always taken in the order user, subscriptions, accounts. Undefined: there is no such user. */
async function lockedUser(
  userId: number,
  trx: Knex.Transaction,
): Promise<{ readonly id: number; readonly group: string } | undefined> {
  return trx('users')
    .where({ id: userId })
    .whereNull('deleted_at')
    .forNoKeyUpdate()
    .first('id', 'group')
}

export async function presentUser(userId: number, trx: Knex.Transaction) {
  const user = await lockedUser(userId, trx)
  if (user === undefined) throw new Refusal('gone_missing', { what: 'user', param: 'user_id' })
  return user
}

/** With its user. Undefined: there is none. */
export async function lockedSubscription(
  id: number,
  trx: Knex.Transaction,
): Promise<SubscriptionRow | undefined> {
  const found = () => trx<SubscriptionRow>('subscriptions').where({ id })
  const row = await found().first('user_id')
  if (row === undefined) return undefined
  await trx('users').where({ id: row.user_id }).forNoKeyUpdate().first('id')
  return (await found().forNoKeyUpdate().first()) as SubscriptionRow
}

/** `userId`: whose it has to be. Throws a `Refusal`: there is none, or it is somebody else's, which nobody learns. */
export function foundRow(row: SubscriptionRow | undefined, userId?: number): SubscriptionRow {
  if (row !== undefined && (userId === undefined || row.user_id === userId)) return row
  throw new Refusal('gone_missing', { what: 'subscription', param: 'id' })
}

export function invalid(param: string, reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param })
}

export function conflicting(param: string, reason: string): Refusal {
  return new Refusal('conflict', { reason, param })
}

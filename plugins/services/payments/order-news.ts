/**
 * Announces whose orders were placed, decided or reported of, in the transaction that keeps it: open pages of the payer, and of
 * admins, read them again (decision 27).
 */
import type { Knex } from 'knex'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Live } from '../../../kernel/contract/services/live.js'

const topic = 'orders'

export interface OrderNews {
  /** Of payers, by their ids. */
  note(trx: Knex.Transaction, userIds: number | readonly number[]): Promise<void>
  /** The wallet of a payer was credited, or charged back: whatever page they have open shows it. */
  balance(trx: Knex.Transaction, userId: number): Promise<void>
}

/** Every process passes on to its own consoles what was noted in any. */
export function createOrderNews(changes: Pick<Changes, 'note' | 'on'>, live: Live): OrderNews {
  changes.on(topic, (ids) => {
    for (const id of ids) live.publish('orders', {}, Number(id))
  })
  return {
    note: (trx, userIds) => changes.note(trx, topic, userIds),
    balance: (trx, userId) => changes.note(trx, 'users', userId),
  }
}

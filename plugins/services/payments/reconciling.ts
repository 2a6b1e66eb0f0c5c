/**
 * Orders that wait for their payers: providers are queried for what a lost callback would have reported, and what nobody pays
 * expires.
 */
import type { Knex } from 'knex'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import type { Gateways } from './gateways.js'
import type { OrderNews } from './order-news.js'
import { type OrderRow, orderOf } from './rows.js'
import type { Settle } from './settlement.js'

export interface ReconcilingDependencies {
  readonly database: Pick<Database, 'knex'>
  readonly gateways: Gateways
  readonly settle: Settle
  readonly news: OrderNews
  readonly clock: Clock
  readonly log: Log
}

/** A callback takes its time; who asks earlier only learns that it waits. */
const firstMs = 600_000
/** Between two questions about one order. */
const againMs = 600_000
/** Beyond its expiry an order is queried for so long. */
const lateMs = 3_600_000
const batch = 50

export async function reconcile(dependencies: ReconcilingDependencies): Promise<void> {
  for (const row of await waiting(dependencies)) await queried(row, dependencies)
  await expire(dependencies)
}

async function waiting({ database, clock }: ReconcilingDependencies): Promise<OrderRow[]> {
  const before = (ms: number) => new Date(clock.now() - ms)
  return database
    .knex<OrderRow>('payment_orders')
    .whereIn('state', ['pending', 'expired'])
    .whereRaw("NOT (automatic AND state = 'pending')")
    .where('created_at', '<', before(firstMs))
    .where('expires_at', '>', before(lateMs))
    .where((either) => either.whereNull('queried_at').orWhere('queried_at', '<', before(againMs)))
    .orderBy('id')
    .limit(batch)
}

async function queried(row: OrderRow, dependencies: ReconcilingDependencies): Promise<void> {
  const { database, clock } = dependencies
  await database
    .knex('payment_orders')
    .where('order_no', row.order_no)
    .update({ queried_at: new Date(clock.now()) })
  await query(row, dependencies)
}

/** Never rejects. */
export async function query(
  row: OrderRow,
  { gateways, settle, log }: Pick<ReconcilingDependencies, 'gateways' | 'settle' | 'log'>,
): Promise<void> {
  const { orderNo, amountMinor, currency, checkoutReference, createdAt } = orderOf(row)
  const placed = { orderNo, amountMinor, currency, createdAt: createdAt.getTime() }
  try {
    const notice = await gateways
      .reporting(row.gateway)
      ?.plugin.fetch?.({ ...placed, reference: checkoutReference })
    if (notice === undefined) return
    const from = { address: '', requestId: `reconcile:${orderNo}` }
    const { verdict } = await settle({ gateway: row.gateway, notice, from })
    log.info(
      { gateway: row.gateway, order: orderNo, verdict },
      'the state of a payment was queried',
    )
  } catch (err) {
    log.warn({ err, gateway: row.gateway, order: orderNo }, 'a provider could not be queried')
  }
}

async function expire(dependencies: ReconcilingDependencies): Promise<void> {
  const { database, clock } = dependencies
  await database.knex.transaction(async (trx) => {
    const late = trx('payment_orders')
      .where({ state: 'pending', automatic: false })
      .where('expires_at', '<', new Date(clock.now()))
    await expired(late, 'The time to pay ran out.', dependencies, trx)
  })
}

/** `orders`: of this transaction. */
export async function expired(
  orders: Knex.QueryBuilder,
  reason: string,
  { news }: Pick<ReconcilingDependencies, 'news'>,
  trx: Knex.Transaction,
): Promise<void> {
  const rows: Pick<OrderRow, 'user_id'>[] = await orders
    .update({ state: 'expired', reason })
    .returning('user_id')
  await news.note(
    trx,
    rows.map(({ user_id }) => user_id),
  )
}

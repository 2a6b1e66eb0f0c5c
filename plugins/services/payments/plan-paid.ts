/** What a paid order of a plan opens, and what a payment that was taken back ends. */
import type { Knex } from 'knex'
import { isObject } from '../../../kernel/contract/json.js'
import type { Subscription, Subscriptions } from '../subscriptions/index.js'
import type { PaidChange } from './judge.js'
import type { OrderRow } from './rows.js'

export interface PlanPaidOptions {
  readonly trx: Knex.Transaction
  readonly subscriptions: Pick<Subscriptions, 'paid' | 'end'>
  /** Locked. */
  readonly row: OrderRow
  readonly requestId: string
}

/** Undefined: what it was to change had been changed or ended by then. */
export function openPlan(
  { trx, subscriptions, row, requestId }: PlanPaidOptions,
  { minor, agreement }: PaidChange,
): Promise<Subscription | undefined> {
  const { pinned } = row.price
  if (!isObject(pinned)) throw new Error(`order ${row.order_no} has lost what was agreed`)
  return subscriptions.paid(
    {
      ...{ orderNo: row.order_no, userId: row.user_id, planId: row.plan_id!, pinned },
      ...{ paidMinor: minor, currency: row.currency, gateway: row.gateway, agreement, requestId },
    },
    trx,
  )
}

/** The last payment of a subscription was taken back as a whole: it ends. An earlier one leaves what was paid since. */
export async function endPlan({ trx, subscriptions, row }: PlanPaidOptions): Promise<void> {
  const id = row.subscription_id
  if (id === null) return
  const later = await trx('payment_orders')
    .where({ subscription_id: id, state: 'paid' })
    .where('id', '>', Number(row.id))
    .first('order_no')
  if (later !== undefined) return
  await subscriptions.end(id, `Its payment was taken back: order ${row.order_no}.`, trx)
}

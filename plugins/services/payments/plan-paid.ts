/** What a paid order of a plan opens, and what a payment that was taken back ends. */
import type { Knex } from 'knex'
import { isObject } from '../../../kernel/contract/json.js'
import type { Notifications } from '../notifications/index.js'
import type { Subscription, Subscriptions } from '../subscriptions/index.js'
import { alertOfTakenBack } from './alerts.js'
import type { PaidChange } from './judge.js'
import type { OrderRow } from './rows.js'

export interface PlanPaidOptions {
  readonly trx: Knex.Transaction
  readonly notifications: Pick<Notifications, 'notifyRoot'>
  readonly subscriptions: Pick<Subscriptions, 'paid' | 'end' | 'heir'>
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

/**
 * The last payment of a subscription was taken back as a whole: it ends. An earlier one leaves what was paid since. Of one that
 * was changed for another since, an admin decides: that other one may have been paid for itself.
 */
export async function endPlan(options: PlanPaidOptions): Promise<void> {
  const { trx, subscriptions, notifications, row } = options
  const id = row.subscription_id
  if (id === null) return
  const later = await trx('payment_orders')
    .where({ subscription_id: id, state: 'paid' })
    .where('id', '>', Number(row.id))
    .first('order_no')
  if (later !== undefined) return
  const reason = `Its payment was taken back: order ${row.order_no}.`
  if ((await subscriptions.end(id, reason, trx)) !== undefined) return
  const heir = await subscriptions.heir(id, trx)
  if (heir?.state === 'active') await alertOfTakenBack(row, heir, notifications, trx)
}

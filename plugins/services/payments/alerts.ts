/**
 * Notices of payments, written in the transaction that keeps them: to payers whose order is paid, and to root of those
 * that fit no order, or were taken back when what they paid for had become something else.
 */
import type { Knex } from 'knex'
import { decimalAmount } from '../../../kernel/toolkit/payment/index.js'
import type { Notifications } from '../notifications/index.js'
import type { Subscription } from '../subscriptions/index.js'
import type { EventVerdict } from './payments.js'
import type { OrderRow } from './rows.js'

export interface Misfit {
  readonly gateway: string
  readonly event: string
  readonly orderNo?: string
  readonly verdict: EventVerdict
}

export const misfits: ReadonlySet<string> = new Set<EventVerdict>([
  'wrong_gateway',
  'wrong_amount',
  'wrong_currency',
  'wrong_mode',
  'duplicate_payment',
  'subscription_ended',
  'unclaimed',
])

/** Once for each event, however often it comes. */
export function alertRoot(
  { gateway, event, orderNo = '', verdict }: Misfit,
  notifications: Pick<Notifications, 'notifyRoot'>,
  trx: Knex.Transaction,
): Promise<void> {
  const content =
    'A payment by {{value}} does not fit its order {{value}}: {{value}}. Nothing was credited for it. Look at the provider, and pay it back there.'
  const notice = {
    type: 'payment_misfit',
    title: 'A payment does not fit its order',
    content,
    values: [gateway, orderNo, verdict],
  }
  return notifications.notifyRoot(notice, keyOf(gateway, event), trx)
}

export interface UnclaimedPayment {
  readonly gateway: string
  readonly event: string
  /** Null: it repeats, and named its agreement. */
  readonly orderNo: string | null
  readonly agreement: string | null
}

const unclaimed = {
  order: {
    title: 'A payment fits no order',
    content:
      'A payment by {{value}} names the order {{value}}, which does not exist here. Nothing was credited for it. Look at the provider, and pay it back there.',
  },
  agreement: {
    title: 'A payment that repeats fits no subscription',
    content:
      'A payment that repeats was collected by {{value}}, but its agreement {{value}} pays for no subscription here. Nothing was credited for it. Look at the provider, pay it back, and end it there.',
  },
} as const

/** The same for a payment nobody knows what for. */
export function alertOfUnclaimedPayment(
  { gateway, event, orderNo, agreement }: UnclaimedPayment,
  notifications: Pick<Notifications, 'notifyRoot'>,
  trx: Knex.Transaction,
): Promise<void> {
  const words = orderNo === null ? unclaimed.agreement : unclaimed.order
  const values = [gateway, orderNo ?? agreement ?? '']
  const notice = { type: 'payment_misfit', ...words, values }
  return notifications.notifyRoot(notice, keyOf(gateway, event), trx)
}

/** Once for each order. What was paid by it has become a part of another subscription. */
export function alertOfTakenBack(
  { order_no, user_id }: Pick<OrderRow, 'order_no' | 'user_id'>,
  heir: Pick<Subscription, 'id' | 'terms'>,
  notifications: Pick<Notifications, 'notifyRoot'>,
  trx: Knex.Transaction,
): Promise<void> {
  const notice = {
    type: 'payment_taken_back',
    title: 'The payment of a plan that was changed since was taken back',
    content:
      'The payment of the order {{value}} of the user {{value}} was taken back. Its subscription was changed for another since: number {{value}}, "{{value}}", which goes on. Decide whether it has to end.',
    values: [order_no, String(user_id), String(heir.id), heir.terms.title],
  }
  return notifications.notifyRoot(notice, `payment taken back:${order_no}`, trx)
}

function keyOf(gateway: string, event: string): string {
  return `payment:${gateway}:${event}`
}

const renewals = {
  paid: {
    type: 'payment_received',
    title: 'Your subscription was renewed',
    content: 'The payment for your subscription {{value}} was received. It goes on.',
  },
  failed: {
    type: 'subscription_payment_failed',
    title: 'A payment for your subscription failed',
    content:
      'The payment for your subscription {{value}} could not be collected. Change how you pay, or it ends soon.',
  },
} as const

/** Once for each event. */
export function notifyRenewal(
  what: keyof typeof renewals,
  event: string,
  { userId, terms }: Pick<Subscription, 'userId' | 'terms'>,
  notifications: Pick<Notifications, 'notify'>,
  trx: Knex.Transaction,
): Promise<void> {
  const notice = { ...renewals[what], values: [terms.title] }
  return notifications.notify(userId, notice, `renewal ${what}:${event}`, trx)
}

export interface PaidOrder {
  readonly orderNo: string
  readonly userId: number
  readonly amountMinor: bigint
  readonly currency: string
  readonly planId?: number
}

/** Once for each order. */
export function notifyPayer(
  { orderNo, userId, amountMinor, currency, planId }: PaidOrder,
  notifications: Pick<Notifications, 'notify'>,
  trx: Knex.Transaction,
): Promise<void> {
  const notice = {
    type: 'payment_received',
    title: 'Your payment was received',
    content:
      planId === undefined
        ? 'Your order {{value}} of {{value}} is paid. Its credit was added to your balance.'
        : 'Your order {{value}} of {{value}} is paid. Your subscription has begun.',
    values: [orderNo, `${decimalAmount(amountMinor, currency)} ${currency}`],
  }
  return notifications.notify(userId, notice, `payment received:${orderNo}`, trx)
}

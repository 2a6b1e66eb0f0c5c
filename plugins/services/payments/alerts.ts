/** Notices of payments, written in the transaction that keeps them: to payers whose order is paid, and to root of those that fit no order. */
import type { Knex } from 'knex'
import { decimalAmount } from '../../../kernel/toolkit/payment/index.js'
import type { Notifications } from '../notifications/index.js'
import type { EventVerdict } from './payments.js'

export interface Misfit {
  readonly gateway: string
  readonly event: string
  readonly orderNo?: string
  readonly verdict: EventVerdict
}

export const misfits: ReadonlySet<EventVerdict> = new Set([
  'wrong_gateway',
  'wrong_amount',
  'wrong_currency',
  'wrong_mode',
  'duplicate_payment',
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
  return notifications.notifyRoot(notice, `payment:${gateway}:${event}`, trx)
}

export interface PaidOrder {
  readonly orderNo: string
  readonly userId: number
  readonly amountMinor: bigint
  readonly currency: string
}

/** Once for each order. */
export function notifyPayer(
  { orderNo, userId, amountMinor, currency }: PaidOrder,
  notifications: Pick<Notifications, 'notify'>,
  trx: Knex.Transaction,
): Promise<void> {
  const notice = {
    type: 'payment_received',
    title: 'Your payment was received',
    content: 'Your order {{value}} of {{value}} is paid. Its credit was added to your balance.',
    values: [orderNo, `${decimalAmount(amountMinor, currency)} ${currency}`],
  }
  return notifications.notify(userId, notice, `payment received:${orderNo}`, trx)
}

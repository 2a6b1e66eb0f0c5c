/** Orders and events in the words of the management API. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { decimalAmount } from '../../../kernel/toolkit/payment/index.js'
import type {
  EventVerdict,
  PaymentEvent,
  PaymentOrder,
  PaymentTotal,
} from '../../services/payments/index.js'

export type OrderRecord = ReturnType<typeof orderRecord>

export function orderRecord(order: PaymentOrder) {
  const { id, orderNo, userId, gateway, method, product, amountMinor, currency, quota } = order
  return {
    id,
    trade_no: orderNo,
    user_id: userId,
    payment_provider: gateway,
    payment_method: method,
    product,
    amount_minor: amountMinor,
    money: decimalAmount(amountMinor, currency),
    currency,
    quota,
    returned_quota: order.returned,
    status: order.state === 'paid' ? ('success' as const) : order.state,
    reason: order.reason,
    automatic: order.isAutomatic,
    test: order.isTest,
    title: titleOf(order),
    plan_id: order.planId ?? 0,
    subscription_id: order.subscriptionId ?? 0,
    recurring: order.isRecurring,
    create_time: seconds(order.createdAt),
    expire_time: seconds(order.expiresAt),
    complete_time: order.completedAt === undefined ? 0 : seconds(order.completedAt),
  }
}

/** Of a plan, as it was called when the order was made; empty: credit was bought. */
function titleOf({ price: { title } }: PaymentOrder): string {
  return typeof title === 'string' ? title : ''
}

export type TotalRecord = ReturnType<typeof totalRecord>

export function totalRecord(total: PaymentTotal) {
  const { day, gateway, currency, isTest, orders, quota, returned } = total
  return {
    ...{ day, payment_provider: gateway, currency, test: isTest, orders },
    paid: decimalAmount(total.paidMinor, currency),
    refunded: decimalAmount(total.refundedMinor, currency),
    disputed: decimalAmount(total.disputedMinor, currency),
    ...{ quota, returned_quota: returned },
  }
}

export interface EventRecord {
  readonly event: string
  readonly gateway: string
  readonly verdict: EventVerdict
  readonly detail: JsonObject
  readonly address: string
  readonly times: number
  readonly first_at: number
  readonly last_at: number
}

export function eventRecord({ firstAt, lastAt, ...event }: PaymentEvent): EventRecord {
  return { ...event, first_at: seconds(firstAt), last_at: seconds(lastAt) }
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

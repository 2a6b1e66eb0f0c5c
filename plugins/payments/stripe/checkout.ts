/** The order as a Checkout Session. Its number is the idempotency key: a session is opened once. */
import type Stripe from 'stripe'
import type { CheckoutOrder, RecurringOrder } from '../../../kernel/contract/payment.js'
import { amountIn } from './amounts.js'

/** What Stripe takes: at least half an hour, at most a day. */
const lifeMinSeconds = 1_800
const lifeMaxSeconds = 86_400

/** Three years. */
const countMax: Readonly<Record<RecurringOrder['every']['unit'], number>> = {
  ...{ day: 1_095, week: 156, month: 36, year: 3 },
}

export interface SessionOptions {
  readonly promotionCodes: boolean
  /** Unix milliseconds. */
  readonly now: number
}

type Session = Stripe.Checkout.SessionCreateParams

/** Throws where Stripe cannot take the amount. */
export function sessionParameters(order: CheckoutOrder, options: SessionOptions): Session {
  const metadata = metadataOf(order)
  if (!order.keepsMandate) {
    return { ...pageOf(order, options), mode: 'payment', payment_intent_data: { metadata } }
  }
  return {
    ...pageOf(order, options),
    mode: 'payment',
    customer_creation: 'always',
    payment_intent_data: { metadata, setup_future_usage: 'off_session' },
  }
}

/** A session in mode `subscription` makes a customer of its own. Throws where Stripe cannot take the amount or the interval. */
export function subscriptionParameters(order: RecurringOrder, options: SessionOptions): Session {
  const { unit, count } = order.every
  if (count > countMax[unit]) {
    throw new Error(
      `Stripe collects after ${countMax[unit]} ${unit}s at the latest, not after ${count}.`,
    )
  }
  return {
    ...pageOf(order, options, { interval: unit, interval_count: count }),
    mode: 'subscription',
    subscription_data: { metadata: metadataOf(order) },
  }
}

function pageOf(
  order: Omit<CheckoutOrder, 'keepsMandate'>,
  { promotionCodes, now }: SessionOptions,
  recurring?: Stripe.Checkout.SessionCreateParams.LineItem.PriceData.Recurring,
): Session {
  const { orderNo, currency, title, payer } = order
  const price = {
    ...{ currency: currency.toLowerCase(), unit_amount: amountIn(order) },
    ...(recurring !== undefined && { recurring }),
  }
  return {
    line_items: [{ quantity: 1, price_data: { ...price, product_data: { name: title } } }],
    client_reference_id: orderNo,
    metadata: metadataOf(order),
    success_url: order.returnUrl,
    cancel_url: order.cancelUrl,
    expires_at: endOf(order.expiresAt, now),
    ...(payer.email !== undefined && { customer_email: payer.email }),
    ...(promotionCodes && { allow_promotion_codes: true }),
  }
}

function metadataOf({ orderNo }: Pick<CheckoutOrder, 'orderNo'>) {
  return { order_no: orderNo }
}

/** Unix seconds. A minute is left to the way there. */
function endOf(expiresAt: number, now: number): number {
  const at = Math.floor(now / 1000)
  const wanted = Math.floor(expiresAt / 1000)
  return Math.min(Math.max(wanted, at + lifeMinSeconds + 60), at + lifeMaxSeconds - 60)
}

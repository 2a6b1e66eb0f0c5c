/** The order as a Checkout Session. Its number is the idempotency key: a session is opened once. */
import type Stripe from 'stripe'
import type { CheckoutOrder } from '../../../kernel/contract/payment.js'
import { currencyDigits } from '../../../kernel/toolkit/payment/index.js'

/** What Stripe takes: at least half an hour, at most a day. */
const lifeMinSeconds = 1_800
const lifeMaxSeconds = 86_400

export interface SessionOptions {
  readonly promotionCodes: boolean
  /** Unix milliseconds. */
  readonly now: number
}

/** Throws where Stripe cannot take the amount. */
export function sessionParameters(
  order: CheckoutOrder,
  { promotionCodes, now }: SessionOptions,
): Stripe.Checkout.SessionCreateParams {
  const { orderNo, amountMinor, currency, title, payer } = order
  if (currencyDigits(currency) === 3 && amountMinor % 10n !== 0n) {
    throw new Error(`Stripe takes amounts in ${currency} whose last digit is 0.`)
  }
  const price = { currency: currency.toLowerCase(), unit_amount: Number(amountMinor) }
  const metadata = { order_no: orderNo }
  return {
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: { ...price, product_data: { name: title } } }],
    client_reference_id: orderNo,
    metadata,
    payment_intent_data: { metadata },
    success_url: order.returnUrl,
    cancel_url: order.cancelUrl,
    expires_at: endOf(order.expiresAt, now),
    ...(payer.email !== undefined && { customer_email: payer.email }),
    ...(promotionCodes && { allow_promotion_codes: true }),
  }
}

/** Unix seconds. A minute is left to the way there. */
function endOf(expiresAt: number, now: number): number {
  const at = Math.floor(now / 1000)
  const wanted = Math.floor(expiresAt / 1000)
  return Math.min(Math.max(wanted, at + lifeMinSeconds + 60), at + lifeMaxSeconds - 60)
}

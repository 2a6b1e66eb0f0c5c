/**
 * Payments while the payer is away. A mandate is the customer the first page made: it holds what may be charged, and what the
 * payer changed of that since. Whether an order was charged before is read from the list of the customer's payments, which is
 * consistent and has no end: an idempotency key is forgotten after a day, and the search for metadata lags behind.
 */
import type Stripe from 'stripe'
import type { ChargeOrder, ChargeResult } from '../../../kernel/contract/payment.js'
import { amountIn } from './amounts.js'
import { failed, isGone } from './client.js'
import { intentNotice } from './notices.js'

/** Of one customer. */
const intentsMax = 10_000

const goneReason = 'What payments were to be taken from is no longer stored at Stripe.'
const absentReason = 'Your bank wants you to confirm this payment, so it has to be made by hand.'
const expiredReason = 'Your card has expired.'
const declinedReason = 'Your bank declined this payment.'

/** Rejects where it is not known whether something was taken: the next call finds it. */
export async function charged(order: ChargeOrder, stripe: Stripe): Promise<ChargeResult> {
  const amount = amountIn(order)
  try {
    const earlier = await intentOf(order, stripe)
    if (earlier !== undefined) return resultOf(earlier)
    const method = await methodOf(order.mandate, stripe)
    return method === undefined ? refused(goneReason) : await taken(order, amount, method, stripe)
  } catch (error) {
    return isGone(error) ? refused(goneReason) : failed(error)
  }
}

async function intentOf(
  { orderNo, mandate: customer }: ChargeOrder,
  stripe: Stripe,
): Promise<Stripe.PaymentIntent | undefined> {
  let seen = 0
  for await (const intent of stripe.paymentIntents.list({ customer, limit: 100 })) {
    if (intent.metadata.order_no === orderNo) return intent
    seen += 1
    if (seen === intentsMax) throw new Error('Stripe lists too many payments of this mandate.')
  }
  return undefined
}

/** What the payer chose on the page of Stripe, else what they stored last. */
async function methodOf(
  mandate: string,
  stripe: Stripe,
): Promise<Stripe.PaymentMethod | undefined> {
  const expand = ['invoice_settings.default_payment_method']
  const customer = await stripe.customers.retrieve(mandate, { expand })
  if (customer.deleted) return undefined
  const { default_payment_method: chosen } = customer.invoice_settings
  if (chosen !== null && typeof chosen === 'object') return chosen
  const { data } = await stripe.customers.listPaymentMethods(mandate, { limit: 1 })
  return data[0]
}

async function taken(
  { orderNo, currency, title, mandate }: ChargeOrder,
  amount: number,
  { id, type }: Stripe.PaymentMethod,
  stripe: Stripe,
): Promise<ChargeResult> {
  const parameters: Stripe.PaymentIntentCreateParams = {
    ...{ amount, currency: currency.toLowerCase(), customer: mandate, payment_method: id },
    // Where others were allowed, Stripe would want an address for the payer to come back to.
    allowed_payment_method_types: [type],
    ...{ off_session: true, confirm: true, description: title },
    metadata: { order_no: orderNo, charged: 'true' },
  }
  const options = { idempotencyKey: `charge-${orderNo}` }
  try {
    return resultOf(await stripe.paymentIntents.create(parameters, options))
  } catch (error) {
    const { payment_intent, type } = error as Partial<Stripe.errors.StripeError>
    if (payment_intent !== undefined) return resultOf(payment_intent)
    if (type === 'StripeCardError') return refused(declinedReason)
    throw error
  }
}

function resultOf(intent: Stripe.PaymentIntent): ChargeResult {
  const { id, status, livemode, last_payment_error } = intent
  if (status === 'processing' || status === 'requires_capture') {
    return { kind: 'begun', reference: id }
  }
  if (status !== 'succeeded') return refused(reasonOf(status, last_payment_error?.code))
  const fields = intentNotice(intent)
  if (fields === undefined) throw new Error('Stripe returned a payment of another origin.')
  return { kind: 'done', notice: { event: `paid ${id}`, isTest: !livemode, ...fields } }
}

function reasonOf(status: string, code: string | undefined): string {
  if (status === 'requires_action' || code === 'authentication_required') return absentReason
  return code === 'expired_card' ? expiredReason : declinedReason
}

function refused(reason: string): ChargeResult {
  return { kind: 'refused', reason }
}

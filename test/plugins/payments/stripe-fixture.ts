/** The gateway of Stripe before a Stripe that keeps what it was sent, and events signed by Stripe's own client. */
import Stripe from 'stripe'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { CallbackVerdict, PaymentGateway } from '../../../kernel/contract/payment.js'
import createStripe from '../../../plugins/payments/stripe/index.js'
import type { Script } from '../../conformance/outgoing.js'
import { gatewayOf, now, order } from './gateway-fixture.js'
import { key, type StripeState, stripeApi, stripeState } from './stripe-api.js'

const webhookSecret = 'whsec_of_the_test'
const usual = { key, webhookSecret, currency: 'USD', unitPrice: 8.5 }
const { webhooks } = new Stripe('sk_test_signer')

export function stripe(settings: object = {}, script?: Script) {
  return gatewayOf({
    ...{ name: 'stripe', create: createStripe, settings: { ...usual, ...settings } },
    ...(script !== undefined && { script }),
  })
}

export function stripeWith(over: Partial<StripeState> = {}, settings: object = {}) {
  const state = stripeState(over)
  return { state, ...stripe(settings, stripeApi(state)) }
}

export const session = (over: JsonObject = {}): JsonObject => ({
  ...{ id: 'cs_test_1', object: 'checkout.session', client_reference_id: order.orderNo },
  ...{ amount_total: 7000, currency: 'usd', payment_status: 'paid', payment_intent: 'pi_1' },
  ...{ status: 'complete', livemode: false, url: 'https://checkout.stripe.com/c/pay/cs_test_1' },
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ...{ mode: 'payment', customer: null, customer_creation: 'if_required' },
  ...over,
})

export const event = (type: string, object: JsonObject, over: JsonObject = {}) =>
  JSON.stringify({
    ...{ id: 'evt_1', object: 'event', type, created: now / 1000, livemode: false },
    ...{ data: { object }, ...over },
  })

export interface Signing {
  readonly secret?: string
  /** Seconds from now. */
  readonly at?: number
  readonly header?: string
}

/** Signed in place of Stripe. */
export function headerOf(payload: string, { secret = webhookSecret, at = 0 }: Signing = {}) {
  return webhooks.generateTestHeaderString({ payload, secret, timestamp: now / 1000 + at })
}

export function judged(gateway: PaymentGateway, payload: string, signing: Signing = {}) {
  const header = signing.header ?? headerOf(payload, signing)
  return gateway.verify!({
    ...{ method: 'POST', headers: { 'stripe-signature': header }, query: '' },
    body: Buffer.from(payload),
  }) as Promise<CallbackVerdict>
}

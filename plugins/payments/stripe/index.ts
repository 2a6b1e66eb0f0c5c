/** Stripe: Checkout Sessions, subscriptions, payments by a mandate, webhooks, refunds, by Stripe's own client. */
import type Stripe from 'stripe'
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  CallbackVerdict,
  Checkout,
  PaymentCallback,
  PaymentGateway,
} from '../../../kernel/contract/payment.js'
import { ended, portalPage } from './agreements.js'
import { charged } from './charging.js'
import { sessionParameters, subscriptionParameters } from './checkout.js'
import { clientFor, failed } from './client.js'
import { genuineEvent } from './events.js'
import { verdictOf } from './notices.js'
import { queried } from './querying.js'
import { invoiceFinder, paidBack } from './returns.js'
import { type Account, accountOf, offerOf } from './settings.js'

export default function create({ settings, clock, fetch }: OutgoingKit): PaymentGateway {
  function account(): Account {
    const found = accountOf(settings)
    if (found === undefined) throw new Error('Stripe is not set up.')
    return found
  }
  const client = () => clientFor(account().key, fetch)

  async function opened(parameters: Stripe.Checkout.SessionCreateParams): Promise<Checkout> {
    const options = { idempotencyKey: `order-${parameters.client_reference_id}` }
    const stripe = await client()
    const session = await stripe.checkout.sessions.create(parameters, options).catch(failed)
    if (typeof session.url !== 'string') throw new Error('Stripe returned no address of a page.')
    return { kind: 'redirect', url: session.url, reference: session.id }
  }
  const pageOptions = () => ({
    promotionCodes: settings.boolean('promotionCodes'),
    now: clock.now(),
  })

  async function verify(callback: PaymentCallback): Promise<CallbackVerdict> {
    const { webhookSecret } = account()
    const stripe = await client()
    const event = genuineEvent(callback, { stripe, webhookSecret, now: clock.now() })
    if (typeof event === 'string') return { kind: 'forged', reason: event }
    return verdictOf(event, invoiceFinder(stripe))
  }

  return {
    offer() {
      const found = accountOf(settings)
      return found && offerOf(settings, found)
    },
    checkout: async (order) => opened(sessionParameters(order, pageOptions())),
    verify,
    fetch: async (order) => queried(order, await client()),
    refund: async (request) => paidBack(request, await client()),
    subscribe: async (order) => opened(subscriptionParameters(order, pageOptions())),
    unsubscribe: async (agreement) => ended(agreement, await client()),
    portal: async (request) => portalPage(request, await client()),
    charge: async (order) => charged(order, await client()),
  }
}

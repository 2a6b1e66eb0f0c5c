/** Stripe: Checkout Sessions, webhooks, refunds, by Stripe's own client. */
import type { OutgoingKit } from '../../../kernel/contract/kit.js'
import type {
  CallbackVerdict,
  Checkout,
  CheckoutOrder,
  PaymentCallback,
  PaymentGateway,
  PaymentNotice,
  PlacedOrder,
  RefundRequest,
  RefundResult,
} from '../../../kernel/contract/payment.js'
import { sessionParameters } from './checkout.js'
import { clientFor, faultOf } from './client.js'
import { sessionNotice, verdictOf } from './notices.js'
import { type Account, accountOf, offerOf } from './settings.js'

/** Seconds a signature may be old (docs.stripe.com/webhooks). */
const toleranceSeconds = 300

export default function create({ settings, clock, fetch }: OutgoingKit): PaymentGateway {
  function account(): Account {
    const found = accountOf(settings)
    if (found === undefined) throw new Error('Stripe is not set up.')
    return found
  }
  const client = () => clientFor(account().key, fetch)

  async function checkout(order: CheckoutOrder): Promise<Checkout> {
    const promotionCodes = settings.boolean('promotionCodes')
    const parameters = sessionParameters(order, { promotionCodes, now: clock.now() })
    const options = { idempotencyKey: `order-${order.orderNo}` }
    const stripe = await client()
    const session = await stripe.checkout.sessions.create(parameters, options).catch(failed)
    if (typeof session.url !== 'string') throw new Error('Stripe returned no address of a page.')
    return { kind: 'redirect', url: session.url, reference: session.id }
  }

  async function verify({ headers, body }: PaymentCallback): Promise<CallbackVerdict> {
    const { webhookSecret } = account()
    const stripe = await client()
    const signature = headers['stripe-signature'] ?? ''
    const now = clock.now()
    if (isAhead(signature, now)) return forged('It is of the future.')
    try {
      const tolerance = [toleranceSeconds, undefined, now] as const
      const event = stripe.webhooks.constructEvent(body, signature, webhookSecret, ...tolerance)
      return typeof event.id === 'string' ? verdictOf(event) : forged('It is no event.')
    } catch {
      return forged('Its signature is wrong, too old, or of something else.')
    }
  }

  async function look({ reference, orderNo }: PlacedOrder): Promise<PaymentNotice | undefined> {
    if (reference === undefined) return undefined
    const stripe = await client()
    const session = await stripe.checkout.sessions.retrieve(reference).catch(failed)
    if (session.client_reference_id !== orderNo) return undefined
    const isTest = !session.livemode
    if (session.status === 'expired') {
      return { event: `expired ${session.id}`, state: 'expired', orderNo, reference, isTest }
    }
    const fields = session.status === 'complete' ? sessionNotice(session) : undefined
    if (fields?.state !== 'paid') return undefined
    return { event: `paid ${session.id}`, isTest, ...fields }
  }

  async function refund({ reference, refundMinor, key }: RefundRequest): Promise<RefundResult> {
    if (!reference.startsWith('pi_')) {
      return {
        kind: 'refused',
        reason: 'Nothing was paid for this order, so nothing can be paid back.',
      }
    }
    const wanted = { payment_intent: reference, amount: Number(refundMinor) }
    const stripe = await client()
    await stripe.refunds.create(wanted, { idempotencyKey: `refund-${key}` }).catch(failed)
    return { kind: 'begun' }
  }

  return {
    offer() {
      const found = accountOf(settings)
      return found && offerOf(settings, found)
    },
    checkout,
    verify,
    fetch: look,
    refund,
  }
}

/** Stripe's client looks at the age of a signature alone. `now`: Unix milliseconds. */
function isAhead(signature: string, now: number): boolean {
  const at = /(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]
  return at !== undefined && Number(at) > now / 1000 + toleranceSeconds
}

function forged(reason: string): CallbackVerdict {
  return { kind: 'forged', reason }
}

function failed(error: unknown): never {
  throw faultOf(error)
}

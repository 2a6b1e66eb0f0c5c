/** What Stripe reports, as notices. Taxes and shipping are Stripe's affair and no part of the price. */
import type Stripe from 'stripe'
import type { CallbackVerdict, PaymentNotice } from '../../../kernel/contract/payment.js'

export function verdictOf(event: Stripe.Event): CallbackVerdict {
  const facts = { event: event.id, at: event.created * 1000, isTest: !event.livemode }
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return noticed(facts, sessionNotice(event.data.object))
    case 'checkout.session.async_payment_failed':
      return noticed(facts, sessionEnd(event.data.object, 'failed'))
    case 'checkout.session.expired':
      return noticed(facts, sessionEnd(event.data.object, 'expired'))
    case 'charge.refunded':
      return noticed(facts, refundNotice(event.data.object))
    case 'charge.dispute.funds_withdrawn':
      return noticed(facts, disputeNotice(event.data.object, 'disputed'))
    case 'charge.dispute.funds_reinstated':
      return noticed(facts, disputeNotice(event.data.object, 'reinstated'))
    default:
      return { kind: 'ignored', event: event.type }
  }
}

type Facts = Pick<PaymentNotice, 'event' | 'at' | 'isTest'>
type Fields = Omit<PaymentNotice, keyof Facts>

/** Another page of the same account, or a payment that was not made by one: none of the gateway's. */
function noticed(facts: Facts, fields: Fields | undefined): CallbackVerdict {
  if (fields === undefined) return { kind: 'ignored', event: 'a payment of another origin' }
  return { kind: 'notice', notice: { ...facts, ...fields } }
}

/** A session that is complete may still wait for its money. Undefined: it is none of the gateway's. */
export function sessionNotice(session: Stripe.Checkout.Session): Fields | undefined {
  const { client_reference_id, amount_total, currency, payment_status, total_details } = session
  const orderNo = client_reference_id ?? undefined
  if (orderNo === undefined || amount_total === null) return undefined
  const beside = (total_details?.amount_tax ?? 0) + (total_details?.amount_shipping ?? 0)
  const discount = total_details?.amount_discount ?? 0
  return {
    state: payment_status === 'unpaid' ? 'pending' : 'paid',
    orderNo,
    reference: idOf(session.payment_intent) ?? session.id,
    amountMinor: BigInt(amount_total - beside),
    ...(currency !== null && { currency }),
    ...(discount > 0 && { discountMinor: BigInt(discount) }),
  }
}

function sessionEnd(
  { client_reference_id, id }: Stripe.Checkout.Session,
  state: 'failed' | 'expired',
): Fields | undefined {
  const orderNo = client_reference_id ?? undefined
  return orderNo === undefined ? undefined : { state, orderNo, reference: id }
}

/** What was refunded so far in all. */
function refundNotice(charge: Stripe.Charge): Fields | undefined {
  const reference = idOf(charge.payment_intent)
  const { amount_refunded, currency } = charge
  return reference === undefined
    ? undefined
    : { state: 'refunded', reference, amountMinor: BigInt(amount_refunded), currency }
}

function disputeNotice(
  { payment_intent, amount, currency }: Stripe.Dispute,
  state: 'disputed' | 'reinstated',
): Fields | undefined {
  const reference = idOf(payment_intent)
  return reference === undefined
    ? undefined
    : { state, reference, amountMinor: BigInt(amount), currency }
}

function idOf(value: string | { readonly id: string } | null | undefined): string | undefined {
  return (typeof value === 'string' ? value : value?.id) ?? undefined
}

/** What Stripe reports, as notices. Taxes and shipping are Stripe's affair and no part of the price. */
import type Stripe from 'stripe'
import type { CallbackVerdict, PaymentNotice } from '../../../kernel/contract/payment.js'
import { idOf } from './ids.js'
import { endedSubscription, failedInvoice, type InvoiceReport, paidInvoice } from './invoices.js'
import { type InvoiceOf, returned } from './returns.js'

/** Calls Stripe only where money went back that may be of an invoice. Rejects where that fails. */
export async function verdictOf(
  event: Stripe.Event,
  invoiceOf: InvoiceOf,
): Promise<CallbackVerdict> {
  const facts = { event: event.id, at: event.created * 1000, isTest: !event.livemode }
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
      return noticed(facts, sessionNotice(event.data.object))
    case 'checkout.session.async_payment_failed':
      return noticed(facts, sessionEnd(event.data.object, 'failed'))
    case 'checkout.session.expired':
      return noticed(facts, sessionEnd(event.data.object, 'expired'))
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
      return noticed(facts, intentNotice(event.data.object))
    case 'invoice.paid':
      return invoiced(facts, paidInvoice(event.data.object))
    case 'invoice.payment_failed':
      return invoiced(facts, failedInvoice(event.data.object))
    case 'customer.subscription.deleted':
      return invoiced(facts, endedSubscription(event.data.object))
    case 'charge.refunded':
      return noticed(facts, await refundNotice(event.data.object, invoiceOf))
    case 'charge.dispute.funds_withdrawn':
      return noticed(facts, await disputeNotice(event.data.object, 'disputed', invoiceOf))
    case 'charge.dispute.funds_reinstated':
      return noticed(facts, await disputeNotice(event.data.object, 'reinstated', invoiceOf))
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

function invoiced(facts: Facts, report: InvoiceReport | undefined): CallbackVerdict {
  if (report?.kind !== 'later') return noticed(facts, report?.fields)
  return { kind: 'renewal', renewal: { ...facts, ...report.fields } }
}

/** A session that is complete may still wait for its money. Undefined: it is none of the gateway's. */
export function sessionNotice(session: Stripe.Checkout.Session): Fields | undefined {
  const { client_reference_id, amount_total, currency, payment_status, total_details } = session
  const orderNo = client_reference_id ?? undefined
  if (orderNo === undefined || amount_total === null) return undefined
  const beside = (total_details?.amount_tax ?? 0) + (total_details?.amount_shipping ?? 0)
  const discount = total_details?.amount_discount ?? 0
  const agreement = idOf(session.subscription)
  const mandate = mandateOf(session)
  return {
    state: payment_status === 'unpaid' ? 'pending' : 'paid',
    orderNo,
    reference: idOf(session.payment_intent) ?? idOf(session.invoice) ?? session.id,
    amountMinor: BigInt(amount_total - beside),
    ...(currency !== null && { currency }),
    ...(discount > 0 && { discountMinor: BigInt(discount) }),
    ...(agreement !== undefined && { agreement }),
    ...(mandate !== undefined && { mandate }),
  }
}

/** The customer that was made for the sake of later payments. Where nothing was paid, no way to pay was stored. */
function mandateOf(session: Stripe.Checkout.Session): string | undefined {
  const { mode, customer_creation, payment_intent, payment_status, customer } = session
  const isKept = mode === 'payment' && customer_creation === 'always' && payment_status === 'paid'
  return isKept && idOf(payment_intent) !== undefined ? idOf(customer) : undefined
}

function sessionEnd(
  { client_reference_id, id }: Stripe.Checkout.Session,
  state: 'failed' | 'expired',
): Fields | undefined {
  const orderNo = client_reference_id ?? undefined
  return orderNo === undefined ? undefined : { state, orderNo, reference: id }
}

/** Only of payments taken by a mandate: those of pages are reported by their sessions. */
export function intentNotice(intent: Stripe.PaymentIntent): Fields | undefined {
  const { id: reference, amount_received, currency, metadata, status } = intent
  const { order_no: orderNo, charged } = metadata
  if (orderNo === undefined || charged !== 'true') return undefined
  if (status !== 'succeeded') return { state: 'failed', orderNo, reference }
  return { state: 'paid', orderNo, reference, amountMinor: BigInt(amount_received), currency }
}

/** What was refunded so far in all. A charge has the metadata its payment was made with. */
function refundNotice(charge: Stripe.Charge, invoiceOf: InvoiceOf): Promise<Fields | undefined> {
  const { payment_intent, amount_refunded, currency, metadata } = charge
  const payment = idOf(payment_intent)
  const fields = { state: 'refunded' as const, amountMinor: BigInt(amount_refunded), currency }
  const isOfPage = metadata?.order_no !== undefined
  return returned(payment, fields, isOfPage ? async () => undefined : invoiceOf)
}

function disputeNotice(
  { payment_intent, amount, currency }: Stripe.Dispute,
  state: 'disputed' | 'reinstated',
  invoiceOf: InvoiceOf,
): Promise<Fields | undefined> {
  const fields = { state, amountMinor: BigInt(amount), currency }
  return returned(idOf(payment_intent), fields, invoiceOf)
}

/** Money that goes back. Of a subscription its payment has to be led back to the invoice, which Stripe has to be asked for. */
import type Stripe from 'stripe'
import type {
  PaymentNotice,
  RefundRequest,
  RefundResult,
} from '../../../kernel/contract/payment.js'
import { backWithTax, invoiceAmounts, priceBack } from './amounts.js'
import { failed } from './client.js'
import { idOf } from './ids.js'
import { originOf } from './invoices.js'

/** The invoice a payment is of. Undefined: of none. */
export type InvoiceOf = (payment: string) => Promise<Stripe.Invoice | undefined>

type Returned = Pick<PaymentNotice, 'state' | 'currency'> & { readonly amountMinor: bigint }

/** Undefined: it is none of the gateway's. */
export async function returned(
  payment: string | undefined,
  fields: Returned,
  invoiceOf: InvoiceOf,
): Promise<(Returned & Pick<PaymentNotice, 'reference'>) | undefined> {
  if (payment === undefined) return undefined
  const invoice = await invoiceOf(payment)
  if (invoice === undefined) return { ...fields, reference: payment }
  if (originOf(invoice) === undefined) return undefined
  const amountMinor = priceBack(fields.amountMinor, invoiceAmounts(invoice))
  return { ...fields, reference: invoice.id, amountMinor }
}

export function invoiceFinder(stripe: Stripe): InvoiceOf {
  return async (payment_intent) => {
    const payment = { type: 'payment_intent', payment_intent } as const
    return (await invoicePayment({ payment }, stripe))?.invoice
  }
}

interface InvoicePayment {
  readonly invoice?: Stripe.Invoice
  readonly payment?: string
}

async function invoicePayment(
  query: Stripe.InvoicePaymentListParams,
  stripe: Stripe,
): Promise<InvoicePayment | undefined> {
  const wanted = { ...query, limit: 1, expand: ['data.invoice'] }
  const { data } = await stripe.invoicePayments.list(wanted).catch(failed)
  const [found] = data
  if (found === undefined) return undefined
  const { invoice, payment } = found
  const isWhole = typeof invoice === 'object' && !('deleted' in invoice)
  return { payment: idOf(payment.payment_intent), ...(isWhole && { invoice }) }
}

export async function paidBack(
  { reference, refundMinor, key }: RefundRequest,
  stripe: Stripe,
): Promise<RefundResult> {
  const wanted = await refundOf(reference, refundMinor, stripe)
  if (wanted === undefined) {
    const reason = 'Nothing was paid for this order, so nothing can be paid back.'
    return { kind: 'refused', reason }
  }
  await stripe.refunds.create(wanted, { idempotencyKey: `refund-${key}` }).catch(failed)
  return { kind: 'begun' }
}

async function refundOf(
  reference: string,
  minor: bigint,
  stripe: Stripe,
): Promise<Stripe.RefundCreateParams | undefined> {
  if (reference.startsWith('pi_')) return { payment_intent: reference, amount: Number(minor) }
  if (!reference.startsWith('in_')) return undefined
  const found = await invoicePayment({ invoice: reference, status: 'paid' }, stripe)
  if (found?.invoice === undefined || found.payment === undefined) return undefined
  const amount = backWithTax(minor, invoiceAmounts(found.invoice))
  return { payment_intent: found.payment, amount: Number(amount) }
}

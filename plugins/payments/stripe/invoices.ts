/**
 * Invoices of subscriptions. Their payment is named by the invoice, which the session, every renewal and, when it is queried,
 * every payment of it lead to: events of invoices name no payment since the API version 2025-03-31.
 */
import type Stripe from 'stripe'
import type { PaymentNotice, RenewalNotice } from '../../../kernel/contract/payment.js'
import { invoiceAmounts } from './amounts.js'
import { idOf } from './ids.js'

/** Endpoints keep the API version they were made with; before 2025-03-31 invoices state their subscription so. */
interface EarlierInvoice {
  readonly subscription?: string | { readonly id: string } | null
  readonly subscription_details?: { readonly metadata: Stripe.Metadata | null } | null
}

interface Origin {
  readonly agreement: string
  readonly orderNo: string
}

/** Undefined: it is of no subscription of the gateway's. */
export function originOf(invoice: Stripe.Invoice & EarlierInvoice): Origin | undefined {
  const details = invoice.parent?.subscription_details
  const agreement = idOf(details?.subscription ?? invoice.subscription)
  const { order_no: orderNo } = (details ?? invoice.subscription_details)?.metadata ?? {}
  return agreement === undefined || orderNo === undefined ? undefined : { agreement, orderNo }
}

type Amounts = Pick<
  RenewalNotice & { readonly reference: string; readonly amountMinor: bigint },
  'reference' | 'amountMinor' | 'discountMinor' | 'currency'
>

function paymentOf(invoice: Stripe.Invoice): Amounts {
  const { priceMinor, discountMinor } = invoiceAmounts(invoice)
  return {
    ...{ reference: invoice.id, amountMinor: priceMinor, currency: invoice.currency },
    ...(discountMinor > 0n && { discountMinor }),
  }
}

export type InvoiceReport =
  | { readonly kind: 'first'; readonly fields: Omit<PaymentNotice, 'event'> }
  | { readonly kind: 'later'; readonly fields: Omit<RenewalNotice, 'event'> }

/**
 * The first payment is reported by its session as well, under the same reference, so that it counts once. It has to be
 * reported here: where it failed after the page was left, Stripe tries again, and no event of the session follows. Undefined:
 * none of the gateway's, or something else than a duration was paid.
 */
export function paidInvoice(invoice: Stripe.Invoice): InvoiceReport | undefined {
  const origin = originOf(invoice)
  if (origin === undefined) return undefined
  const fields = { ...paymentOf(invoice), state: 'paid' as const, agreement: origin.agreement }
  switch (invoice.billing_reason) {
    case 'subscription_create':
      return { kind: 'first', fields: { ...fields, orderNo: origin.orderNo } }
    case 'subscription_cycle':
      return { kind: 'later', fields }
    default:
      return undefined
  }
}

/** The first payment is left to its session, which reports a failure as well. */
export function failedInvoice(invoice: Stripe.Invoice): InvoiceReport | undefined {
  const origin = originOf(invoice)
  if (origin === undefined || invoice.billing_reason !== 'subscription_cycle') return undefined
  return { kind: 'later', fields: { state: 'failed', agreement: origin.agreement } }
}

export function endedSubscription({
  id,
  metadata,
}: Stripe.Subscription): InvoiceReport | undefined {
  if (metadata.order_no === undefined) return undefined
  return { kind: 'later', fields: { state: 'ended', agreement: id } }
}

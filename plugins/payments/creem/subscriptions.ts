/**
 * What Creem reports of subscriptions. Their payments are named by their transactions, which refunds and disputes state as
 * well; of one subscription all may belong to the same order of Creem's.
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { PaymentNotice, RenewalNotice } from '../../../kernel/contract/payment.js'
import { numberOf, objectOf, someText } from '../../../kernel/toolkit/json/index.js'
import { amountsPaid } from './amounts.js'
import { type Caller, CreemError } from './client.js'
import { modeOf } from './modes.js'

export type SubscriptionReport =
  | { readonly kind: 'first'; readonly fields: Omit<PaymentNotice, 'event'> }
  | { readonly kind: 'later'; readonly fields: Omit<RenewalNotice, 'event'> }

/** The shortest period of Creem's is a day. */
const firstMs = 43_200_000

/**
 * Undefined: it was not opened by this gateway, or says nothing of money. Calls Creem only where an event of a payment comes
 * without its amounts, and rejects where that fails.
 */
export async function subscriptionReport(
  type: string,
  subscription: JsonObject,
  call: Caller,
): Promise<SubscriptionReport | undefined> {
  const agreement = someText(subscription.id)
  const orderNo = someText(objectOf(subscription.metadata)?.order_no)
  if (agreement === undefined || orderNo === undefined) return undefined
  const known = { agreement, ...modeOf(subscription) }
  switch (type) {
    case 'subscription.paid':
      return paidReport(subscription, { ...known, orderNo }, call)
    // Creem goes on trying to collect what has expired.
    case 'subscription.expired':
    case 'subscription.past_due':
    case 'subscription.unpaid':
      return { kind: 'later', fields: { ...known, state: 'failed' } }
    case 'subscription.canceled':
      return { kind: 'later', fields: { ...known, state: 'ended' } }
    default:
      return undefined
  }
}

type Known = Pick<PaymentNotice, 'isTest'> & {
  readonly agreement: string
  readonly orderNo: string
}

/** Creem reports the first payment by this event as well, under the reference of the checkout, so that it counts once. */
async function paidReport(
  subscription: JsonObject,
  { orderNo, ...known }: Known,
  call: Caller,
): Promise<SubscriptionReport | undefined> {
  const reference = someText(subscription.last_transaction_id)
  if (reference === undefined) return undefined
  const transaction = await transactionOf(subscription, reference, call)
  const amounts = amountsPaid(transaction, objectOf(subscription.product)?.tax_mode)
  if (amounts === undefined) throw new Error('Creem returned a payment without an amount.')
  const fields = { ...known, ...amounts, state: 'paid' as const, reference }
  return isFirst(subscription, transaction)
    ? { kind: 'first', fields: { ...fields, orderNo } }
    : { kind: 'later', fields }
}

async function transactionOf(
  subscription: JsonObject,
  id: string,
  call: Caller,
): Promise<JsonObject> {
  const known = objectOf(subscription.last_transaction)
  if (known?.id === id) return known
  return call({ path: 'transactions', query: { transaction_id: id } })
}

/** Its period began with the subscription. */
function isFirst(subscription: JsonObject, transaction: JsonObject): boolean {
  const start =
    numberOf(transaction.period_start) ?? timeOf(someText(subscription.current_period_start_date))
  return start - timeOf(someText(subscription.created_at)) < firstMs
}

/** NaN, which is less than nothing, where there is none. */
function timeOf(text: string | undefined): number {
  return Date.parse(text ?? '')
}

/** At once: until when a payer has what was paid is known here. */
export async function ended(agreement: string, call: Caller): Promise<void> {
  const id = encodeURIComponent(agreement)
  try {
    await call({ path: `subscriptions/${id}/cancel`, body: { mode: 'immediate' } })
  } catch (error) {
    if (!(error instanceof CreemError) || error.status >= 500) throw error
    if (error.status !== 404 && !(await isEnded(agreement, call))) throw error
  }
}

async function isEnded(agreement: string, call: Caller): Promise<boolean> {
  return (await subscriptionOf(agreement, call)).status === 'canceled'
}

export function subscriptionOf(agreement: string, call: Caller): Promise<JsonObject> {
  return call({ path: 'subscriptions', query: { subscription_id: agreement } })
}

/** Creem's page has no way back. */
export async function portalPage(
  agreement: string | undefined,
  call: Caller,
): Promise<{ readonly url: string }> {
  if (agreement === undefined) throw new Error('Creem has a page for subscriptions alone.')
  const { customer } = await subscriptionOf(agreement, call)
  const id = someText(customer) ?? someText(objectOf(customer)?.id)
  if (id === undefined) throw new Error('Creem returned a subscription without a customer.')
  const { customer_portal_link } = await call({
    path: 'customers/billing',
    body: { customer_id: id },
  })
  const url = someText(customer_portal_link)
  if (url === undefined) throw new Error('Creem returned no address of a page.')
  return { url }
}

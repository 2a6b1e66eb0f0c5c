/** What a lost callback would have reported: by the checkout, and by the subscription it began. */
import type { PaymentNotice, PlacedOrder } from '../../../kernel/contract/payment.js'
import type { Caller } from './client.js'
import { agreementOf, checkoutNotice } from './notices.js'
import { subscriptionOf, subscriptionReport } from './subscriptions.js'

export async function queried(
  { orderNo, reference }: PlacedOrder,
  call: Caller,
): Promise<PaymentNotice | undefined> {
  if (reference === undefined || !reference.startsWith('ch_')) return undefined
  const found = await call({ path: 'checkouts', query: { checkout_id: reference } })
  if (found.request_id !== orderNo) return undefined
  if (found.status === 'expired') {
    return { event: `expired ${reference}`, state: 'expired', orderNo, reference }
  }
  if (found.status !== 'completed') return undefined
  const agreement = agreementOf(found)
  const fields =
    checkoutNotice(found) ?? (agreement === undefined ? undefined : await first(agreement, call))
  return fields?.state === 'paid' ? { event: `paid ${reference}`, ...fields } : undefined
}

async function first(agreement: string, call: Caller) {
  const subscription = await subscriptionOf(agreement, call)
  const report = await subscriptionReport('subscription.paid', subscription, call)
  return report?.kind === 'first' ? report.fields : undefined
}

/**
 * What Creem reports, as notices. A payment made once is named by the id of Creem's order, which refunds and disputes state
 * as well.
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { CallbackVerdict, PaymentNotice } from '../../../kernel/contract/payment.js'
import { numberOf, objectOf, someText } from '../../../kernel/toolkit/json/index.js'
import { amountsPaid, centsOf, priceBack } from './amounts.js'
import type { Caller } from './client.js'
import { modeOf } from './modes.js'
import { subscriptionReport } from './subscriptions.js'

type Fields = Omit<PaymentNotice, 'event'>

/** `event` is genuine. Rejects where Creem has to be called for it, and that fails. */
export async function verdictOf(event: JsonObject, call: Caller): Promise<CallbackVerdict> {
  const id = someText(event.id)
  const type = someText(event.eventType)
  const object = objectOf(event.object)
  if (id === undefined || type === undefined || object === undefined) {
    return { kind: 'forged', reason: 'It is no event.' }
  }
  const at = numberOf(event.created_at)
  const facts = { event: id, ...(at !== undefined && { at }) }
  const report = type.startsWith('subscription.')
    ? await subscriptionReport(type, object, call)
    : undefined
  if (report?.kind === 'later') return { kind: 'renewal', renewal: { ...facts, ...report.fields } }
  const fields = report?.fields ?? fieldsOf(type, object)
  if (fields === undefined) return { kind: 'ignored', event: type.slice(0, 64) }
  return { kind: 'notice', notice: { ...facts, ...fields } }
}

function fieldsOf(type: string, object: JsonObject): Fields | undefined {
  switch (type) {
    case 'checkout.completed':
      return checkoutNotice(object)
    case 'refund.created':
      return object.status === 'failed' || object.status === 'canceled'
        ? undefined
        : returned('refunded', object, object.refund_amount)
    case 'dispute.created':
      return returned('disputed', object, object.amount)
    default:
      return undefined
  }
}

/**
 * Undefined: it was not opened by this gateway, nothing was ordered yet, or it is of a subscription and does not name its
 * payment, which an event of the subscription then does.
 */
export function checkoutNotice(checkout: JsonObject): Fields | undefined {
  const orderNo = someText(checkout.request_id)
  const order = objectOf(checkout.order)
  if (orderNo === undefined || order === undefined) return undefined
  const agreement = agreementOf(checkout)
  const reference = someText(agreement === undefined ? order.id : order.transaction)
  const amounts = amountsPaid(order, objectOf(checkout.product)?.tax_mode)
  if (reference === undefined || amounts === undefined) return undefined
  return {
    ...{ state: order.status === 'paid' ? 'paid' : 'pending', orderNo, reference, ...amounts },
    ...(agreement !== undefined && { agreement }),
    ...modeOf(checkout),
  }
}

/** Undefined: it is paid once. */
export function agreementOf({ subscription }: JsonObject): string | undefined {
  return someText(subscription) ?? someText(objectOf(subscription)?.id)
}

/** The sum so far stands in the transaction; the event itself states its own part. */
function returned(
  state: 'refunded' | 'disputed',
  object: JsonObject,
  part: Json | undefined,
): Fields | undefined {
  const transaction = objectOf(object.transaction)
  const order =
    someText(transaction?.order) ?? someText(object.order) ?? someText(objectOf(object.order)?.id)
  const isOfOrder = transaction === undefined || agreementOf(transaction) === undefined
  const reference = isOfOrder ? order : someText(transaction.id)
  if (transaction === undefined || reference === undefined) return undefined
  const soFar = state === 'refunded' ? centsOf(transaction.refunded_amount) : undefined
  const back = soFar ?? centsOf(part)
  const amountMinor = back === undefined ? undefined : priceBack(back, transaction)
  if (amountMinor === undefined) return undefined
  const currency = someText(transaction.currency)
  return {
    ...{ state, reference, amountMinor },
    ...(currency !== undefined && { currency }),
    ...modeOf(transaction),
  }
}

/** What Creem reports, as notices. A payment is named by the id of Creem's order, which refunds and disputes state as well. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { CallbackVerdict, PaymentNotice } from '../../../kernel/contract/payment.js'
import { numberOf, objectOf, someText } from '../../../kernel/toolkit/json/index.js'
import { centsOf, priceBack, pricePaid } from './amounts.js'

type Fields = Omit<PaymentNotice, 'event'>

/** `event` is genuine. */
export function verdictOf(event: JsonObject): CallbackVerdict {
  const id = someText(event.id)
  const type = someText(event.eventType)
  const object = objectOf(event.object)
  if (id === undefined || type === undefined || object === undefined) {
    return { kind: 'forged', reason: 'It is no event.' }
  }
  const fields = fieldsOf(type, object)
  if (fields === undefined) return { kind: 'ignored', event: type.slice(0, 64) }
  const at = numberOf(event.created_at)
  return { kind: 'notice', notice: { event: id, ...fields, ...(at !== undefined && { at }) } }
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

/** Undefined: it was not opened by this gateway, or nothing was ordered yet. */
export function checkoutNotice(checkout: JsonObject): Fields | undefined {
  const orderNo = someText(checkout.request_id)
  const order = objectOf(checkout.order)
  const reference = someText(order?.id)
  if (orderNo === undefined || order === undefined || reference === undefined) return undefined
  const amountMinor = pricePaid(order, objectOf(checkout.product)?.tax_mode)
  if (amountMinor === undefined) return undefined
  const discount = centsOf(order.discount_amount) ?? 0n
  const currency = someText(order.currency)
  return {
    ...{ state: order.status === 'paid' ? 'paid' : 'pending', orderNo, reference, amountMinor },
    ...(currency !== undefined && { currency }),
    ...(discount > 0n && { discountMinor: discount }),
    ...modeOf(checkout),
  }
}

/** The sum so far stands in the transaction; the event itself states its own part. */
function returned(
  state: 'refunded' | 'disputed',
  object: JsonObject,
  part: Json | undefined,
): Fields | undefined {
  const transaction = objectOf(object.transaction)
  const reference =
    someText(transaction?.order) ?? someText(object.order) ?? someText(objectOf(object.order)?.id)
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

const testModes: readonly unknown[] = ['test', 'sandbox', 'local']

function modeOf({ mode }: JsonObject): Pick<PaymentNotice, 'isTest'> {
  if (mode === 'prod') return { isTest: false }
  return testModes.includes(mode) ? { isTest: true } : {}
}

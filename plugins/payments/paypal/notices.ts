/** What PayPal reports, as notices. A payment is named by the id of its capture. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { PaymentNotice } from '../../../kernel/contract/payment.js'
import { objectOf, objectsOf, someText } from '../../../kernel/toolkit/json/index.js'
import { amountIn } from './amounts.js'

export type Fields = Omit<PaymentNotice, 'event'>

/** Undefined: it is about nothing the gateway acts on. */
export function eventNotice(type: string, resource: JsonObject): Fields | undefined {
  switch (type) {
    case 'PAYMENT.CAPTURE.COMPLETED':
    case 'PAYMENT.CAPTURE.PENDING':
    case 'PAYMENT.CAPTURE.DENIED':
    case 'PAYMENT.CAPTURE.DECLINED':
      return captureNotice(resource)
    case 'PAYMENT.CAPTURE.REFUNDED':
      return returned('refunded', resource)
    case 'PAYMENT.CAPTURE.REVERSED':
      return returned('disputed', resource)
    default:
      return undefined
  }
}

/** The first capture of an order: the gateway makes one. */
export function orderNotice(order: JsonObject): Fields | undefined {
  const [unit] = objectsOf(order.purchase_units)
  const [capture] = objectsOf(objectOf(unit?.payments)?.captures)
  if (unit === undefined || capture === undefined) return undefined
  return captureNotice({ custom_id: unit.custom_id, ...capture })
}

const states: ReadonlyMap<unknown, Fields['state']> = new Map([
  ['COMPLETED', 'paid'],
  ['REFUNDED', 'paid'],
  ['PARTIALLY_REFUNDED', 'paid'],
  ['PENDING', 'pending'],
  ['DECLINED', 'failed'],
  ['DENIED', 'failed'],
  ['FAILED', 'failed'],
])

function captureNotice(capture: JsonObject): Fields | undefined {
  const orderNo = someText(capture.custom_id)
  const reference = someText(capture.id)
  const amount = amountIn(capture.amount)
  const state = states.get(capture.status)
  if (orderNo === undefined || reference === undefined || state === undefined) return undefined
  return amount && { state, orderNo, reference, ...amount }
}

/** The capture is named by the link `up`, the sum so far by `total_refunded_amount`. */
function returned(state: 'refunded' | 'disputed', resource: JsonObject): Fields | undefined {
  const status = resource.status ?? 'COMPLETED'
  const up = objectsOf(resource.links).find(({ rel }) => rel === 'up')
  const reference = /\/captures\/([A-Za-z0-9-]{1,64})$/.exec(someText(up?.href) ?? '')?.[1]
  const total = objectOf(resource.seller_payable_breakdown)?.total_refunded_amount
  const amount = (state === 'refunded' ? amountIn(total) : undefined) ?? amountIn(resource.amount)
  if (status !== 'COMPLETED' || reference === undefined) return undefined
  return amount && { state, reference, ...amount }
}

/**
 * Orders by the routes scripts of this family of gateways know: one for each gateway, with the checkout in the words of that
 * gateway. The order is the same as by `place`.
 */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Checkout } from '../../../kernel/contract/payment.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Placed } from '../../services/payments/index.js'
import { type BuyingDependencies, openOrder } from './buying.js'
import type { StartForm } from './forms.js'

export function startCredit(
  gateway: string,
  request: ManagementRequest<unknown, StartForm>,
  dependencies: BuyingDependencies,
): Promise<Placed> {
  const { amount, payment_method, product_id: product } = request.body
  const method = payment_method === gateway ? undefined : payment_method
  const bought = { gateway, amount, product, method, group: request.principal?.group ?? '' }
  return openOrder(request, bought, dependencies)
}

/** `data` holds the fields the browser posts to `url`. */
export function formAnswer({ order, checkout }: Placed): Answer {
  if (checkout.kind !== 'form') throw unexpected(order.gateway, checkout)
  const { fields: data, url } = checkout
  return { answer: true, message: 'success', data, beside: { url }, audit: auditOf(order) }
}

/** `data[member]` is the address of the page where it is paid. */
export function pageAnswer(
  { order, checkout }: Placed,
  member: 'pay_link' | 'checkout_url',
): Answer {
  if (checkout.kind !== 'redirect') throw unexpected(order.gateway, checkout)
  const data = { [member]: checkout.url }
  return { answer: true, message: 'success', data, audit: auditOf(order) }
}

function auditOf({ orderNo }: Placed['order']) {
  return { object: `order ${orderNo}` }
}

function unexpected(gateway: string, { kind }: Checkout): Refusal {
  const reason = `The gateway "${gateway}" opens payments as "${kind}"; use /api/user/topup/order, or /api/subscription/pay for a plan.`
  return new Refusal('conflict', { reason, param: 'gateway' })
}

/**
 * Orders by the routes scripts of this family of gateways know: one for each gateway, with the checkout in the words of that
 * gateway. The order is the same as by `place`.
 */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Checkout } from '../../../kernel/contract/payment.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type BuyingDependencies, openOrder } from './buying.js'
import type { StartForm } from './forms.js'

type Starting = ManagementRequest<unknown, StartForm>

/** `data` holds the fields the browser posts to `url`. */
export async function startEpay(
  request: Starting,
  dependencies: BuyingDependencies,
): Promise<Answer> {
  const { checkout, audit } = await started('epay', request, dependencies)
  if (checkout.kind !== 'form') throw unexpected('epay', checkout)
  const { fields: data, url } = checkout
  return { answer: true, message: 'success', data, beside: { url }, audit }
}

/** `data[member]` is the address of the page where it is paid. */
export async function startPage(
  gateway: string,
  member: 'pay_link' | 'checkout_url',
  request: Starting,
  dependencies: BuyingDependencies,
): Promise<Answer> {
  const { checkout, audit } = await started(gateway, request, dependencies)
  if (checkout.kind !== 'redirect') throw unexpected(gateway, checkout)
  return { answer: true, message: 'success', data: { [member]: checkout.url }, audit }
}

async function started(gateway: string, request: Starting, dependencies: BuyingDependencies) {
  const { amount, payment_method, product_id: product } = request.body
  const method = payment_method === gateway ? undefined : payment_method
  const bought = { gateway, amount, product, method, group: request.principal?.group ?? '' }
  const { order, checkout } = await openOrder(request, bought, dependencies)
  return { checkout, audit: { object: `order ${order.orderNo}` } }
}

function unexpected(gateway: string, { kind }: Checkout): Refusal {
  const reason = `The gateway "${gateway}" opens payments as "${kind}"; use /api/user/topup/order.`
  return new Refusal('conflict', { reason, param: 'gateway' })
}

/** Lists of orders, and what admins do with them: completing and paying back, each with a proof. */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import { minorUnits } from '../../../kernel/toolkit/payment/index.js'
import type { OrderState, Payments } from '../../services/payments/index.js'
import type { Verification } from '../../services/verification/index.js'
import type { CompleteForm, ListQuery, RefundForm, TotalsForm } from './forms.js'
import { orderRecord, totalRecord } from './records.js'

export interface OrderDependencies {
  readonly payments: Payments
  readonly verification: Pick<Verification, 'require'>
}

/** `userId`: whose; absent: everybody's. */
export async function orderList(
  { p, page_size, status, gateway, keyword, user_id }: ListQuery,
  payments: Payments,
  userId = user_id,
) {
  const page = Math.max(p, 1)
  const state: OrderState | undefined = status === 'success' ? 'paid' : status
  const bounds = { offset: (page - 1) * page_size, limit: page_size }
  const { items, total } = await payments.orders({
    ...{ ...bounds, userId, state, gateway, search: keyword },
  })
  return { page, page_size, total, items: items.map(orderRecord) }
}

export async function complete(
  request: ManagementRequest<unknown, CompleteForm>,
  { payments, verification }: OrderDependencies,
): Promise<Answer> {
  const { username } = signedIn(request)
  await verification.require(request, 'balance')
  const { trade_no: orderNo, reason } = request.body
  const { requestId } = request
  const done = await payments.complete({ orderNo, reason, by: username, requestId })
  const detail = `credit ${done.quota} to user ${done.userId}`
  return { answer: true, data: orderRecord(done), audit: { object: `order ${orderNo}`, detail } }
}

export async function refund(
  request: ManagementRequest<unknown, RefundForm>,
  { payments, verification }: OrderDependencies,
): Promise<Answer> {
  await verification.require(request, 'balance')
  const { trade_no: orderNo, amount } = request.body
  const { requestId, moneyKey } = request
  const currency = await currencyOf(orderNo, payments)
  const amountMinor = minorUnits(amount, currency)
  if (amountMinor === undefined || amountMinor === 0n) {
    const reason = `This is no amount in ${currency} that could be paid back.`
    throw new Refusal('invalid_field', { reason, param: 'amount' })
  }
  const done = await payments.refund({ orderNo, amountMinor, key: moneyKey, requestId })
  const detail = `refund ${amount} ${currency}`
  return { answer: true, data: orderRecord(done), audit: { object: `order ${orderNo}`, detail } }
}

export async function totals({ start_timestamp, end_timestamp }: TotalsForm, payments: Payments) {
  const from = new Date(start_timestamp * 1000)
  const to = new Date(end_timestamp * 1000)
  return (await payments.totals({ from, to })).map(totalRecord)
}

async function currencyOf(search: string, payments: Payments): Promise<string> {
  const [order] = (await payments.orders({ search, offset: 0, limit: 1 })).items
  if (order !== undefined) return order.currency
  throw new Refusal('gone_missing', { what: 'order', param: 'trade_no' })
}

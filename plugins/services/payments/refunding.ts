/**
 * Paying back: the provider is called under a key that is the same at every try; the credit is taken back by what it then
 * reports, so that money and credit cannot part.
 */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Gateways } from './gateways.js'
import { isPaid } from './judge.js'
import type { PaymentOrder, RefundOrder } from './payments.js'
import { type OrderRow, orderOf } from './rows.js'
import type { Settle, SettlementDependencies } from './settlement.js'

export interface RefundDependencies extends SettlementDependencies {
  readonly gateways: Gateways
  readonly settle: Settle
}

/** Rejects with a `Refusal`. Returns the order as it is afterwards: a provider may report later. */
export async function refunded(
  { orderNo, amountMinor, key, requestId }: RefundOrder,
  { database, gateways, settle }: RefundDependencies,
): Promise<PaymentOrder> {
  const { knex } = database
  const found = () => knex<OrderRow>('payment_orders').where('order_no', orderNo).first()
  const order = refundable(await found(), amountMinor)
  const gateway = gateways.reporting(order.gateway)
  if (gateway?.plugin.refund === undefined) {
    throw invalid('trade_no', `Payments by ${order.gateway} cannot be paid back from here.`)
  }
  const result = await gateway.plugin
    .refund({
      ...{ orderNo, key, refundMinor: amountMinor, currency: order.currency },
      ...{ amountMinor: order.amountMinor, createdAt: order.createdAt.getTime() },
      reference: order.paymentReference!,
    })
    .catch((cause) => {
      throw new Refusal('refund_failed', { gateway: gateway.title, param: 'trade_no' }, { cause })
    })
  if (result.kind === 'refused') throw invalid('trade_no', result.reason)
  if (result.kind === 'done') {
    const from = { address: '', requestId }
    await settle({ gateway: order.gateway, notice: result.notice, from })
  }
  return orderOf((await found())!)
}

function refundable(row: OrderRow | undefined, amountMinor: bigint): PaymentOrder {
  if (row === undefined) throw new Refusal('gone_missing', { what: 'order', param: 'trade_no' })
  const order = orderOf(row)
  if (!isPaid(order) || order.paymentReference === undefined) {
    throw invalid(
      'trade_no',
      'No payment of this order was reported, so there is none to pay back.',
    )
  }
  const left = (order.paidMinor ?? 0n) - order.refundedMinor - order.disputedMinor
  if (amountMinor > left) throw invalid('amount', 'This is more than is left of the payment.')
  return order
}

function invalid(param: string, reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param })
}

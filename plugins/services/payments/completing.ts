/** An admin vouches for a payment: the order is credited under the same key a report of it would have used. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { keep } from './inbox.js'
import { isPaid } from './judge.js'
import type { Completion, PaymentOrder } from './payments.js'
import type { OrderRow } from './rows.js'
import { applied, type SettlementDependencies } from './settlement.js'

/** Rejects with a `Refusal`. */
export function completed(
  { orderNo, by, reason, requestId }: Completion,
  { database, ledger, notifications, subscriptions, news, now }: SettlementDependencies,
): Promise<PaymentOrder> {
  return database.knex.transaction(async (trx) => {
    const row = await trx<OrderRow>('payment_orders')
      .where('order_no', orderNo)
      .forNoKeyUpdate()
      .first()
    if (row === undefined) throw new Refusal('gone_missing', { what: 'order', param: 'trade_no' })
    if (isPaid(row)) {
      const reason = 'This order is paid already.'
      throw new Refusal('conflict', { reason, param: 'trade_no' })
    }
    const at = new Date(now())
    const order = await applied(
      { trx, ledger, notifications, subscriptions, news, row, requestId, at },
      {
        state: 'paid',
        reason: `Completed by ${by}: ${reason}`,
        paid: { reference: '', minor: BigInt(row.amount_minor) },
      },
    )
    if (order === undefined) {
      const reason = 'The subscription this order was to change has ended. Pay it back instead.'
      throw new Refusal('conflict', { reason, param: 'trade_no' })
    }
    const event = `completed ${orderNo}`
    const detail = { by, reason }
    const report = {
      gateway: row.gateway,
      event,
      orderNo,
      verdict: 'credited',
      detail,
      address: '',
    } as const
    await news.note(trx, row.user_id)
    await keep(trx, report, at)
    return order
  })
}

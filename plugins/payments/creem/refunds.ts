/** Creem pays back whole transactions, each once, so that a second try cannot pay back again. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { RefundRequest, RefundResult } from '../../../kernel/contract/payment.js'
import { objectsOf, someText } from '../../../kernel/toolkit/json/index.js'
import type { Caller } from './client.js'

export async function paidBack(request: RefundRequest, call: Caller): Promise<RefundResult> {
  const transaction = await transactionOf(request.reference, call)
  const id = someText(transaction?.id)
  if (id === undefined) return refused('Creem has no single payment of this order.')
  if (request.refundMinor !== request.amountMinor - discountOf(transaction)) {
    return refused('Creem pays back whole payments alone; pay back a part on its dashboard.')
  }
  const { status } = await call({ path: 'refunds', body: { transaction_id: id } })
  const isDone = status === 'succeeded' || status === 'pending' || status === 'requiresAction'
  return isDone ? { kind: 'begun' } : refused('Creem could not pay back this payment.')
}

/** A payment of a subscription is named by its transaction, any other by its order. */
async function transactionOf(reference: string, call: Caller): Promise<JsonObject | undefined> {
  if (reference.startsWith('tran_')) {
    return call({ path: 'transactions', query: { transaction_id: reference } })
  }
  const found = await call({ path: 'transactions/search', query: { order_id: reference } })
  const [transaction, ...others] = objectsOf(found.items)
  return others.length > 0 ? undefined : transaction
}

function discountOf(transaction: JsonObject | undefined): bigint {
  const discount = transaction?.discount_amount
  return Number.isSafeInteger(discount) ? BigInt(Number(discount)) : 0n
}

function refused(reason: string): RefundResult {
  return { kind: 'refused', reason }
}

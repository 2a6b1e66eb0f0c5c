/**
 * A receipt gets the next number of its series in the transaction that writes it: the row of the series is locked first, so
 * that of many who want one each number is given once, and what fails leaves no gap.
 */
import type { Knex } from 'knex'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { PaymentOrder } from '../payments/index.js'
import { buyerOf } from './billing.js'
import { linesOfOrder } from './lines.js'
import type { Receipt, Seller } from './receipts.js'
import { insertReceipt, receiptOf } from './rows.js'

export interface Issue {
  readonly order: PaymentOrder
  /** Title of its gateway. */
  readonly paidBy: string
  readonly seller: Seller
  readonly prefix: string
  readonly taxNote: string
  readonly now: Date
}

export interface Issued {
  readonly receipt: Receipt
  readonly isNew: boolean
}

/** Rejects with a `Refusal` where the order is not paid. */
export async function issued(knex: Knex, issue: Issue): Promise<Issued> {
  const { order } = issue
  const paidAt = requirePaid(order)
  const series = order.isTest ? 'test' : 'paid'
  return knex.transaction(async (trx) => {
    const last = await lockedNumber(trx, series)
    const other = await receiptOf(trx, order.orderNo)
    if (other !== undefined) return { receipt: other, isNew: false }
    const number = last + 1n
    const receipt: Receipt = {
      ...{ series, number, label: labelOf(number, issue.prefix, order.isTest) },
      ...{ orderNo: order.orderNo, userId: order.userId, issuedAt: issue.now, paidAt },
      ...{ paidBy: issue.paidBy, amountMinor: order.paidMinor ?? order.amountMinor },
      ...{ currency: order.currency, taxNote: issue.taxNote, lines: linesOfOrder(order) },
      ...{ seller: issue.seller, buyer: await buyerOf(trx, order.userId) },
    }
    await insertReceipt(trx, receipt)
    await trx('payment_receipt_series').where({ series }).update({ last_number: number })
    return { receipt, isNew: true }
  })
}

function requirePaid({ state, completedAt }: PaymentOrder): Date {
  if ((state === 'paid' || state === 'refunded') && completedAt !== undefined) return completedAt
  const reason = 'This order is not paid, so there is no receipt of it.'
  throw new Refusal('conflict', { reason, param: 'trade_no' })
}

async function lockedNumber(trx: Knex.Transaction, series: string): Promise<bigint> {
  const row = await trx('payment_receipt_series').where({ series }).forUpdate().first('last_number')
  return BigInt(row.last_number)
}

function labelOf(number: bigint, prefix: string, isTest: boolean): string {
  return `${isTest ? 'TEST-' : ''}${prefix}${String(number).padStart(6, '0')}`
}

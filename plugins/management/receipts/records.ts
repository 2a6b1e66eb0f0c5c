/** Receipts and billing details in the words of the management API. */
import { decimalAmount } from '../../../kernel/toolkit/payment/index.js'
import type { BillingDetails, Receipt } from '../../services/receipts/index.js'

export type ReceiptRecord = ReturnType<typeof receiptRecord>

export function receiptRecord({ label, orderNo, userId, series, ...receipt }: Receipt) {
  const { amountMinor, currency, buyer, issuedAt } = receipt
  return {
    number: label,
    trade_no: orderNo,
    user_id: userId,
    buyer: buyer.name || buyer.account,
    amount_minor: amountMinor,
    money: decimalAmount(amountMinor, currency),
    currency,
    test: series === 'test',
    issue_time: Math.floor(issuedAt.getTime() / 1000),
  }
}

export type BillingRecord = ReturnType<typeof billingRecord>

/** `reasonOff`: why no receipts are issued. */
export function billingRecord({ name, address, taxId }: BillingDetails, reasonOff?: string) {
  return { name, address, tax_id: taxId, receipts: reasonOff === undefined }
}

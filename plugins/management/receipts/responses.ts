/** What the area of receipts returns. */
import joi from 'joi'
import {
  pageOf,
  responseForm,
  unixSeconds,
  wholeNumber,
} from '../../../kernel/toolkit/management/index.js'
import type { BillingRecord, ReceiptRecord } from './records.js'

const text = joi.string().allow('')

const receipt = responseForm<ReceiptRecord>({
  number: joi.string().example('R-000001').description('As it is printed.'),
  trade_no: joi.string().description('Number of the order.'),
  user_id: joi.number().integer(),
  buyer: joi.string().description('To whom it is made out.'),
  amount_minor: wholeNumber.description('What was paid, in minor units of the currency.'),
  money: joi.string().example('70.00').description('What was paid, as a decimal.'),
  currency: joi.string().example('USD').description('ISO 4217.'),
  test: joi.boolean().description('No money moved; it has a series of numbers of its own.'),
  issue_time: unixSeconds,
}).id('Receipt')

export const receiptPage = pageOf(receipt)

export const billing = responseForm<BillingRecord>({
  name: text.description('Empty: receipts are made out to the name of the account.'),
  address: text.description('Several lines.'),
  tax_id: text,
  receipts: joi.boolean().description('Receipts are issued.'),
}).id('BillingDetails')

/** What the routes of receipts take. */
import joi from 'joi'
import { manyLines, oneLine, pagedQuery } from '../../../kernel/toolkit/management/index.js'

export const orderParams = joi.object({
  trade_no: joi
    .string()
    .pattern(/^[0-9A-Za-z]{20,40}$/)
    .messages({ 'string.pattern.base': 'An order number is 20 to 40 letters and digits.' })
    .required()
    .description('Number of an order.'),
})

export interface ListQuery {
  readonly p: number
  readonly page_size: number
  readonly user_id?: number
  readonly keyword?: string
}

export const listQuery = pagedQuery({
  user_id: joi
    .number()
    .integer()
    .min(1)
    .max(2_147_483_647)
    .empty(joi.valid('', '0', 0)),
  keyword: oneLine.max(64).empty('').description('A whole receipt number or order number.'),
})

export interface BillingForm {
  readonly name: string
  readonly address: string
  readonly tax_id: string
}

/** Whole: what is left out would be taken away unseen. */
export const billingForm = joi
  .object({
    name: oneLine.allow('').max(120).required(),
    address: manyLines.max(1000).required().description('Up to 8 lines of 100 characters.'),
    tax_id: oneLine.allow('').max(60).required(),
  })
  .prefs({ stripUnknown: true })
  .required()

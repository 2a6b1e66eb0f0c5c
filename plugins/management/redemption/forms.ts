/** What the routes of redemption codes take. */
import joi from 'joi'
import { oneLine, pagedQuery, rowId } from '../../../kernel/toolkit/management/index.js'

/** More than anyone gives away by one code, and far from what a wallet can hold. */
const quotaMax = 1_000_000_000_000
const secondsMax = 10_000_000_000

const expiry = joi
  .number()
  .integer()
  .min(0)
  .max(secondsMax)
  .description('Unix seconds. 0: it never expires.')

export interface NewCodes {
  readonly name: string
  readonly quota: number
  readonly count: number
  readonly uses: number
  readonly expired_time: number
}

export const newCodes = joi
  .object({
    name: oneLine.min(1).max(20).required().description('1 to 20 characters.'),
    quota: joi
      .number()
      .integer()
      .min(1)
      .max(quotaMax)
      .required()
      .description('Credited by each use, in quota units.'),
    count: joi.number().integer().min(1).max(100).default(1).description('How many codes.'),
    uses: joi
      .number()
      .integer()
      .min(1)
      .max(100_000)
      .default(1)
      .description('How many users may redeem each code, once each.'),
    expired_time: expiry.default(0),
  })
  .prefs({ stripUnknown: true })
  .required()

export interface CodeChangesForm {
  readonly id: number
  readonly name?: string
  readonly quota?: number
  readonly status?: 1 | 2
  readonly expired_time?: number
}

export const codeChanges = joi
  .object({
    id: rowId.required(),
    name: oneLine.min(1).max(20),
    quota: joi.number().integer().description('As it is: the credit of a code does not change.'),
    status: joi.number().valid(1, 2).description('1: on, 2: off.'),
    expired_time: expiry,
  })
  .prefs({ stripUnknown: true })
  .required()

export interface CodeSearch {
  readonly p: number
  readonly page_size: number
  readonly keyword?: string
  readonly status?: 'on' | 'off' | 'used' | 'expired'
  readonly batch?: string
}

export const codeSearch = pagedQuery({
  keyword: oneLine
    .max(64)
    .empty('')
    .description('A part of the name, the whole id, or the whole code.'),
  status: joi.string().valid('on', 'off', 'used', 'expired').empty(''),
  batch: joi.string().uuid().empty('').description('Codes that were made together.'),
})

export const codeId = joi.object({ id: rowId.required() })

export interface RedeemForm {
  readonly key: string
}

export const redeemForm = joi
  .object({ key: oneLine.max(64).required().description('The code.') })
  .prefs({ stripUnknown: true })
  .required()

/** What is sent to make an access token, and which one is meant. */
import joi from 'joi'
import { oneLine, rowId, tokenScopes } from '../../../kernel/toolkit/management/index.js'

export interface NewAccessToken {
  readonly name: string
  readonly scopes: readonly string[]
  /** Absent: what the option `access_token_days_default` sets. */
  readonly lifetime_days?: number
  readonly daily_credit?: number
}

const lifetimeDaysMax = 3650
const dailyCreditMax = 1_000_000_000_000

export const newAccessToken = joi
  .object({
    name: oneLine.max(64).required(),
    scopes: joi
      .array()
      .items(joi.string().valid(...tokenScopes))
      .min(1)
      .max(tokenScopes.length)
      .required(),
    lifetime_days: joi.number().integer().min(1).max(lifetimeDaysMax),
    daily_credit: joi
      .number()
      .integer()
      .min(1)
      .max(dailyCreditMax)
      .description('Quota a token of root may credit and debit a day, together. Absent: none.'),
  })
  .prefs({ stripUnknown: true })
  .required()

export const accessTokenId = joi.object({ id: rowId.required() })

/** What is sent to make an access token, and which one is meant. */
import joi from 'joi'
import { oneLine, rowId, tokenScopes } from '../../../kernel/toolkit/management/index.js'

export interface NewAccessToken {
  readonly name: string
  readonly scopes: readonly string[]
  /** Absent: what the option `access_token_days_default` sets. */
  readonly lifetime_days?: number
}

const lifetimeDaysMax = 3650

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
  })
  .prefs({ stripUnknown: true })
  .required()

export const accessTokenId = joi.object({ id: rowId.required() })

/** `response` of an access token of the management API, as its owner and admins see it; never the token itself. */
import joi from 'joi'
import { quotaUnits, unixSeconds } from './response-form.js'
import { tokenScopes } from './scopes.js'

export const accessTokenFields = {
  id: joi.number().integer(),
  name: joi.string().example('backup script'),
  scopes: joi.array().items(joi.string().valid(...tokenScopes)),
  created_at: unixSeconds,
  expires_at: unixSeconds,
  last_used_at: joi.number().integer().description('Unix seconds. 0: never.'),
  last_used_address: joi.string().allow('').description('Empty: never used, or not known.'),
  expired: joi.boolean(),
  daily_credit: quotaUnits.description('Quota it may credit and debit a day, together. 0: none.'),
}

/** What the access tokens area returns. */
import joi from 'joi'
import { responseForm, tokenScopes, unixSeconds } from '../../../kernel/toolkit/management/index.js'
import type { AccessToken, AccessTokenView } from '../../services/identity/index.js'
import type { UsableScope } from './usable-scopes.js'

const scope = joi.string().valid(...tokenScopes)

const fields = {
  id: joi.number().integer(),
  name: joi.string().example('backup script'),
  scopes: joi.array().items(scope),
  created_at: unixSeconds,
  expires_at: unixSeconds,
  last_used_at: joi.number().integer().description('Unix seconds. 0: never.'),
  last_used_address: joi.string().allow('').description('Empty: never used, or not known.'),
  expired: joi.boolean(),
}

const accessToken = responseForm<AccessTokenView>(fields).id('AccessToken')

export const accessTokenList = joi.array().items(accessToken).description('The oldest first.')

export const newAccessTokenMade = responseForm<AccessToken>({
  ...fields,
  token: joi.string().description('Shown this once.'),
}).id('CreatedAccessToken')

export const lifetimes = {
  days_default: joi.number().integer().description('Days a new token lives where none are named.'),
  days_max: joi.number().integer().description('Days a token may live at most.'),
}

const usableScope = responseForm<UsableScope>({
  scope,
  routes_count: joi.number().integer().min(1).description('Routes it opens to the caller.'),
}).id('UsableScope')

export const usableScopeList = joi.array().items(usableScope)

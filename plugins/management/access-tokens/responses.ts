/** What the access tokens area returns. */
import joi from 'joi'
import {
  accessTokenFields,
  responseForm,
  tokenScopes,
} from '../../../kernel/toolkit/management/index.js'
import type { AccessToken, AccessTokenView } from '../../services/identity/index.js'
import type { UsableScope } from './usable-scopes.js'

const scope = joi.string().valid(...tokenScopes)

const accessToken = responseForm<AccessTokenView>(accessTokenFields).id('AccessToken')

export const accessTokenList = joi.array().items(accessToken).description('The oldest first.')

export const newAccessTokenMade = responseForm<AccessToken>({
  ...accessTokenFields,
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

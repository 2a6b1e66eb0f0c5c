/** What the area of sign-in providers an admin defines returns. */
import joi from 'joi'
import { responseForm, unixSeconds } from '../../../kernel/toolkit/management/index.js'
import type { discover } from './discover.js'

const text = joi.string().allow('')

const rule = joi.object({
  field: joi.string().description('Path into the claims.').example('realm.roles'),
  operator: joi.string().valid('eq', 'in', 'contains'),
  value: joi.alternatives(
    joi.string().allow(''),
    joi.number(),
    joi.boolean(),
    joi.array().items(joi.string().allow(''), joi.number(), joi.boolean()),
  ),
})

export const signInProvider = joi
  .object({
    id: joi.number().integer(),
    slug: joi.string().description('Stands in its paths; never changes.').example('acme'),
    name: joi.string(),
    icon: text,
    enabled: joi.boolean(),
    client_id: text.optional(),
    client_secret: text.valid('').description('Never shown.'),
    has_client_secret: joi.boolean(),
    authorization_endpoint: text.optional(),
    token_endpoint: text.optional(),
    user_info_endpoint: text.optional(),
    scopes: text,
    user_id_field: joi.string(),
    username_field: text,
    display_name_field: text,
    email_field: text,
    auth_style: joi.string().valid('header', 'body'),
    access_policy: joi.array().items(rule).description('Every rule must hold. None: everybody.'),
    created_at: unixSeconds,
    updated_at: unixSeconds,
  })
  .id('CustomSignInProvider')

export const providerList = joi.array().items(signInProvider)

export const discovered = responseForm<Awaited<ReturnType<typeof discover>>>({
  well_known: joi.string().description('Address of the document that was read.'),
  issuer: text,
  authorization_endpoint: text,
  token_endpoint: text,
  user_info_endpoint: text,
  scopes_supported: joi.array().items(text),
}).id('DiscoveredProvider')

export const unbound = joi.object({
  unbound: joi.number().integer().min(0).description('People who could sign in by it.'),
})

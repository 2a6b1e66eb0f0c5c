/** What the area of sign-in providers takes. */
import joi from 'joi'
import { oneLine, rowId } from '../../../kernel/toolkit/management/index.js'
import type { AccessRule, CustomSettings } from '../../services/oauth/index.js'

export interface ProviderForm extends Partial<CustomSettings> {
  readonly name?: string
  readonly slug?: string
  readonly icon?: string
  readonly enabled?: boolean
  /** Absent or empty: what is stored stays. */
  readonly client_secret?: string
}

export interface NewProvider extends ProviderForm {
  readonly name: string
  readonly slug: string
}

const address = joi
  .string()
  .trim()
  .max(2048)
  .custom((text: string, { message }) => {
    const isPlain = URL.canParse(text) && isPlainHttp(new URL(text))
    return isPlain ? text : message({ custom: '{{#label}} must be a plain http or https address' })
  })

/** A name and password in an address would end up in logs, and a fragment never arrives. */
function isPlainHttp({ protocol, username, password, hash }: URL): boolean {
  return /^https?:$/.test(protocol) && username === '' && password === '' && hash === ''
}

const path = joi
  .string()
  .trim()
  .max(256)
  .pattern(/^[\w$:/.@-]+$/, 'a path of names and dots')

const plain = joi.alternatives(joi.string().max(256), joi.number(), joi.boolean())

const rule = joi
  .object({
    field: path.required(),
    operator: joi.valid('eq', 'in', 'contains').required(),
    value: joi.alternatives(plain, joi.array().items(plain).min(1).max(100)).required(),
  })
  .custom((one: AccessRule, { message }) =>
    one.operator === 'eq' && Array.isArray(one.value)
      ? message({ custom: '{{#label}} compares with one value; "in" takes several' })
      : one,
  )

const fields = {
  name: oneLine.max(64),
  slug: joi.string().pattern(/^[a-z0-9-]{2,32}$/, '2 to 32 of a-z, 0-9 and dashes'),
  icon: oneLine.max(2048).allow(''),
  enabled: joi.boolean(),
  client_id: oneLine.max(512).allow(''),
  client_secret: joi.string().max(2048).allow('', null).empty(['', null]),
  authorization_endpoint: address.allow(''),
  token_endpoint: address.allow(''),
  user_info_endpoint: address.allow(''),
  scopes: oneLine.max(1024).allow(''),
  user_id_field: path,
  username_field: path.allow(''),
  display_name_field: path.allow(''),
  email_field: path.allow(''),
  auth_style: joi.valid('header', 'body'),
  access_policy: joi.array().items(rule).max(20),
}

export const newProvider = joi
  .object({
    ...fields,
    name: fields.name.required(),
    slug: fields.slug.required(),
    scopes: fields.scopes.default('openid profile email'),
    user_id_field: fields.user_id_field.default('sub'),
    username_field: fields.username_field.default('preferred_username'),
    display_name_field: fields.display_name_field.default('name'),
    email_field: fields.email_field.default('email'),
    auth_style: fields.auth_style.default('header'),
    access_policy: fields.access_policy.default([]),
  })
  .prefs({ stripUnknown: true })
  .required()

export const providerChanges = joi.object(fields).prefs({ stripUnknown: true }).required()

export const providerId = joi.object({ id: rowId.required() })

export const removal = joi.object({ force: joi.boolean().default(false) })

export const discoveryAsk = joi.object({ url: address.required() })

/** What signing in takes. */
import joi from 'joi'
import { oneLine } from '../../../kernel/toolkit/management/index.js'

export interface LoginForm {
  readonly username: string
  readonly password: string
}

export interface CodeForm {
  readonly code: string
  /** Empty: the cookie shows which sign-in it belongs to. */
  readonly flow_token: string
}

export const loginForm = joi
  .object({
    // A user name or an address.
    username: oneLine.max(254).required(),
    password: joi.string().max(1024).required(),
  })
  .prefs({ stripUnknown: true })
  .required()

/** Older callers bring the token of the bot challenge in the query (AUTH-7). */
export const loginQuery = joi
  .object({ turnstile: joi.string().allow('').max(2048) })
  .prefs({ stripUnknown: true })

export const codeForm = joi
  .object({
    code: oneLine.max(64).required(),
    flow_token: joi.string().allow('').max(128).default(''),
  })
  .prefs({ stripUnknown: true })
  .required()

export const sessionName = joi.object({ sid: joi.string().max(64).required() })

/** What the account area returns. */
import joi from 'joi'
import {
  pageOf,
  quotaUnits,
  responseForm,
  unixSeconds,
  userFields,
} from '../../../kernel/toolkit/management/index.js'
import type { SecurityEvent } from '../../services/account-notices/index.js'
import type { selfRecord } from './self-record.js'

const id = joi.number().integer()
const count = joi.number().integer().min(0)
const text = joi.string().allow('')

export const self = responseForm<ReturnType<typeof selfRecord>>({
  ...userFields,
  held: quotaUnits,
  permissions: joi.object({
    sidebar_settings: joi.boolean(),
    sidebar_modules: joi
      .object({
        admin: joi.alternatives(joi.boolean(), joi.object({ setting: joi.boolean() })).optional(),
      })
      .description('Parts of the console that are closed to the role.'),
  }),
  sidebar_modules: text.description('JSON text of the parts of the console they chose.'),
  language: text,
  first_steps_hidden: joi.boolean().description('They hid the first steps of the dashboard.'),
  has_password: joi.boolean(),
  two_factor: joi.boolean().description('They have an authenticator.'),
  passkeys: count,
  password_off: joi.boolean().description('The account is opened by a passkey alone.'),
  must_set_up_factor: joi
    .boolean()
    .description('A second factor is required that they have yet to set up.'),
}).id('Self')

/** As the event's own, but for the time. */
export interface SecurityEventRecord extends Omit<SecurityEvent, 'at'> {
  readonly at: number
}

const securityEvent = responseForm<SecurityEventRecord>({
  id,
  kind: joi.string().example('password_changed'),
  at: unixSeconds,
  address: text.description('Address it was done from; of a counted kind, the last one.'),
  detail: text.description('A number where several of a kind are counted; otherwise empty.'),
}).id('SecurityEvent')

export const securityEventPage = pageOf(securityEvent)

export const newToken = joi.string().description('The access token, shown this once.')
export const newTokenBeside = { expires_at: unixSeconds }

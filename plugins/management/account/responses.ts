/** What the account area returns. */
import joi from 'joi'
import {
  pageOf,
  quotaUnits,
  responseForm,
  unixSeconds,
} from '../../../kernel/toolkit/management/index.js'
import type { SecurityEvent } from '../../services/account-notices/index.js'
import type { selfRecord } from './self-record.js'

const id = joi.number().integer()
const count = joi.number().integer().min(0)
const text = joi.string().allow('')
/** Who somebody is at another place. */
const place = text.description('Empty: not bound.')

export const self = responseForm<ReturnType<typeof selfRecord>>({
  id,
  username: joi.string().example('ada'),
  display_name: text,
  email: text,
  email_verified: joi.boolean(),
  role: joi.number().valid(1, 10, 100).description('1: user. 10: admin. 100: root.'),
  status: joi.number().valid(1, 2).description('1: enabled. 2: disabled.'),
  group: joi.string().example('default'),
  quota: quotaUnits,
  held: quotaUnits,
  used_quota: quotaUnits,
  request_count: count,
  aff_code: text.description('The code of their invitations.'),
  aff_count: count.description('People they invited.'),
  aff_quota: quotaUnits,
  aff_history_quota: quotaUnits,
  inviter_id: id.description('0: nobody invited them.'),
  github_id: place,
  discord_id: place,
  oidc_id: place,
  wechat_id: place,
  telegram_id: place,
  linux_do_id: place,
  setting: joi.string().description('JSON text of their settings. Secrets stand empty in it.'),
  created_at: unixSeconds,
  last_login_at: joi.number().integer().description('Unix seconds. 0: never.'),
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

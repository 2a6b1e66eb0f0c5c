/** `response` of what every record of a user has, for its owner and for admins. */
import joi from 'joi'
import { quotaUnits, unixSeconds } from './response-form.js'

const id = joi.number().integer()
const count = joi.number().integer().min(0)
const text = joi.string().allow('')
/** Who somebody is at another place. */
const place = text.description('Empty: not bound.')

export const userFields = {
  id,
  username: joi.string().example('ada'),
  display_name: text,
  email: text,
  email_verified: joi.boolean(),
  role: joi.number().valid(1, 10, 100).description('1: user. 10: admin. 100: root.'),
  status: joi.number().valid(1, 2).description('1: enabled. 2: disabled.'),
  group: joi.string().example('default'),
  quota: quotaUnits,
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
  last_login_at: id.description('Unix seconds. 0: never.'),
}

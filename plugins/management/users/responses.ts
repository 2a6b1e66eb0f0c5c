/** What the area of users returns. */
import joi from 'joi'
import {
  pageOf,
  quotaUnits,
  responseForm,
  tokenScopes,
  unixSeconds,
} from '../../../kernel/toolkit/management/index.js'
import type { AccessTokenView, UserRecord } from '../../services/identity/index.js'
import type { factorStats as readFactorStats } from './factor-stats.js'

const id = joi.number().integer()
const count = joi.number().integer().min(0)
const text = joi.string().allow('')
/** Who somebody is at another place. */
const place = text.description('Empty: not bound.')
const role = joi.number().valid(1, 10, 100).description('1: user. 10: admin. 100: root.')
const status = joi.number().valid(1, 2).description('1: enabled. 2: disabled.')

interface AdminUserRecord extends UserRecord {
  readonly remark: string
  readonly DeletedAt: string | null
}

const userFields = {
  id,
  username: joi.string().example('ada'),
  display_name: text,
  email: text,
  email_verified: joi.boolean(),
  role,
  status,
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
  last_login_at: joi.number().integer().description('Unix seconds. 0: never.'),
  remark: text.description('For admins alone.'),
  DeletedAt: joi.string().isoDate().allow(null).description('Null: they have an account.'),
}

export const user = responseForm<AdminUserRecord>(userFields).id('User')
export const userPage = pageOf(user)

const binding = joi.object({
  provider: joi.string().example('github'),
  title: joi.string(),
  name: text.description('Who they are there.'),
  created_at: unixSeconds,
})

export const wholeUser = joi
  .object({
    ...userFields,
    held: quotaUnits.description('Held for requests under way, in quota units.'),
    has_password: joi.boolean(),
    two_factor: joi.boolean().description('They have an authenticator.'),
    passkeys: count,
    bindings: joi.array().items(binding),
  })
  .id('WholeUser')

export const standing = joi
  .object({
    role,
    status,
    quota: quotaUnits
      .optional()
      .description('What the wallet holds, in quota units, where that was changed.'),
  })
  .id('UserStanding')

export const factorStats = responseForm<Awaited<ReturnType<typeof readFactorStats>>>({
  total_users: count,
  enabled_users: count.description('With an authenticator.'),
  enabled_rate: joi.number().min(0).max(100).description('Percent of all users, to a tenth.'),
  passkey_users: count,
}).id('FactorStats')

const accessToken = responseForm<AccessTokenView>({
  id,
  name: joi.string().example('backup script'),
  scopes: joi.array().items(joi.string().valid(...tokenScopes)),
  created_at: unixSeconds,
  expires_at: unixSeconds,
  last_used_at: joi.number().integer().description('Unix seconds. 0: never.'),
  last_used_address: text.description('Empty: never used, or not known.'),
  expired: joi.boolean(),
}).id('AccessToken')

export const accessTokenList = joi.array().items(accessToken).description('The oldest first.')

export const endedSessions = joi.object({
  ended: count.description('Sessions that were open.'),
})

/** What the area of users returns. */
import joi from 'joi'
import {
  accessTokenFields,
  pageOf,
  quotaUnits,
  responseForm,
  unixSeconds,
  userFields,
} from '../../../kernel/toolkit/management/index.js'
import type { AccessTokenView, UserRecord } from '../../services/identity/index.js'
import type { factorStats as readFactorStats } from './factor-stats.js'

const count = joi.number().integer().min(0)
const text = joi.string().allow('')

interface AdminUserRecord extends UserRecord {
  readonly remark: string
  readonly DeletedAt: string | null
}

const fields = {
  ...userFields,
  remark: text.description('For admins alone.'),
  DeletedAt: joi.string().isoDate().allow(null).description('Null: they have an account.'),
}

export const user = responseForm<AdminUserRecord>(fields).id('User')
export const userPage = pageOf(user)

const binding = joi.object({
  provider: joi.string().example('github'),
  title: joi.string(),
  name: text.description('Who they are there.'),
  created_at: unixSeconds,
})

export const wholeUser = joi
  .object({
    ...fields,
    held: quotaUnits.description('Held for requests under way, in quota units.'),
    has_password: joi.boolean(),
    two_factor: joi.boolean().description('They have an authenticator.'),
    passkeys: count,
    bindings: joi.array().items(binding),
  })
  .id('WholeUser')

export const standing = joi
  .object({
    role: userFields.role,
    status: userFields.status,
    quota: quotaUnits
      .optional()
      .description('What the wallet holds, in quota units, where that was changed.'),
  })
  .id('UserStanding')

const outcomeFields = {
  changed: count,
  refused_count: count,
  refused: joi
    .array()
    .items(
      joi.object({
        id: count,
        name: text.description('Empty: there is none.'),
        reason: joi.string(),
      }),
    )
    .description('Those that stay as they were, the first 100 of them.'),
}

export const editedUsers = joi.object(outcomeFields).id('EditedUsers')

export const movedBalances = joi
  .object({
    ...outcomeFields,
    moved: quotaUnits.description(
      'What this request posted in all, in quota units; what an earlier one with the same key posted is not in it.',
    ),
  })
  .id('MovedBalances')

export const factorStats = responseForm<Awaited<ReturnType<typeof readFactorStats>>>({
  total_users: count,
  enabled_users: count.description('With an authenticator.'),
  enabled_rate: joi.number().min(0).max(100).description('Percent of all users, to a tenth.'),
  passkey_users: count,
}).id('FactorStats')

const accessToken = responseForm<AccessTokenView>(accessTokenFields).id('AccessToken')

export const accessTokenList = joi.array().items(accessToken).description('The oldest first.')

export const endedSessions = joi.object({
  ended: count.description('Sessions that were open.'),
})

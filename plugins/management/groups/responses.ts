/** What the groups area returns. */
import joi from 'joi'
import { responseForm } from '../../../kernel/toolkit/management/index.js'
import type { AutoRoute, UsableGroup } from '../../services/routing/index.js'
import type { GroupRow } from './group-store.js'

const name = joi.string().example('default')
const names = joi.array().items(joi.string())
const count = joi.number().integer().min(0)
const ratio = joi.number().min(0)
const desc = joi.string().allow('').description('Shown to those who may use it.')

/** Keys are names of groups, of auto routes or of users' groups. */
function byName(value: joi.Schema): joi.ObjectSchema {
  return joi.object().pattern(joi.string(), value)
}

export const group = responseForm<GroupRow>({
  name,
  ratio: ratio.description('Factor over every price.').example(1.5),
  usable: joi.boolean().description('Everybody may use it.'),
  desc,
  special_ratios: byName(ratio).description(
    'By group of the caller: ratios that take precedence over that of this group.',
  ),
  also_usable: names.description('Groups its users may use besides those everybody may.'),
  not_usable: names.description('Groups its users may not use.'),
  channels: count,
  users: count,
  auto_routes: count.description('How many auto routes name it.'),
}).id('Group')

export const groupList = joi.array().items(group)

const usableGroup = responseForm<Omit<UsableGroup, 'name'>>({ ratio, desc }).id('UsableGroup')

export const usableGroups = byName(usableGroup).description('By name of the group.')

const usableRoute = responseForm<AutoRoute>({
  key: joi.string().example('auto'),
  display_name: joi.string().allow(''),
  groups: names.description('In the order they are tried, without those the caller may not use.'),
}).id('UsableRoute')

export const usableRoutes = joi.array().items(usableRoute)

/** Groups and auto routes in one dictionary. */
export const usableChoices = byName(
  joi
    .object({
      ratio: joi
        .alternatives(ratio, joi.string().valid('auto'))
        .description('`auto`: the ratio of whichever group of the auto route serves.'),
      desc,
    })
    .id('UsableChoice'),
).description('By name of the group, or key of the auto route.')

export const groupsForKeys = joi
  .object({
    groups: names,
    max_count: count.description('How many of them a policy may hold.'),
  })
  .id('PolicyGroups')

export const modelNames = names

/** What the auto-routes area returns. */
import joi from 'joi'
import { pageOf, responseForm, unixSeconds } from '../../../kernel/toolkit/management/index.js'
import type { autoRouteRecord } from './auto-route-row.js'

const groups = joi.array().items(joi.string())

export const autoRoute = responseForm<ReturnType<typeof autoRouteRecord>>({
  key: joi.string().example('auto'),
  display_name: joi.string().allow(''),
  groups: groups.description('In the order they are tried.'),
  user_groups: groups.description('Groups of users that may select it. Empty: everybody.'),
  enabled: joi.boolean(),
  is_default: joi.boolean().description('Serves those without a group.'),
  sort_order: joi.number().integer().description('Smaller ones are listed first.'),
  tokens: joi.number().integer().min(0).description('How many API keys name it.'),
  created_time: unixSeconds,
  updated_time: unixSeconds,
}).id('AutoRoute')

export const autoRoutePage = pageOf(autoRoute)

export const autoRouteRemoved = joi.object({
  tokens: joi.number().integer().min(0).description('How many API keys named it.'),
})

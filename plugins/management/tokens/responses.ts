/** What the area of API keys returns. */
import joi from 'joi'
import type { RoutingPolicy } from '../../../kernel/contract/line/people.js'
import {
  pageOf,
  quotaUnits,
  responseForm,
  unixSeconds,
} from '../../../kernel/toolkit/management/index.js'
import type { routingFields } from './routing-fields.js'
import type { limitFields, tokenRecord } from './token-row.js'

const text = joi.string().allow('')

const policy = responseForm<RoutingPolicy>({
  version: joi.number().valid(1),
  mode: joi.string().valid('smart', 'manual'),
  auto_route: text.description('`smart`: key of the auto route that is followed.'),
  groups: joi.array().items(joi.string()).description('`manual`: groups in order.'),
  retry_on_failure: joi.boolean().description('After a failure the next group may be tried.'),
}).id('RoutingPolicy')

export const token = responseForm<
  ReturnType<typeof tokenRecord> & ReturnType<typeof routingFields> & ReturnType<typeof limitFields>
>({
  id: joi.number().integer(),
  user_id: joi.number().integer(),
  key: joi
    .string()
    .description('Whole in the response that creates or replaces it, masked in others.'),
  status: joi
    .number()
    .valid(1, 2, 3, 4)
    .description('1: enabled. 2: disabled. 3: expired. 4: exhausted.'),
  name: text,
  created_time: unixSeconds,
  accessed_time: unixSeconds,
  expired_time: joi.number().integer().description('Unix seconds. -1: never.'),
  remain_quota: quotaUnits,
  unlimited_quota: joi.boolean(),
  model_limits_enabled: joi.boolean(),
  model_limits: text.description('Names with commas between them.'),
  allow_ips: text.description('Addresses and networks, one a line.'),
  used_quota: quotaUnits,
  group: text,
  cross_group_retry: joi.boolean(),
  record_level: joi
    .string()
    .valid('', 'headers', 'bodies')
    .description('What is recorded of its requests. Empty: nothing.'),
  record_until: unixSeconds.description('0: nothing is recorded.'),
  routing: policy,
  budget_quota: quotaUnits.description('What each period may use. 0: no budget.'),
  budget_period: joi
    .string()
    .valid('', 'day', 'week', 'month')
    .description('In UTC, weeks from Monday. Empty: no budget.'),
  budget_used: quotaUnits.description('Used in the period that runs.'),
  budget_remaining: quotaUnits.description(
    'Left in it, less what is set aside for requests under way.',
  ),
  budget_resets_at: joi.number().integer().min(0).description('Unix seconds. 0: no budget.'),
  rpm_limit: joi.number().integer().min(0).description('Requests a minute. 0: no limit.'),
  tpm_limit: joi.number().integer().min(0).description('Tokens a minute. 0: no limit.'),
  routing_legacy: joi.boolean().description('The policy is made of `group`; none is stored.'),
}).id('Token')

const sums = {
  quota: quotaUnits,
  requests: joi.number().integer().min(0),
  tokens: joi.number().integer().min(0),
}

export const tokenUsage = joi
  .object({
    days: joi.array().items(joi.object({ day: unixSeconds, ...sums })),
    models: joi.array().items(joi.object({ model: text, ...sums })),
  })
  .id('TokenUsage')

/** As admins see the keys of everybody. */
export const ownedToken = (token as joi.ObjectSchema)
  .keys({ username: text.description('Of its owner. Empty: deleted.') })
  .id('OwnedToken')

export const tokenPage = pageOf(token)
export const ownedTokenPage = pageOf(ownedToken)
export const removedCount = joi.number().integer().min(0).description('How many were removed.')
export const revealedKey = joi.object({ key: joi.string() })
export const revealedKeys = joi.object({
  keys: joi.object().pattern(/^\d+$/, joi.string()).description('Whole keys by id.'),
})

/** What the area of notices returns. */
import joi from 'joi'
import {
  pageOf,
  responseForm,
  settingFieldForm,
  translationsForm,
  unixSeconds,
} from '../../../kernel/toolkit/management/index.js'
import type { Way } from '../../services/notifications/index.js'
import type { recordOf } from './records.js'

const text = joi.string().allow('')

const way = responseForm<Way>({
  name: joi.string().description('As `notify_type` names it.').example('email'),
  title: joi.string(),
  ready: joi.boolean().description('The operator has set up what it needs.'),
  fields: joi.array().items(settingFieldForm),
  translations: translationsForm.optional(),
}).id('NotificationWay')

export const userSetting = joi
  .object({
    stored_secrets: joi.array().items(joi.string()).description('Names of secrets that are set.'),
    fields: joi.array().items(way).description('Ways to choose among, and what each requires.'),
  })
  .unknown()
  .description('Settings of the account by name, defaults filled in and secrets empty.')

export const testOutcome = joi.object({
  delivered: joi.boolean(),
  reason: text.description('Why it was not delivered.'),
})

const notice = responseForm<ReturnType<typeof recordOf>>({
  id: joi.number().integer(),
  user_id: joi.number().integer().description('0: a mail to an address.'),
  username: text.description('Empty: nobody, or somebody who is gone.'),
  type: joi.string().example('quota_exceed'),
  state: joi.string().valid('waiting', 'delivered', 'failed'),
  attempts: joi.number().integer().min(0),
  reason: text.description('Why it was not delivered so far.'),
  created_at: unixSeconds,
  next_at: unixSeconds.description(
    'Unix seconds of the next attempt; of the last one once it is over.',
  ),
  finished_at: joi.number().integer().description('Unix seconds. 0: not over.'),
}).id('OutboxNotice')

export const noticePage = pageOf(notice)

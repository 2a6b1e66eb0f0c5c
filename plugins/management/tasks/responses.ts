/** What the area of media tasks returns. */
import joi from 'joi'
import { pageOf, responseForm, unixSeconds } from '../../../kernel/toolkit/management/index.js'
import { states } from './filters.js'
import type { PictureTask } from './pictures.js'
import type {
  AnyTask,
  AnyTaskDetails,
  KeptTaskResult,
  OwnTask,
  OwnTaskDetails,
  StoredFileRecord,
  TaskMade,
  TaskStep,
} from './records.js'

const text = joi.string().allow('')
const id = joi.number().integer().min(0)
const count = joi.number().integer().min(0)
const quota = joi.number().integer().min(0).description('Quota units.')
const moment = unixSeconds.description('Unix seconds. 0: not yet, or never.')
const facts = joi.object().unknown(true)
const state = joi.string().valid(...states)

const made = responseForm<TaskMade>({
  index: count,
  type: joi.string().valid('image', 'video', 'audio', 'text', 'file'),
  url: joi
    .string()
    .optional()
    .description("The upstream's own, or one of this gateway that works for 15 minutes."),
  preview: joi
    .string()
    .optional()
    .description('Path and query at this gateway that work without a key for 15 minutes.'),
  text: text.optional(),
  meta: facts.optional(),
}).id('TaskMade')

const own = {
  task_id: text,
  request_id: text,
  user_id: id,
  platform: text.description('Empty until a channel is chosen.'),
  operation: text,
  action: text,
  model: text,
  group: text,
  state,
  status: text.description('The state in the words of other gateways of this family.'),
  word: text.description("The upstream's own word."),
  percent: joi.number().min(0).max(100),
  progress: text.description('The same as text: `40%`.'),
  fail_reason: text,
  late_success: joi.boolean().description('It succeeded after it had failed and was paid back.'),
  quota: quota.description('What it cost as far as is known. Quota units.'),
  charged: quota.description('Charged when it was accepted. Quota units.'),
  cost: quota.allow(null).description('What it cost in the end. Null: it has not ended.'),
  results: joi.array().items(made),
  request: facts.description('What was requested, media left out.'),
  data: facts.description('What the upstream reports, in its words.'),
  created_at: unixSeconds,
  updated_at: unixSeconds,
  submit_time: unixSeconds,
  start_time: moment,
  finish_time: moment,
}

const any = { ...own, username: text, channel_id: id, channel_name: text }

const step = responseForm<TaskStep>({ state, word: text, reason: text, at: unixSeconds }).id(
  'TaskStep',
)

const account = {
  origin_task_id: text.description('The task it goes on from. Empty: none.'),
  deadline: moment,
  cancellable: joi.boolean(),
  history: joi.array().items(step).description('Every state it was in, oldest first.'),
  arithmetic: joi
    .object({ charged: facts.allow(null), cost: facts.allow(null) })
    .description('How charge and cost came about, as `other` of a row of the log.'),
}

const ownTaskForm = responseForm<OwnTask>(own).id('OwnTask')
const anyTaskForm = responseForm<AnyTask>(any).id('AnyTask')
export const ownTaskPage = pageOf(ownTaskForm)
export const anyTaskPage = pageOf(anyTaskForm)

const keptResult = responseForm<KeptTaskResult>({
  index: count,
  until: unixSeconds.description('Unix seconds. 0: as long as the task is there.'),
}).id('KeptTaskResult')

const storedFile = responseForm<StoredFileRecord>({
  index: count,
  state: joi
    .string()
    .valid('pending', 'stored', 'failed', 'leaving')
    .description(
      '`failed`: it is tried no more. `leaving`: its time is over, and the file is deleted.',
    ),
  place: joi.string().valid('folder', 's3'),
  name: text.description('Of the file in its folder or bucket, behind the prefix.'),
  bytes: count,
  tries: count.description('How often storing it, or deleting it, was begun.'),
  reason: text.description('Why the last try failed.'),
  next_try: moment,
  stored_at: moment,
  kept_until: unixSeconds.description('Unix seconds. 0: open, or it is not stored.'),
}).id('StoredFile')

export const ownTaskDetails = responseForm<OwnTaskDetails>({
  ...own,
  ...account,
  kept: joi
    .array()
    .items(keptResult)
    .description('Results the gateway stores, and until when. Others are at their upstream.'),
}).id('OwnTaskDetails')
export const anyTaskDetails = responseForm<AnyTaskDetails>({
  ...any,
  ...account,
  token_id: id.description('0: none, as of the Playground.'),
  key_id: id,
  upstream_model: text,
  upstream_id: text.description('Empty: the upstream has not accepted it.'),
  reachable: joi.boolean().description('Whether its channel and a key of it are still there.'),
  next_poll: moment,
  poll_failures: count,
  stored: joi
    .array()
    .items(storedFile)
    .description('Results that are stored, or were to be. Of others there is no row.'),
}).id('AnyTaskDetails')

export const picturePage = pageOf(
  responseForm<PictureTask>({
    ...{ id: text, mj_id: text, user_id: id, code: count, action: text, prompt: text },
    ...{ prompt_en: text, description: text, state: text },
    ...{ submit_time: count, start_time: count, finish_time: count },
    ...{ image_url: text, video_url: text, video_urls: text, status: text, progress: text },
    fail_reason: text,
    channel_id: id.description('0: none, or not shown to the owner of the task.'),
    quota,
    buttons: text.description('JSON text.'),
    properties: text.description('JSON text.'),
  }).id('PictureTask'),
)

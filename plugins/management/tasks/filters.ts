/** What of the tasks a page shows: fields of the family, and the gateway's own beside them. */
import joi from 'joi'
import { pagedQuery, visible, visibleOnly } from '../../../kernel/toolkit/management/index.js'
import type { TaskQuery, TaskStage } from '../../services/tasks/index.js'

/** Empty texts and zeros mean "any". */
export interface TaskForm {
  readonly p: number
  readonly page_size: number
  readonly platform: string
  readonly operation: string
  readonly action: string
  readonly state: TaskStage | ''
  readonly status: keyof typeof stages | ''
  readonly model: string
  readonly task_id: string
  readonly from: number
  readonly to: number
  readonly username?: string
  readonly channel_id?: number
}

export interface PictureForm {
  readonly p: number
  readonly page_size: number
  readonly mj_id: string
  readonly from: number
  readonly to: number
  readonly channel_id?: number
}

export const states: readonly TaskStage[] = [
  'submitting',
  'queued',
  'running',
  'unknown',
  'succeeded',
  'failed',
]

/** The family's words for a state. */
const stages = {
  NOT_START: 'submitting',
  SUBMITTED: 'queued',
  QUEUED: 'queued',
  IN_PROGRESS: 'running',
  UNKNOWN: 'unknown',
  SUCCESS: 'succeeded',
  FAILURE: 'failed',
} as const satisfies Record<string, TaskStage>

const word = joi.string().allow('').max(256).pattern(visible, visibleOnly).default('')
const id = joi.number().integer().min(0).max(2_147_483_647).empty('').default(0)
const lastSecond = 253_402_300_799
/** Scripts of the family send milliseconds at some of these paths. */
const moment = joi
  .number()
  .integer()
  .min(0)
  .max(lastSecond * 1000)
  .empty('')
  .default(0)
  .custom((value: number) => (value > lastSecond ? Math.floor(value / 1000) : value))
  .description('Unix seconds.')

const ownFields = {
  platform: word,
  operation: word,
  action: word,
  state: joi
    .string()
    .valid('', ...states)
    .default(''),
  status: joi
    .string()
    .valid('', ...Object.keys(stages))
    .default('')
    .description('A state in the words of other gateways of this family.'),
  model: word.description('A part of it is enough.'),
  task_id: word,
  from: moment,
  to: moment,
}
const ofAll = { username: word, channel_id: id }

export const ownQuery = spanned(pagedQuery(ownFields))
export const allQuery = spanned(pagedQuery({ ...ownFields, ...ofAll }))
export const ownPictures = spanned(pagedQuery({ mj_id: word, from: moment, to: moment }))
export const allPictures = spanned(
  pagedQuery({ mj_id: word, from: moment, to: moment, channel_id: id }),
)

/** The family's names of the ends of a span. */
function spanned(query: joi.ObjectSchema): joi.ObjectSchema {
  return query
    .rename('start_timestamp', 'from', { ignoreUndefined: true, override: true })
    .rename('end_timestamp', 'to', { ignoreUndefined: true, override: true })
}

export function taskQuery(form: TaskForm, userId?: number): TaskQuery {
  return {
    ...pageOf(form),
    userId,
    username: form.username || undefined,
    channelId: form.channel_id || undefined,
    taskId: form.task_id || undefined,
    platform: form.platform || undefined,
    operation: form.operation || undefined,
    action: form.action || undefined,
    state: form.state || (form.status === '' ? undefined : stages[form.status]),
    model: form.model || undefined,
    ...spanOf(form),
  }
}

export function pictureQuery(form: PictureForm, userId?: number): TaskQuery {
  const { mj_id, channel_id } = form
  return {
    ...pageOf(form),
    userId,
    operation: 'midjourney',
    taskId: mj_id || undefined,
    channelId: channel_id || undefined,
    ...spanOf(form),
  }
}

function pageOf({ p, page_size }: Pick<TaskForm, 'p' | 'page_size'>) {
  return { page: Math.max(p, 1), pageSize: page_size }
}

function spanOf({ from, to }: Pick<TaskForm, 'from' | 'to'>) {
  return { from: from || undefined, to: to || undefined }
}

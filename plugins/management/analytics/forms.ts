/** What is asked of the area of analytics. */
import joi from 'joi'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { visible, visibleOnly } from '../../../kernel/toolkit/management/index.js'
import type { DaySpan, Dimension, Measure, UsageScope } from '../../services/usage-log/index.js'

export interface SpanForm {
  readonly from: string
  readonly to: string
}

/** At most one of these counts. */
interface Narrowing {
  readonly model: string
  readonly group: string
  readonly token: number
  readonly channel: number
}

export interface ScopeForm extends SpanForm, Omit<Narrowing, 'channel'> {
  readonly channel?: number
  readonly user?: number
}

export interface RankingForm extends SpanForm, Partial<Narrowing> {
  readonly dimension: Dimension
  readonly order: Measure
  readonly limit: number
  readonly user?: number
}

const daySeconds = 86_400
const daysMax = 366

const day = joi
  .string()
  .pattern(/^\d{4}-\d{2}-\d{2}$/, 'a date')
  .required()
const span = {
  from: day.description('The first day (UTC), YYYY-MM-DD.'),
  to: day.description(`The last day (UTC), YYYY-MM-DD; at most ${daysMax} days with the first.`),
}
const word = joi.string().allow('').max(256).pattern(visible, visibleOnly).default('')
const id = joi.number().integer().min(0).max(2_147_483_647).empty('').default(0)
const only = 'Only this one; at most one of model, group, token and channel. '
const ownScope = {
  ...span,
  model: word.description(`${only}Exact.`),
  group: word.description(only.trim()),
  token: id.description(`${only}0: any.`),
}
const none = 'Not with a ranking: its lines are kept of everybody and of one user.'
const ranking = {
  ...span,
  model: word.description(none),
  group: word.description(none),
  token: id.description(none),
  channel: id.description(none),
  order: joi.string().valid('requests', 'errors', 'quota', 'tokens').default('quota'),
  limit: joi.number().integer().min(1).max(100).empty('').default(20),
}
const user = id.description('Only the usage of this user. 0: of everybody.')

export const forms = {
  scope: joi
    .object({ ...ownScope, channel: id.description(`${only}0: any.`), user })
    .prefs({ stripUnknown: true }),
  ownScope: joi.object(ownScope).prefs({ stripUnknown: true }),
  channelModels: joi
    .object({
      channel: id.required().min(1),
      days: joi.number().integer().min(1).max(daysMax).default(7),
    })
    .prefs({ stripUnknown: true }),
  ranking: joi
    .object({
      ...ranking,
      dimension: joi.string().valid('model', 'channel', 'token', 'user', 'group').required(),
      user,
    })
    .prefs({ stripUnknown: true }),
  ownRanking: joi
    .object({ ...ranking, dimension: joi.string().valid('model', 'token', 'group').required() })
    .prefs({ stripUnknown: true }),
}

export function spanOf(form: SpanForm): DaySpan {
  const [from, to] = [dayOf(form.from, 'from'), dayOf(form.to, 'to')]
  if (to < from) throw refused('to', 'The last day lies before the first.')
  if (to - from >= daysMax * daySeconds) {
    throw refused('from', `The span of time is longer than ${daysMax} days.`)
  }
  return { from, to }
}

/** A day there is: not the 31st of June. */
function dayOf(text: string, param: string): number {
  const at = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) {
    throw refused(param, 'There is no such day.')
  }
  return at / 1000
}

export function scopeOf(form: ScopeForm, userId: number | undefined): UsageScope {
  const { model, group, token, channel = 0 } = form
  const named = Object.entries({ model, group, token, channel }).filter(([, value]) => value)
  const [, second] = named
  if (second !== undefined) throw refused(second[0], 'Only one of these can be chosen.')
  if (userId !== undefined && channel > 0) {
    throw refused('channel', 'A channel cannot be chosen together with a user.')
  }
  return {
    userId,
    model: model || undefined,
    group: group || undefined,
    tokenId: token || undefined,
    channelId: channel || undefined,
  }
}

/** Sums of two things at once are kept of users alone. */
export function mustBeWhole({ model, group, token, channel }: RankingForm): void {
  const [narrowed] = Object.entries({ model, group, token, channel }).filter(([, value]) => value)
  if (narrowed === undefined) return
  throw refused(narrowed[0], 'A ranking is kept of everybody and of one user, not of one of these.')
}

export function refused(param: string, reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param })
}

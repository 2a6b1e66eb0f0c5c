/** Two days, both of which count. */
import joi from 'joi'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { DaySpan } from '../../services/usage-log/index.js'

export interface SpanForm {
  readonly from: string
  readonly to: string
}

const daySeconds = 86_400
const daysMax = 366

const day = joi
  .string()
  .pattern(/^\d{4}-\d{2}-\d{2}$/, 'a date')
  .required()

export const spanFields = {
  from: day.description('The first day (UTC), YYYY-MM-DD.'),
  to: day.description(`The last day (UTC), YYYY-MM-DD; at most ${daysMax} days with the first.`),
}

export function spanOf(form: SpanForm): DaySpan {
  const [from, to] = [dayOf(form.from, 'from'), dayOf(form.to, 'to')]
  if (to < from) throw refused('to', 'The last day lies before the first.')
  if (to - from < daysMax * daySeconds) return { from, to }
  throw refused('from', `The span of time is longer than ${daysMax} days.`)
}

/** A day there is: not the 31st of June. */
function dayOf(text: string, param: string): number {
  const at = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text) {
    throw refused(param, 'There is no such day.')
  }
  return at / 1000
}

export function refused(param: string, reason: string): Refusal {
  return new Refusal('invalid_field', { reason, param })
}

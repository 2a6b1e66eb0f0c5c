/** What is asked of the area of margins. */
import joi from 'joi'
import { visible, visibleOnly } from '../../../kernel/toolkit/management/index.js'
import type { MarginDimension, MarginOrder, MarginScope } from '../../services/usage-log/index.js'
import { refused, type SpanForm, spanFields } from './span.js'

export interface OverviewForm extends SpanForm {
  readonly channel: number
  readonly model: string
  readonly user: number
}

export interface RankingForm extends SpanForm {
  readonly by: MarginDimension
  readonly order: MarginOrder
  readonly limit: number
}

export interface BillForm extends SpanForm {
  readonly channel: number
}

const only = 'Only this one; at most one of channel, model and user. '
const id = joi.number().integer().min(0).max(2_147_483_647).empty('').default(0)

export const forms = {
  overview: joi
    .object({
      ...spanFields,
      channel: id.description(`${only}0: any.`),
      model: joi
        .string()
        .allow('')
        .max(256)
        .pattern(visible, visibleOnly)
        .default('')
        .description(`${only}Exact.`),
      user: id.description(`${only}0: any.`),
    })
    .prefs({ stripUnknown: true }),
  ranking: joi
    .object({
      ...spanFields,
      by: joi.string().valid('channel', 'model', 'user').required(),
      order: joi
        .string()
        .valid('quota', 'cost', 'margin', 'unknown')
        .default('quota')
        .description(
          'The greatest first; of margins the smallest. `unknown`: spend whose cost is not known.',
        ),
      limit: joi.number().integer().min(1).max(200).empty('').default(20),
    })
    .prefs({ stripUnknown: true }),
  bill: joi
    .object({ ...spanFields, channel: joi.number().integer().min(1).max(2_147_483_647).required() })
    .prefs({ stripUnknown: true }),
}

export function scopeOf({ channel, model, user }: OverviewForm): MarginScope {
  const named = Object.entries({ channel, model, user }).filter(([, value]) => value)
  const [, second] = named
  if (second !== undefined) throw refused(second[0], 'Only one of these can be chosen.')
  return {
    channelId: channel || undefined,
    model: model || undefined,
    userId: user || undefined,
  }
}

/** Sums of usage for charts: everybody's for admins, their own for users (X12). */

import joi from 'joi'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { signedIn, visible, visibleOnly } from '../../../kernel/toolkit/management/index.js'
import type { ChartQuery } from '../../services/usage-log/index.js'
import { chartRecord } from './chart-record.js'
import { usageSums } from './responses.js'

/** Zeros and empty texts mean "any" in forms of the family. */
interface ChartForm {
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly default_time: '' | ChartQuery['step']
  readonly top: number
  readonly username?: string
}

const secondsOfDay = 86_400
/** What users may ask for at once: a month, however long. */
const ownSecondsMax = 31 * secondsOfDay
/** Where no beginning is named. */
const usualSeconds = 30 * secondsOfDay

/** Names that may be asked for by themselves. */
const topMax = 100

const seconds = joi.number().integer().min(0).max(253_402_300_799).empty('').default(0)
const fields = {
  start_timestamp: seconds,
  end_timestamp: seconds,
  default_time: joi
    .string()
    .valid('', 'hour', 'day', 'week', 'all')
    .default('')
    .description('Step of the sums; `all`: one of the whole span.'),
  top: joi
    .number()
    .integer()
    .min(0)
    .max(topMax)
    .empty('')
    .default(0)
    .description(
      'So many models or users each for itself, by quota over the whole span. The rest is one sum of each step, of user 0 ' +
        'and no model. 0: all.',
    ),
}
const username = joi.string().allow('').max(256).pattern(visible, visibleOnly).default('')
const all = joi.object({ ...fields, username }).prefs({ stripUnknown: true })
const own = joi.object(fields).prefs({ stripUnknown: true })

export default function create({ services, settings, clock }: Kit<'usage-log'>): Management {
  const log = services['usage-log']

  function queryOf(by: ChartQuery['by'], form: ChartForm, userId?: number): ChartQuery {
    const to = form.end_timestamp || Math.floor(clock.now() / 1000)
    const from = form.start_timestamp || Math.max(to - usualSeconds, 0)
    // The option is a `select` of exactly these.
    const step = form.default_time || (settings.string('step') as ChartQuery['step'])
    const top = form.top || undefined
    return { by, step, from, to, top, userId, username: form.username || undefined }
  }

  async function rows(query: ChartQuery) {
    if (!settings.boolean('enabled')) return []
    return (await log.chart(query)).map(chartRecord)
  }

  async function ownRows(request: ManagementRequest<ChartForm>) {
    const requested = queryOf('model', request.query, signedIn(request).userId)
    if (requested.to - requested.from > ownSecondsMax) {
      const reason = 'The span of time is longer than a month.'
      throw new Refusal('invalid_field', { reason, param: 'start_timestamp' })
    }
    return rows(requested)
  }

  return {
    routes: {
      all: {
        query: all,
        response: usageSums,
        searches: true,
        handle: ({ query }: ManagementRequest<ChartForm>) => rows(queryOf('model', query)),
      },
      own: { query: own, response: usageSums, searches: true, handle: ownRows },
      users: {
        query: all,
        response: usageSums,
        searches: true,
        handle: ({ query }: ManagementRequest<ChartForm>) => rows(queryOf('user', query)),
      },
    },
  }
}

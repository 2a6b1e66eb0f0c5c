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
  readonly username?: string
}

const secondsOfDay = 86_400
/** What users may ask for at once: a month, however long. */
const ownSecondsMax = 31 * secondsOfDay
/** Where no beginning is named. */
const usualSeconds = 30 * secondsOfDay

const seconds = joi.number().integer().min(0).max(253_402_300_799).empty('').default(0)
const fields = {
  start_timestamp: seconds,
  end_timestamp: seconds,
  default_time: joi.string().valid('', 'hour', 'day', 'week').default(''),
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
    return { by, step, from, to, userId, username: form.username || undefined }
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
        handle: ({ query }: ManagementRequest<ChartForm>) => rows(queryOf('model', query)),
      },
      own: { query: own, response: usageSums, handle: ownRows },
      users: {
        query: all,
        response: usageSums,
        handle: ({ query }: ManagementRequest<ChartForm>) => rows(queryOf('user', query)),
      },
    },
  }
}

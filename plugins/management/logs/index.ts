/** Pages, searches and sums of the usage log: everybody's for admins, their own for users (X12). */

import joi from 'joi'
import type {
  Management,
  ManagementRequest,
  ManagementRoute,
} from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import {
  pagedQuery,
  signedIn,
  visible,
  visibleOnly,
} from '../../../kernel/toolkit/management/index.js'
import type { LogFilter, LogRecord, UsageLog } from '../../services/usage-log/index.js'
import { logPage, logRows, logSums, modelNames, removedRows } from './responses.js'
import { traceRoutes } from './trace/routes.js'

/** Empty texts and zeros mean "any" in forms of the family. */
interface FilterForm {
  readonly type: number
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly token_name: string
  readonly model_name: string
  readonly group: string
  readonly request_id: string
  readonly error_code: string
  readonly username?: string
  readonly channel?: number
}

interface ListForm extends FilterForm {
  readonly p: number
  readonly page_size: number
  readonly before: string
}

const word = joi.string().allow('').max(256).pattern(visible, visibleOnly).default('')
const count = joi.number().integer().min(0).empty('').default(0)
const seconds = count.max(253_402_300_799)

const ownFields = {
  type: count.max(32_767),
  start_timestamp: seconds,
  end_timestamp: seconds,
  token_name: word,
  model_name: word,
  group: word,
  request_id: word,
  error_code: word.description('Of requests that failed: the code their client was sent. Exact.'),
}
const allFields = { ...ownFields, username: word, channel: count.max(2_147_483_647) }

const before = joi
  .string()
  .allow('')
  .max(512)
  .pattern(visible, visibleOnly)
  .default('')
  .description('`next` of a page: the rows that come after it. `p` counts from there.')
const keyword = joi.object({ keyword: word }).prefs({ stripUnknown: true })
const trimmed = joi
  .object({ target_timestamp: seconds.min(1).required() })
  .prefs({ stripUnknown: true })

/** Answers for everybody's rows, or for those of the one named. */
type Answer<Form> = (form: Form, userId?: number) => Promise<unknown>

type LogsKit = Kit<'usage-log' | 'recordings' | 'channels' | 'database'>

export default function create({ services, clock }: LogsKit): Management {
  const log = services['usage-log']
  const list: Answer<ListForm> = (form, userId) => page(log, form, userId)
  const search: Answer<{ readonly keyword: string }> = (form, userId) =>
    found(log, form.keyword, userId)
  const totals: Answer<FilterForm> = (form, userId) => sums(log, form, userId)

  async function trim({ query }: ManagementRequest<{ readonly target_timestamp: number }>) {
    if (query.target_timestamp * 1000 > clock.now()) {
      const reason = 'target_timestamp lies in the future.'
      throw new Refusal('invalid_field', { reason, param: 'target_timestamp' })
    }
    return log.trim(query.target_timestamp)
  }

  return {
    routes: {
      list: {
        query: pagedQuery({ ...allFields, before }),
        response: logPage,
        searches: true,
        handle: ofAll(list),
      },
      own: {
        query: pagedQuery({ ...ownFields, before }),
        response: logPage,
        searches: true,
        handle: ofCaller(list),
      },
      search: { query: keyword, response: logRows, searches: true, handle: ofAll(search) },
      searchOwn: { query: keyword, response: logRows, searches: true, handle: ofCaller(search) },
      models: {
        query: keyword,
        response: modelNames,
        searches: true,
        handle: ({ query }: ManagementRequest<{ readonly keyword: string }>) =>
          log.modelsLike(query.keyword),
      },
      totals: {
        query: joi.object(allFields).prefs({ stripUnknown: true }),
        response: logSums,
        searches: true,
        handle: ofAll(totals),
      },
      totalsOwn: {
        query: joi.object(ownFields).prefs({ stripUnknown: true }),
        response: logSums,
        searches: true,
        handle: ofCaller(totals),
      },
      ...traceRoutes({ services }),
      trim: { query: trimmed, response: removedRows, handle: trim },
    },
  }
}

function ofAll<Form>(answer: Answer<Form>): ManagementRoute['handle'] {
  return ({ query }: ManagementRequest<Form>) => answer(query)
}

function ofCaller<Form>(answer: Answer<Form>): ManagementRoute['handle'] {
  return (request: ManagementRequest<Form>) => answer(request.query, signedIn(request).userId)
}

async function page(log: UsageLog, form: ListForm, userId?: number) {
  const page = Math.max(form.p, 1)
  const pageSize = form.page_size
  const query = { ...filterOf(form, userId), page, pageSize, before: form.before || undefined }
  const { items, total, next } = await log.page(query)
  return { page, page_size: pageSize, total, items, next }
}

async function found(
  log: UsageLog,
  keyword: string,
  userId?: number,
): Promise<readonly LogRecord[]> {
  if (keyword !== '') return log.search({ keyword, userId })
  return (await log.page({ userId, page: 1, pageSize: 100 })).items
}

async function sums(log: UsageLog, form: FilterForm, userId?: number) {
  const totals = await log.totals(filterOf(form, userId))
  return { quota: totals.quota, rpm: totals.requestsPerMinute, tpm: totals.tokensPerMinute }
}

function filterOf(form: FilterForm, userId?: number): LogFilter {
  return {
    userId,
    type: form.type || undefined,
    from: form.start_timestamp || undefined,
    to: form.end_timestamp || undefined,
    username: form.username || undefined,
    tokenName: form.token_name || undefined,
    model: form.model_name || undefined,
    channelId: form.channel || undefined,
    group: form.group || undefined,
    requestId: form.request_id || undefined,
    errorCode: form.error_code || undefined,
  }
}

/** Pages of the usage log: everybody's for admins, their own for users (failures.md X12). */
import joi from 'joi'
import type { Kit } from '../../../kernel/contract/kit.js'
import type { Management, ManagementRequest } from '../../../kernel/contract/management.js'
import { Refusal } from '../../../kernel/errors.js'
import { pagedQuery } from '../../../kernel/http/paging.js'
import type { LogQuery, UsageLog } from '../../services/usage-log/index.js'

/** Empty texts and zeros are how forms of the family say "any". */
interface LogForm {
  readonly p: number
  readonly page_size: number
  readonly type: number
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly token_name: string
  readonly model_name: string
  readonly group: string
  readonly request_id: string
  readonly username?: string
  readonly channel?: number
}

const word = joi
  .string()
  .allow('')
  .max(256)
  .pattern(/^\P{Cc}*$/u, 'no control characters')
  .default('')
const count = joi.number().integer().min(0).empty('').default(0)
const seconds = count.max(253_402_300_799)

const ownFields = {
  type: count,
  start_timestamp: seconds,
  end_timestamp: seconds,
  token_name: word,
  model_name: word,
  group: word,
  request_id: word,
}

const own = pagedQuery(ownFields)
const all = pagedQuery({ ...ownFields, username: word, channel: count.max(2_147_483_647) })

export default function create({ services }: Kit<'usage-log'>): Management {
  const log = services['usage-log']
  return {
    routes: {
      list: { query: all, handle: ({ query }: ManagementRequest<LogForm>) => answer(log, query) },
      own: {
        query: own,
        handle({ query, principal }: ManagementRequest<LogForm>) {
          if (principal === undefined) throw new Refusal('unauthorized')
          return answer(log, query, principal.userId)
        },
      },
    },
  }
}

async function answer(log: UsageLog, form: LogForm, userId?: number) {
  const query: LogQuery = {
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
    page: Math.max(form.p, 1),
    pageSize: form.page_size,
  }
  const { items, total } = await log.page(query)
  return { page: query.page, page_size: query.pageSize, total, items }
}

/** Pages of the usage log: bounded in rows, in counting and in time, whatever is asked. */
import type { Knex } from 'knex'
import type { Kit } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/errors.js'
import { type LogRow, logRecord } from './log-record.js'
import type { LogPage, LogQuery, UsageLog } from './usage-log.js'

export type * from './usage-log.js'

const countMax = 10_000
const statementMs = 5_000

export default function create({ services }: Kit<'database'>): UsageLog {
  const { knex } = services.database

  async function page(query: LogQuery): Promise<LogPage> {
    try {
      return await knex.transaction(async (trx) => {
        await trx.raw(`SET LOCAL statement_timeout = ${statementMs}`)
        return { items: await rows(trx, query), total: await count(trx, query) }
      })
    } catch (error) {
      throw tooSlow(error) ? new Refusal('invalid_field', tooSlowDetails) : error
    }
  }

  return { page }
}

async function rows(trx: Knex.Transaction, query: LogQuery): Promise<LogPage['items']> {
  const offset = (query.page - 1) * query.pageSize
  const wanted = trx('usage_log')
    .where((where) => filter(where, query))
    .orderBy([
      { column: 'created_at', order: 'desc' },
      { column: 'request_id', order: 'desc' },
    ])
    .offset(offset)
    .limit(query.pageSize)
    .as('log')
  const found: LogRow[] = await trx
    .select('log.*', 'billing.pricing_snapshot')
    .from(wanted)
    .leftJoin('billing_requests as billing', 'billing.request_id', 'log.request_id')
    .orderBy([
      { column: 'log.created_at', order: 'desc' },
      { column: 'log.request_id', order: 'desc' },
    ])
  const audience = query.userId === undefined ? 'admin' : 'owner'
  return found.map((row, at) => logRecord(row, { id: offset + at + 1, audience }))
}

async function count(trx: Knex.Transaction, query: LogQuery): Promise<number> {
  const some = trx('usage_log')
    .select(trx.raw('1'))
    .where((where) => filter(where, query))
    .limit(countMax)
    .as('some')
  const counted = await trx.from(some).count({ rows: '*' }).first()
  return Number(counted?.rows)
}

function filter(where: Knex.QueryBuilder, query: LogQuery): void {
  const exact = {
    user_id: query.userId,
    type: query.type,
    token_name: query.tokenName,
    channel_id: query.channelId,
    group_name: query.group,
    request_id: query.requestId,
  }
  for (const [column, value] of Object.entries(exact)) {
    if (value !== undefined) where.where(column, value)
  }
  if (query.from !== undefined) where.where('created_at', '>=', new Date(query.from * 1000))
  if (query.to !== undefined) where.where('created_at', '<', new Date((query.to + 1) * 1000))
  if (query.username !== undefined) {
    // By way of the id, which has an index; the name as logged has none.
    where.whereRaw('user_id IN (SELECT id FROM users WHERE lower(username) = lower(?))', [
      query.username,
    ])
  }
  if (query.model !== undefined) where.whereRaw('model_name LIKE ?', [pattern(query.model)])
}

/** One trailing `%` asks for a prefix; every other sign stands for itself. */
function pattern(text: string): string {
  const prefix = text.endsWith('%')
  const literal = (prefix ? text.slice(0, -1) : text).replace(/[\\%_]/g, '\\$&')
  return prefix ? `${literal}%` : literal
}

const tooSlowDetails = {
  reason: 'This search takes too long; narrow the span of time.',
  param: 'start_timestamp',
}

function tooSlow(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}

/** Sums over a filter: of whole hours from what is summed already, of the rest from the rows (P13). */
import { always, and, type Condition, joined, sql } from './condition.js'
import { modelCondition, modelsOf, usersOf } from './drivers.js'
import type { Read } from './snapshot.js'
import { partsOf, type Span } from './spans.js'
import type { LogFilter, LogTotals } from './usage-log.js'

const cost = 'CASE type WHEN 2 THEN quota ELSE -quota END'

export async function readTotals(read: Read, filter: LogFilter): Promise<LogTotals> {
  const users = await usersOf(read, filter)
  const models = await modelsOf(read, filter.model)
  const dimensions = and(
    users === undefined ? always : sql('user_id = ANY (?::integer[])', [...users]),
    modelCondition(models),
    filter.channelId === undefined ? always : sql('channel_id = ?', filter.channelId),
    filter.group === undefined ? always : sql('group_name = ?', filter.group),
  )
  const ofRows = and(
    dimensions,
    filter.tokenName === undefined ? always : sql('token_name = ?', filter.tokenName),
    filter.requestId === undefined ? always : sql('request_id = ?', filter.requestId),
  )
  const isSummed = filter.tokenName === undefined && filter.requestId === undefined
  const byModelAlone =
    users === undefined && filter.channelId === undefined && filter.group === undefined
  const { hours, rows } = isSummed
    ? partsOf(spanOf(filter), await markOf(read))
    : { hours: undefined, rows: [spanOf(filter)] }
  const parts = rows.map((span) => sumOfRows(and(ofRows, within('created_at', span))))
  if (hours !== undefined) {
    const table = byModelAlone ? 'usage_model_hours' : 'usage_hours'
    parts.push(sumOfHours(table, and(dimensions, within('hour', hours))))
  }
  const all = joined(parts, ' UNION ALL ')
  const [total] = await read({
    sql: `SELECT coalesce(sum(quota), 0)::bigint AS quota FROM (${all.sql}) part`,
    values: all.values,
  })
  return { quota: total.quota, ...(await lastMinute(read, ofRows)) }
}

function sumOfRows({ sql, values }: Condition): Condition {
  return {
    sql: `SELECT sum(${cost}) AS quota FROM usage_log WHERE type IN (2, 6) AND ${sql}`,
    values,
  }
}

function sumOfHours(table: string, { sql, values }: Condition): Condition {
  return { sql: `SELECT sum(quota) AS quota FROM ${table} WHERE ${sql}`, values }
}

async function lastMinute(read: Read, { sql, values }: Condition) {
  const [minute] = await read({
    sql: `SELECT count(*)::integer AS rpm, coalesce(sum(prompt_tokens + completion_tokens), 0)::float8 AS tpm
      FROM usage_log WHERE created_at >= now() - interval '60 seconds' AND type = 2 AND ${sql}`,
    values,
  })
  return { requestsPerMinute: minute.rpm, tokensPerMinute: minute.tpm }
}

/** Unix seconds; −infinite before anything is summed. */
async function markOf(read: Read): Promise<number> {
  const [mark] = await read(
    sql('SELECT extract(epoch FROM rolled_until)::float8 AS seconds FROM usage_mark'),
  )
  return mark.seconds
}

function spanOf({ from, to }: LogFilter): Span {
  return {
    since: from ?? Number.NEGATIVE_INFINITY,
    until: to === undefined ? Number.POSITIVE_INFINITY : to + 1,
  }
}

function within(column: string, { since, until }: Span): Condition {
  return and(
    Number.isFinite(since) ? sql(`${column} >= ?`, new Date(since * 1000)) : always,
    Number.isFinite(until) ? sql(`${column} < ?`, new Date(until * 1000)) : always,
  )
}

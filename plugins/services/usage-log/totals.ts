/** Sums over a filter: of whole days and hours from what is summed already, of the rest from the rows (P13). */
import { always, and, type Condition, joined, sql } from './condition.js'
import { modelCondition, modelsOf, unrolled, usersOf } from './drivers.js'
import type { Read } from './snapshot.js'
import { type Parts, partsByDay, partsByHour, type Span } from './spans.js'
import { summedOf, within } from './sums.js'
import type { LogFilter, LogTotals } from './usage-log.js'

const cost = 'CASE type WHEN 2 THEN quota ELSE -quota END'

const nothing: LogTotals = { quota: 0n, requestsPerMinute: 0, tokensPerMinute: 0 }

interface Terms {
  readonly filter: LogFilter
  readonly users?: readonly number[]
  /** What the sums are kept by. */
  readonly dimensions: Condition
  readonly ofRows: Condition
}

export async function readTotals(read: Read, filter: LogFilter): Promise<LogTotals> {
  // Nothing that failed cost anything.
  if (filter.errorCode !== undefined) return nothing
  const terms = await termsOf(read, filter)
  const isAll = filter.from === undefined && filter.to === undefined
  const parts =
    isAll && isByTokenAlone(filter)
      ? sumsOfToken(terms)
      : sumsOfParts(terms, await partsOf(read, filter))
  const all = joined([...parts, sql('SELECT 0')], ' UNION ALL ')
  const [total] = await read({
    sql: `SELECT coalesce(sum(quota), 0)::bigint AS quota FROM (${all.sql}) part (quota)`,
    values: all.values,
  })
  return { quota: total.quota, ...(await lastMinute(read, terms.ofRows)) }
}

async function termsOf(read: Read, filter: LogFilter): Promise<Terms> {
  const users = await usersOf(read, filter)
  const dimensions = and(
    users === undefined ? always : sql('user_id = ANY (?::integer[])', [...users]),
    modelCondition(await modelsOf(read, filter.model)),
    filter.channelId === undefined ? always : sql('channel_id = ?', filter.channelId),
    filter.group === undefined ? always : sql('group_name = ?', filter.group),
  )
  const ofRows = and(
    dimensions,
    filter.tokenName === undefined ? always : sql('token_name = ?', filter.tokenName),
    filter.requestId === undefined ? always : sql('request_id = ?', filter.requestId),
  )
  return { filter, users, dimensions, ofRows }
}

async function partsOf(read: Read, filter: LogFilter): Promise<Parts> {
  const span = spanOf(filter)
  if (filter.tokenName !== undefined || filter.requestId !== undefined) {
    return { months: [], days: [], hours: [], rows: [span] }
  }
  const summed = await summedOf(read)
  return dayTableOf(filter) === undefined ? partsByHour(span, summed) : partsByDay(span, summed)
}

function sumsOfParts({ filter, dimensions, ofRows }: Terms, parts: Parts): readonly Condition[] {
  const days = dayTableOf(filter) ?? 'usage_model_days'
  const hours = days === 'usage_model_days' && isOfAll(filter) ? 'usage_model_hours' : 'usage_hours'
  return [
    ...parts.days.map((span) => sumOf(days, and(dimensions, within('day', span)))),
    ...parts.hours.map((span) => sumOf(hours, and(dimensions, within('hour', span)))),
    ...parts.rows.map((span) => sumOfRows(and(ofRows, within('created_at', span)))),
  ]
}

/** Sums by day are kept by one or two of the dimensions; undefined: not by these together. */
function dayTableOf({ userId, username, model, channelId, group }: LogFilter): string | undefined {
  const isByUser = userId !== undefined || username !== undefined
  const others = [model, channelId, group].filter((term) => term !== undefined).length
  if (isByUser)
    return channelId === undefined && group === undefined ? 'usage_user_model_days' : undefined
  if (channelId === undefined && group === undefined) return 'usage_model_days'
  if (others > 1) return undefined
  return channelId === undefined ? 'usage_group_days' : 'usage_channel_days'
}

function isOfAll({ userId, username, channelId, group }: LogFilter): boolean {
  return [userId, username, channelId, group].every((term) => term === undefined)
}

/** Of all time there is a sum for each name of API keys and user. */
function isByTokenAlone({ tokenName, requestId, model, channelId, group }: LogFilter): boolean {
  const others = [requestId, model, channelId, group]
  return tokenName !== undefined && others.every((term) => term === undefined)
}

function sumsOfToken({ filter: { tokenName = '' }, users, ofRows }: Terms): readonly Condition[] {
  const whose = users === undefined ? always : sql('id = ANY (?::integer[])', [...users])
  const named = and(sql("kind = 'token'"), sql('name = ?', tokenName), whose)
  return [sumOf('usage_keys', named), sumOfRows(and(sql(unrolled), ofRows))]
}

function sumOfRows({ sql, values }: Condition): Condition {
  return {
    sql: `SELECT sum(${cost}) AS quota FROM usage_log WHERE type IN (2, 6) AND ${sql}`,
    values,
  }
}

function sumOf(table: string, { sql, values }: Condition): Condition {
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

function spanOf({ from, to }: LogFilter): Span {
  return {
    since: from ?? Number.NEGATIVE_INFINITY,
    until: to === undefined ? Number.POSITIVE_INFINITY : to + 1,
  }
}

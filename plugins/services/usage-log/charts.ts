/**
 * Sums for charts: what is summed so far, by the largest units that fit, and the rows since; in steps of an hour, a day, a week
 * or the whole span.
 */
import { refuseTooMany, rowsMax, tooMany } from './chart-bounds.js'
import { always, and, type Condition, joined, sql } from './condition.js'
import { usersOf } from './drivers.js'
import type { Read } from './snapshot.js'
import {
  hourSeconds,
  type Parts,
  partsByDay,
  partsByHour,
  partsByMonth,
  type Span,
  type Summed,
} from './spans.js'
import { summedOf, within } from './sums.js'
import { readTopUsers } from './top-users.js'
import type { ChartQuery, ChartRow } from './usage-log.js'

export async function readChart(read: Read, query: ChartQuery): Promise<readonly ChartRow[]> {
  const users = await usersOf(read, query)
  const summed = await summedOf(read)
  const parts = partsOf(query, users === undefined, summed)
  if (isOfTopUsers(query, users)) {
    const found = await readTopUsers(read, {
      top: query.top,
      at: spanOf(query).since,
      parts,
      summed,
    })
    if (found !== undefined) return found
  }
  if (query.top === undefined && users === undefined) await refuseTooMany(read, query, parts)
  const source = sourceOf(query, users, parts)
  const found = await read({
    sql: `
      WITH source AS ${query.top === undefined ? 'NOT' : ''} MATERIALIZED (${source.sql})
      SELECT extract(epoch FROM at)::float8 AS at, c.user_id, coalesce(u.username, '') AS username,
        model, count, quota, tokens
      FROM (
        SELECT at, user_id, model, sum(count)::integer AS count, sum(quota)::bigint AS quota,
          sum(tokens)::bigint AS tokens
        FROM ${query.top === undefined ? 'source' : withRest(query.top)}
        GROUP BY 1, 2, 3 HAVING sum(count) > 0 OR sum(quota) <> 0
        ORDER BY 1, 2, 3 LIMIT ${rowsMax + 1}
      ) c LEFT JOIN users u ON u.id = c.user_id ORDER BY 1, 2, 4`,
    values: source.values,
  })
  if (found.length > rowsMax) throw tooMany()
  return found.map((row) => ({
    at: row.at,
    userId: row.user_id,
    username: row.username,
    model: row.model,
    count: row.count,
    quota: row.quota,
    tokens: row.tokens,
  }))
}

function isOfTopUsers(
  query: ChartQuery,
  users: readonly number[] | undefined,
): query is ChartQuery & { readonly top: number } {
  return (
    users === undefined && query.by === 'user' && query.step === 'all' && query.top !== undefined
  )
}

/** All but the greatest are those of nobody and no model. */
function withRest(top: number): string {
  return `(
    SELECT at, coalesce(leader.user_id, 0) AS user_id, coalesce(leader.model, '') AS model, count, quota, tokens
    FROM source LEFT JOIN (
      SELECT user_id, model FROM source GROUP BY 1, 2
      HAVING sum(count) > 0 OR sum(quota) <> 0
      ORDER BY sum(quota) DESC, user_id, model LIMIT ${Math.trunc(top)}
    ) leader USING (user_id, model)
  ) ranked`
}

/** Each of the tables that has a part of it, and the rows that no table has yet. */
function sourceOf(query: ChartQuery, users: readonly number[] | undefined, parts: Parts) {
  const isOfAll = query.by === 'model' && users === undefined
  const user = isOfAll ? '0' : 'user_id'
  const model = query.by === 'model' ? 'model_name' : "''"
  const whose = users === undefined ? always : sql('user_id = ANY (?::integer[])', [...users])
  const { months, days, hours, rows } = parts

  function sumsOf(table: string, unit: string, span: Span): Condition {
    const where = and(whose, within(unit, span))
    return {
      sql: `SELECT ${stepOf(query, unit)}, ${user}, ${model}, count, quota,
          prompt_tokens + completion_tokens
        FROM ${table} WHERE ${where.sql}`,
      values: where.values,
    }
  }

  function rowsOf(span: Span): Condition {
    const where = and(whose, sql('type IN (2, 6)'), within('created_at', span))
    return {
      sql: `SELECT ${stepOf(query, 'created_at')}, ${user}, ${model}, (type = 2)::integer,
          CASE type WHEN 2 THEN quota ELSE -quota END, prompt_tokens + completion_tokens
        FROM usage_log WHERE ${where.sql}`,
      values: where.values,
    }
  }

  const dayTable = query.by === 'user' ? 'usage_user_days' : 'usage_user_model_days'
  const sources = [
    empty,
    ...months.map((span) => sumsOf('usage_user_months', 'month', span)),
    ...days.map((span) => sumsOf(isOfAll ? 'usage_model_days' : dayTable, 'day', span)),
    ...hours.map((span) => sumsOf(isOfAll ? 'usage_model_hours' : 'usage_hours', 'hour', span)),
    ...rows.map(rowsOf),
  ]
  return joined(sources, ' UNION ALL ')
}

/** So that there is always something to unite; it names the columns. */
const empty = sql(
  `SELECT NULL::timestamptz AS at, 0 AS user_id, '' AS model, 0::bigint AS count, 0::bigint AS quota,
     0::bigint AS tokens WHERE false`,
)

function partsOf(query: ChartQuery, isOfAllUsers: boolean, summed: Summed): Parts {
  const span = spanOf(query)
  if (query.step === 'hour') return partsByHour(span, summed)
  const byMonth = query.step === 'all' && query.by === 'user' && isOfAllUsers
  return byMonth ? partsByMonth(span, summed) : partsByDay(span, summed)
}

/** The hours that its ends fall into count whole. */
function spanOf({ from, to }: Pick<ChartQuery, 'from' | 'to'>): Span {
  const hourOf = (seconds: number) => Math.floor(seconds / hourSeconds) * hourSeconds
  return { since: hourOf(from), until: hourOf(to) + hourSeconds }
}

function stepOf(query: ChartQuery, column: string): string {
  if (query.step === column) return column
  if (query.step !== 'all') return `date_trunc('${query.step}', ${column}, 'UTC')`
  return `to_timestamp(${spanOf(query).since})`
}

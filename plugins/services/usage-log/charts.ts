/** Sums for charts: the hours summed so far, and the rows since, in steps of an hour, a day or a week. */
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { always, and, sql } from './condition.js'
import { unrolled, usersOf } from './drivers.js'
import type { Read } from './snapshot.js'
import { hourSeconds } from './spans.js'
import type { ChartQuery, ChartRow } from './usage-log.js'

const rowsMax = 50_000

export async function readChart(read: Read, query: ChartQuery): Promise<readonly ChartRow[]> {
  const users = await usersOf(read, query)
  const isOfAll = query.by === 'model' && users === undefined
  const model = query.by === 'model' ? 'model_name' : "''"
  const user = isOfAll ? '0' : 'user_id'
  const whose = users === undefined ? always : sql('user_id = ANY (?::integer[])', [...users])
  const summed = and(whose, ...between('hour', query))
  const fresh = and(whose, sql(unrolled), sql('type IN (2, 6)'), ...between('created_at', query))
  const found = await read({
    sql: `
      SELECT extract(epoch FROM at)::float8 AS at, c.user_id, coalesce(u.username, '') AS username,
        model, count, quota, tokens
      FROM (
        SELECT date_trunc('${query.step}', at) AS at, user_id, model, sum(count)::integer AS count,
          sum(quota)::bigint AS quota, sum(tokens)::bigint AS tokens
        FROM (
          SELECT hour AS at, ${user} AS user_id, ${model} AS model, count, quota,
            prompt_tokens + completion_tokens AS tokens
          FROM ${isOfAll ? 'usage_model_hours' : 'usage_hours'} WHERE ${summed.sql}
          UNION ALL
          SELECT created_at, ${user}, ${model}, (type = 2)::integer,
            CASE type WHEN 2 THEN quota ELSE -quota END, prompt_tokens + completion_tokens
          FROM usage_log WHERE ${fresh.sql}
        ) part
        GROUP BY 1, 2, 3 HAVING sum(count) > 0 OR sum(quota) <> 0
        ORDER BY 1, 2, 3 LIMIT ${rowsMax + 1}
      ) c LEFT JOIN users u ON u.id = c.user_id ORDER BY 1, 2, 4`,
    values: [...summed.values, ...fresh.values],
  })
  if (found.length > rowsMax) throw new Refusal('invalid_field', tooMany)
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

function between(column: string, { from, to }: ChartQuery) {
  const hourOf = (seconds: number) => Math.floor(seconds / hourSeconds) * hourSeconds
  return [
    sql(`${column} >= ?`, new Date(hourOf(from) * 1000)),
    sql(`${column} < ?`, new Date((hourOf(to) + hourSeconds) * 1000)),
  ]
}

const tooMany = {
  reason: `This would be more than ${rowsMax} rows; narrow the span of time, or ask by day.`,
  param: 'start_timestamp',
}

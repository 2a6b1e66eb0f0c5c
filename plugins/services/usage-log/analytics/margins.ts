/** Earnings and costs of a span of days, from the sums of analytics: a row for each day, however much there was. */
import { joined, sql } from '../condition.js'
import type { Read } from '../snapshot.js'
import type {
  CostDay,
  DayMargin,
  MarginDay,
  MarginOverview,
  MarginScope,
  MarginSums,
} from './margin-types.js'
import { beforeOf, daysOf, momentsBetween } from './overview.js'
import { ofKey, type StatKey } from './stat-key.js'
import type { DaySpan } from './types.js'

export const marginColumns = `
  sum(requests)::bigint AS requests, sum(quota)::bigint AS quota, sum(cost_quota)::bigint AS known_quota,
  sum(cost)::bigint AS cost`

const noMargin: MarginSums = { requests: 0n, quota: 0n, knownQuota: 0n, cost: 0n }

// biome-ignore lint/suspicious/noExplicitAny: a row as the database returns it.
export function marginSums(row: any): MarginSums {
  return {
    requests: row.requests ?? 0n,
    quota: row.quota ?? 0n,
    knownQuota: row.known_quota ?? 0n,
    cost: row.cost ?? 0n,
  }
}

export async function readMargins(
  read: Read,
  span: DaySpan,
  scope: MarginScope,
): Promise<MarginOverview> {
  const key = marginKey(scope)
  const [mark] = await read(
    sql('SELECT extract(epoch FROM rolled_until)::float8 AS until FROM usage_mark'),
  )
  const days = await read(seriesOf(key, 'day', daysOf(span)))
  const series = days.map((row): MarginDay => ({ at: row.at, ...marginSums(row) }))
  const { whole, rest } = beforeOf(span, mark.until)
  const before = [
    ...(await read(seriesOf(key, 'day', momentsBetween(whole.since, whole.until, daySeconds)))),
    ...(await read(seriesOf(key, 'hour', momentsBetween(rest.since, rest.until, 3_600)))),
  ]
  return {
    asOf: Number.isFinite(mark.until) ? mark.until : undefined,
    totals: summed(series),
    before: summed(before.map(marginSums)),
    series,
  }
}

const daySeconds = 86_400

function seriesOf(key: StatKey, step: 'day' | 'hour', moments: string[]) {
  const where = joined([sql(`${step} = ANY (?::timestamptz[])`, moments), ofKey(key)], ' AND ')
  return {
    sql: `SELECT extract(epoch FROM ${step})::float8 AS at, requests, quota, cost_quota AS known_quota, cost
      FROM usage_stat_${step}s WHERE ${where.sql} ORDER BY 1`,
    values: where.values,
  }
}

function marginKey({ channelId, model, userId }: MarginScope): StatKey {
  const none = { userId: 0, id: 0, name: '' }
  if (channelId !== undefined) return { ...none, kind: 'channel', id: channelId }
  if (model !== undefined) return { ...none, kind: 'model', name: model }
  if (userId !== undefined) return { ...none, kind: 'user', userId }
  return { ...none, kind: 'all' }
}

function summed(rows: readonly MarginSums[]): MarginSums {
  return rows.reduce(
    (sum, row) => ({
      requests: sum.requests + row.requests,
      quota: sum.quota + row.quota,
      knownQuota: sum.knownQuota + row.knownQuota,
      cost: sum.cost + row.cost,
    }),
    noMargin,
  )
}

/** Of one channel, for the bill of its upstream. One row more than `limit` is read, so that its end is seen. */
export async function readCostDays(
  read: Read,
  span: DaySpan,
  channelId: number,
  limit: number,
): Promise<readonly CostDay[]> {
  const rows = await read(
    sql(
      `SELECT extract(epoch FROM day)::float8 AS day, upstream_model AS model, cost FROM usage_cost_days
       WHERE channel_id = ? AND day = ANY (?::timestamptz[]) ORDER BY 1, 2 LIMIT ?`,
      channelId,
      daysOf(span),
      limit + 1,
    ),
  )
  return rows.map(({ day, model, cost }) => ({ day, model, cost }))
}

/** Of all together and of each channel that earned or cost anything on a day (Unix seconds). */
export async function readDayMargins(read: Read, day: number): Promise<readonly DayMargin[]> {
  const rows = await read(
    sql(
      `SELECT s.id, coalesce(c.name, '') AS name, s.requests, s.quota, s.cost_quota AS known_quota, s.cost
       FROM usage_stat_days s LEFT JOIN channels c ON c.id = s.id
       WHERE s.kind IN ('all', 'channel') AND s.day = to_timestamp(?) AND (s.cost <> 0 OR s.cost_quota <> 0)
       ORDER BY s.id`,
      day,
    ),
  )
  return rows.map((row) => ({ channelId: row.id, name: row.name, ...marginSums(row) }))
}

/** How far the sums reach, and conditions on their times. */
import { always, and, type Condition, sql } from './condition.js'
import type { Read } from './snapshot.js'
import type { Span, Summed } from './spans.js'

/** Infinite before anything is summed, and once every hour is in its day. */
export async function summedOf(read: Read): Promise<Summed> {
  const [mark] = await read(
    sql(
      `SELECT extract(epoch FROM rolled_until)::float8 AS until,
         extract(epoch FROM days_from)::float8 AS days_from FROM usage_mark`,
    ),
  )
  return { until: mark.until, daysFrom: mark.days_from }
}

export function within(column: string, { since, until }: Span): Condition {
  return and(
    Number.isFinite(since) ? sql(`${column} >= ?`, new Date(since * 1000)) : always,
    Number.isFinite(until) ? sql(`${column} < ?`, new Date(until * 1000)) : always,
  )
}

/** Totals and steps of a span of days, and the totals of the one before it. */
import { joined, sql } from '../condition.js'
import type { Read } from '../snapshot.js'
import { bucketsOf, figuresOf, type StatRow, statRow, summed } from './figures.js'
import { scopeNames } from './scope-names.js'
import { hasHours, ofKey, type StatKey, statKey } from './stat-key.js'
import type { DaySpan, UsageOverview, UsageScope } from './types.js'

const daySeconds = 86_400
const hourSeconds = 3_600
/** A longer span is shown by day. */
const hourlyDaysMax = 2

interface Step extends StatRow {
  readonly at: number
}

/** Seconds; hours are read of the last day where it ends early. */
interface Reach {
  readonly since: number
  readonly until: number
}

export async function readOverview(
  read: Read,
  span: DaySpan,
  scope: UsageScope,
): Promise<UsageOverview> {
  const key = await statKey(read, scope)
  const [mark] = await read(
    sql(`SELECT extract(epoch FROM rolled_until)::float8 AS until,
      extract(epoch FROM stats_from)::float8 AS stats_from FROM usage_mark`),
  )
  const end = span.to + daySeconds
  const step = hasHours(key) && end - span.from <= hourlyDaysMax * daySeconds ? 'hour' : 'day'
  const steps = await readSteps(read, key, step, { since: span.from, until: end })
  const before = await readBefore(read, key, span, mark.until)
  return {
    asOf: Number.isFinite(mark.until) ? mark.until : undefined,
    isWhole: !(mark.stats_from > span.from - (end - span.from)),
    step,
    totals: figuresOf(summed(steps)),
    before: figuresOf(summed(before)),
    series: steps.map((row) => ({ at: row.at, ...figuresOf(row) })),
    names: await scopeNames(read, scope),
  }
}

async function readBefore(read: Read, key: StatKey, span: DaySpan, asOf: number) {
  const { whole, rest } = beforeOf(span, asOf)
  if (!hasHours(key)) {
    return readSteps(read, key, 'day', { since: whole.since, until: span.from })
  }
  return [
    ...(await readSteps(read, key, 'day', whole)),
    ...(await readSteps(read, key, 'hour', rest)),
  ]
}

/** As many days before: whole days, and the hours of the one that is compared with a day that is not over. */
export function beforeOf(
  span: DaySpan,
  asOf: number,
): { readonly whole: Reach; readonly rest: Reach } {
  const { from: since } = span
  const until = span.to + daySeconds
  const length = until - since
  const reached = Math.min(until, Math.max(since, Number.isFinite(asOf) ? asOf : until))
  const last = Math.ceil(reached / hourSeconds) * hourSeconds - length
  const wholeUntil = Math.floor(last / daySeconds) * daySeconds
  return {
    whole: { since: since - length, until: wholeUntil },
    rest: { since: wholeUntil, until: last },
  }
}

async function readSteps(
  read: Read,
  key: StatKey,
  step: 'hour' | 'day',
  { since, until }: Reach,
): Promise<readonly Step[]> {
  if (since >= until) return []
  const seconds = step === 'hour' ? hourSeconds : daySeconds
  const where = joined([stepsBetween(step, since, until, seconds), ofKey(key)], ' AND ')
  const rows = await read({
    sql: `SELECT extract(epoch FROM ${step})::float8 AS at, requests, errors, quota, input_tokens,
        cache_read_tokens, cache_write_tokens, output_tokens, timed_tokens, timed_ms,
        ${bucketsOf('latency')}, ${bucketsOf('first_token')}
      FROM usage_stat_${step}s WHERE ${where.sql} ORDER BY 1`,
    values: where.values,
  })
  return rows.map((row) => ({ at: row.at, ...statRow(row) }))
}

/** Each by itself, so that the index leads to every one of them. */
function stepsBetween(step: string, since: number, until: number, seconds: number) {
  return sql(`${step} = ANY (?::timestamptz[])`, momentsBetween(since, until, seconds))
}

export function momentsBetween(since: number, until: number, seconds: number): string[] {
  const count = Math.max(0, Math.ceil((until - since) / seconds))
  return Array.from({ length: count }, (_, n) =>
    new Date((since + n * seconds) * 1000).toISOString(),
  )
}

export function daysOf({ from, to }: DaySpan): string[] {
  return momentsBetween(from, to + daySeconds, daySeconds)
}

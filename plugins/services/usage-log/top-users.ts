/**
 * The users who spent most over a whole span, without adding everybody up. Who is not among the first of any day or month of it
 * spent at most what the last of those did; where that together is less than what the least of the top spent, nobody is missed.
 */
import { and, type Condition, joined, sql } from './condition.js'
import type { Read } from './snapshot.js'
import { daysIn, monthsIn, type Parts, type Span, type Summed } from './spans.js'
import { within } from './sums.js'
import type { ChartRow } from './usage-log.js'

/** Of each day or month. */
const firstMax = 100

export interface TopOfSpan {
  readonly top: number
  /** Unix seconds. */
  readonly at: number
  readonly parts: Parts
  readonly summed: Summed
}

interface Sums {
  readonly count: number
  readonly quota: bigint
  readonly tokens: bigint
}

/** Undefined: it cannot be told without everybody. */
export async function readTopUsers(
  read: Read,
  { top, at, parts, summed }: TopOfSpan,
): Promise<readonly ChartRow[] | undefined> {
  // Hours have no order of users.
  if (parts.hours.length > 0) return undefined
  const { ids, bound, isAll } = await candidatesOf(read, parts, summed)
  const found = await read(sumsOf(parts, ids, top))
  const least = found.length < top ? undefined : found.at(-1)
  if (!isAll && (least === undefined || least.quota <= bound)) return undefined
  const [all]: readonly Sums[] = await read(sumOfAll(parts))
  const row = (user: { user_id: number; username: string } & Sums): ChartRow => {
    const { user_id: userId, username, count, quota, tokens } = user
    return { at, userId, username, model: '', count, quota, tokens }
  }
  const rest = found.reduce<Sums>(
    (left, { count, quota, tokens }) => ({
      count: left.count - count,
      quota: left.quota - quota,
      tokens: left.tokens - tokens,
    }),
    all!,
  )
  const isEmpty = rest.count === 0 && rest.quota === 0n
  const others = isEmpty ? [] : [row({ user_id: 0, username: '', ...rest })]
  return [...others, ...found.toSorted((one, other) => one.user_id - other.user_id).map(row)]
}

/** The first of each unit and whoever has rows since, and what nobody else can have spent more than. */
async function candidatesOf(read: Read, parts: Parts, summed: Summed) {
  const first = joined(
    [
      firstOf('month', monthsIn(parts.months, summed)),
      firstOf('day', daysIn(parts.days, summed)),
      ...parts.rows.map((span) => {
        const { sql: where, values } = and(sql('type IN (2, 6)'), within('created_at', span))
        return sql(`SELECT DISTINCT user_id, 0, 0 FROM usage_log WHERE ${where}`, ...values)
      }),
    ],
    ' UNION ALL ',
  )
  const [found] = await read(
    sql(
      `WITH first AS MATERIALIZED (${first.sql})
       SELECT array(SELECT DISTINCT user_id FROM first) AS ids,
         coalesce(sum(quota) FILTER (WHERE place = ${firstMax} AND quota > 0), 0)::bigint AS bound,
         coalesce(max(place) < ${firstMax}, true) AS is_all FROM first`,
      ...first.values,
    ),
  )
  return {
    ids: found.ids as number[],
    bound: found.bound as bigint,
    isAll: found.is_all as boolean,
  }
}

function firstOf(unit: 'month' | 'day', units: readonly string[]): Condition {
  return sql(
    `SELECT f.user_id, f.quota, f.place FROM unnest(?::timestamptz[]) AS u (unit) CROSS JOIN LATERAL (
       SELECT user_id, quota, row_number() OVER (ORDER BY quota DESC) AS place
       FROM usage_user_${unit}s WHERE ${unit} = u.unit LIMIT ${firstMax}
     ) f`,
    [...units],
  )
}

function sumsOf(parts: Parts, ids: number[], top: number): Condition {
  const whose = sql('user_id = ANY (?::integer[])', ids)
  const source = sourceOf(parts, {
    months: 'usage_user_months',
    monthColumn: 'month',
    days: 'usage_user_days',
    whose,
  })
  return sql(
    `SELECT s.*, coalesce(u.username, '') AS username FROM (
       SELECT user_id, ${sums} FROM (${source.sql}) source
       GROUP BY 1 HAVING sum(count) > 0 OR sum(quota) <> 0
       ORDER BY sum(quota) DESC, user_id LIMIT ${Math.trunc(top)}
     ) s LEFT JOIN users u ON u.id = s.user_id ORDER BY quota DESC, user_id`,
    ...source.values,
  )
}

/** By the sums of models, which are few. */
function sumOfAll(parts: Parts): Condition {
  const of = { months: 'usage_model_days', monthColumn: 'day', days: 'usage_model_days' }
  const source = sourceOf(parts, { ...of, whose: sql('true') })
  return sql(`SELECT ${sums} FROM (${source.sql}) source`, ...source.values)
}

const sums = `coalesce(sum(count), 0)::integer AS count, coalesce(sum(quota), 0)::bigint AS quota,
  coalesce(sum(tokens), 0)::bigint AS tokens`

interface Tables {
  readonly months: string
  readonly monthColumn: string
  readonly days: string
  readonly whose: Condition
}

function sourceOf(parts: Parts, { months, monthColumn, days, whose }: Tables): Condition {
  const user = days === 'usage_user_days' ? 'user_id' : '0 AS user_id'
  const sumsIn = (table: string, column: string) => (span: Span) => {
    const { sql: where, values } = and(whose, within(column, span))
    return sql(
      `SELECT ${user}, count, quota, prompt_tokens + completion_tokens AS tokens FROM ${table} WHERE ${where}`,
      ...values,
    )
  }
  const rows = parts.rows.map((span) => {
    const { sql: where, values } = and(whose, sql('type IN (2, 6)'), within('created_at', span))
    return sql(
      `SELECT ${user}, (type = 2)::integer AS count, CASE type WHEN 2 THEN quota ELSE -quota END AS quota,
         prompt_tokens + completion_tokens AS tokens FROM usage_log WHERE ${where}`,
      ...values,
    )
  })
  return joined(
    [
      ...parts.months.map(sumsIn(months, monthColumn)),
      ...parts.days.map(sumsIn(days, 'day')),
      ...rows,
    ],
    ' UNION ALL ',
  )
}

/**
 * The greatest of a span. Whoever is listed has exact sums; looked for are they among the greatest of each of its days, as
 * counted when the day was over, and among all of the days that are not.
 */
import { type Condition, sql } from '../condition.js'
import type { Read } from '../snapshot.js'
import { figuresOf, nothing, statRow, sumColumns, summed, sumsOf } from './figures.js'
import { namesOf } from './names.js'
import { daysOf } from './overview.js'
import { ofKey, type StatKey, type StatKind, statKey } from './stat-key.js'
import type { Measure, RankingQuery, UsageRanking, UsageSums } from './types.js'

/** Of which the sums over the whole span are compared. */
const candidatesMax = 300

/** How many of a day `usage_rank_day` keeps (0027). */
const rankedOfDay = 200

const amounts: Readonly<Record<Measure, string>> = {
  requests: 'requests',
  errors: 'errors',
  quota: 'quota',
  tokens: 'input_tokens + output_tokens',
}

export async function readRanking(read: Read, query: RankingQuery): Promise<UsageRanking> {
  const days = daysOf(query)
  const source = query.userId === undefined ? candidates(query, days) : ofUser(query, days)
  const rows = await read({
    sql: `${source.sql} ORDER BY sum(${amounts[query.order]}) DESC, 1, 2, 3
      LIMIT ${Math.trunc(query.limit)}`,
    values: source.values,
  })
  const kind = kindOf(query)
  const keys = rows.map(
    (row): StatKey => ({ kind, userId: row.user_id, id: row.id, name: row.name }),
  )
  const histograms = await readHistograms(read, keys, days)
  const found = rows.map((row, at) => ({ ...statRow(row), ...histograms[at] }))
  const names = await namesOf(read, query.dimension, keys)
  const all = await readSums(read, await statKey(read, { userId: query.userId }), days)
  return {
    items: found.map((row, at) => ({ ...names[at]!, ...figuresOf(row) })),
    others: minus(all, sumsOf(summed(found))),
  }
}

function kindOf({ dimension, userId }: RankingQuery): StatKind {
  if (userId === undefined) return dimension
  if (dimension === 'model') return 'user_model'
  return dimension === 'group' ? 'user_group' : dimension
}

/** All that one user has. */
function ofUser(query: RankingQuery, days: string[]): Condition {
  return sql(
    `SELECT user_id, id, name, ${sumColumns} FROM usage_stat_days
     WHERE kind = ? AND day = ANY (?::timestamptz[]) AND user_id = ? GROUP BY user_id, id, name`,
    kindOf(query),
    days,
    query.userId ?? 0,
  )
}

/**
 * `low` is what is known of a key: its days among the greatest of them, and the days that are open. Any other day adds at most
 * that day's least of the greatest, which gives `high`: only who may reach the `limit` greatest is summed.
 */
function candidates({ dimension, order, limit }: RankingQuery, days: string[]): Condition {
  return sql(
    `WITH asked AS MATERIALIZED (SELECT unnest(?::timestamptz[]) AS day),
     part AS MATERIALIZED (
       SELECT t.day, t.user_id, t.id, t.name, t.amount FROM asked
       JOIN usage_tops t ON t.kind = ? AND t.measure = ? AND t.day = asked.day
       UNION ALL
       SELECT NULL, d.user_id, d.id, d.name, ${amounts[order]} FROM (
         SELECT day FROM asked WHERE NOT EXISTS (
           SELECT 1 FROM usage_top_days ranked WHERE ranked.day = asked.day)
       ) AS open
       JOIN usage_stat_days d ON d.kind = ? AND d.day = open.day
     ),
     floors AS MATERIALIZED (
       SELECT day, min(amount) AS least FROM part WHERE day IS NOT NULL
       GROUP BY day HAVING count(*) >= ${rankedOfDay}
     ),
     bounds AS MATERIALIZED (
       SELECT user_id, id, name, sum(amount) AS low,
         sum(amount) + (SELECT coalesce(sum(least), 0) FROM floors) - coalesce(sum(least), 0) AS high
       FROM part LEFT JOIN floors USING (day)
       GROUP BY 1, 2, 3 ORDER BY low DESC LIMIT ${candidatesMax}
     ),
     candidate AS MATERIALIZED (
       SELECT user_id, id, name FROM bounds WHERE high >= coalesce(
         (SELECT low FROM bounds ORDER BY low DESC OFFSET ${Math.trunc(limit) - 1} LIMIT 1), 0)
     )
     SELECT c.user_id, c.id, c.name, ${sumColumns}
     FROM candidate c CROSS JOIN asked CROSS JOIN LATERAL (
       SELECT d.* FROM usage_stat_days d WHERE d.kind = ? AND d.day = asked.day
         AND d.user_id = c.user_id AND d.id = c.id AND d.name = c.name LIMIT 1
     ) AS of
     GROUP BY c.user_id, c.id, c.name`,
    days,
    dimension,
    order,
    dimension,
    dimension,
  )
}

/** Of each key over all days, in the order of the keys. */
async function readHistograms(read: Read, keys: readonly StatKey[], days: string[]) {
  const rows = await read(
    sql(
      `WITH part AS MATERIALIZED (
         SELECT place, latency, first_token
         FROM unnest(?::text[], ?::integer[], ?::integer[], ?::text[]) WITH ORDINALITY
           AS key (kind, user_id, id, name, place)
         CROSS JOIN unnest(?::timestamptz[]) AS asked (day)
         CROSS JOIN LATERAL (
           SELECT latency, first_token FROM usage_stat_days d
           WHERE d.kind = key.kind::usage_stat_kind AND d.day = asked.day
             AND d.user_id = key.user_id AND d.id = key.id AND d.name = key.name LIMIT 1
         ) AS of
       )
       ${bucketsOfPlaces('latency')} UNION ALL ${bucketsOfPlaces('first_token')}`,
      keys.map(({ kind }) => kind),
      keys.map(({ userId }) => userId),
      keys.map(({ id }) => id),
      keys.map(({ name }) => name),
      days,
    ),
  )
  const buckets = (place: number, column: string) =>
    rows.find((row) => row.place === place && row.of === column)?.buckets ?? []
  return keys.map((_, at) => ({
    latency: buckets(at + 1, 'latency'),
    firstToken: buckets(at + 1, 'first_token'),
  }))
}

/** Pairs of bucket and count over all days of a key. */
function bucketsOfPlaces(column: 'latency' | 'first_token'): string {
  return `SELECT place::integer, '${column}' AS of, json_agg(json_build_array(bucket, found)) AS buckets FROM (
    SELECT place, entry >> 40 AS bucket, sum(entry & 1099511627775) AS found
    FROM part CROSS JOIN unnest(${column}) AS entry GROUP BY 1, 2) AS own GROUP BY place`
}

async function readSums(read: Read, key: StatKey, days: string[]): Promise<UsageSums> {
  const { sql: where, values } = ofKey(key)
  const [row] = await read({
    sql: `SELECT ${sumColumns} FROM usage_stat_days WHERE day = ANY (?::timestamptz[]) AND ${where}`,
    values: [days, ...values],
  })
  return row.requests === null ? sumsOf(nothing) : sumsOf(statRow(row))
}

function minus(all: UsageSums, part: UsageSums): UsageSums {
  return {
    requests: all.requests - part.requests,
    errors: all.errors - part.errors,
    quota: all.quota - part.quota,
    inputTokens: all.inputTokens - part.inputTokens,
    cacheReadTokens: all.cacheReadTokens - part.cacheReadTokens,
    cacheWriteTokens: all.cacheWriteTokens - part.cacheWriteTokens,
    outputTokens: all.outputTokens - part.outputTokens,
  }
}

/**
 * The greatest of a span. Whoever is listed has exact sums; looked for are they among the greatest of each of its days, as
 * counted when the day was over, and among all of the days that are not.
 */
import { type Condition, sql } from '../condition.js'
import type { Read } from '../snapshot.js'
import { bucketsOf, figuresOf, nothing, statRow, sumColumns, summed, sumsOf } from './figures.js'
import { namesOf } from './names.js'
import { daysOf } from './overview.js'
import { ofKey, type StatKey, type StatKind, statKey } from './stat-key.js'
import type { Measure, RankingQuery, UsageRanking, UsageSums } from './types.js'

/** Of which the sums over the whole span are compared. */
const candidatesMax = 300

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

function candidates({ dimension, order }: RankingQuery, days: string[]): Condition {
  return sql(
    `WITH asked AS MATERIALIZED (SELECT unnest(?::timestamptz[]) AS day),
     candidate AS MATERIALIZED (
       SELECT user_id, id, name FROM (
         SELECT t.user_id, t.id, t.name, t.amount FROM asked
         JOIN usage_tops t ON t.kind = ? AND t.measure = ? AND t.day = asked.day
         UNION ALL
         SELECT d.user_id, d.id, d.name, ${amounts[order]} FROM (
           SELECT day FROM asked WHERE NOT EXISTS (
             SELECT 1 FROM usage_top_days ranked WHERE ranked.day = asked.day)
         ) AS open
         JOIN usage_stat_days d ON d.kind = ? AND d.day = open.day
       ) AS part
       GROUP BY 1, 2, 3 ORDER BY sum(amount) DESC LIMIT ${candidatesMax}
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
      `SELECT place::integer, ${bucketsOf('latency')}, ${bucketsOf('first_token')}
       FROM unnest(?::text[], ?::integer[], ?::integer[], ?::text[]) WITH ORDINALITY
         AS key (kind, user_id, id, name, place)
       CROSS JOIN unnest(?::timestamptz[]) AS asked (day)
       CROSS JOIN LATERAL (
         SELECT latency, first_token FROM usage_stat_days d
         WHERE d.kind = key.kind::usage_stat_kind AND d.day = asked.day
           AND d.user_id = key.user_id AND d.id = key.id AND d.name = key.name LIMIT 1
       ) AS of`,
      keys.map(({ kind }) => kind),
      keys.map(({ userId }) => userId),
      keys.map(({ id }) => id),
      keys.map(({ name }) => name),
      days,
    ),
  )
  return keys.map((_, at) => {
    const own = rows.filter(({ place }) => place === at + 1)
    const parts = own.map((row) => ({
      ...nothing,
      latency: row.latency,
      firstToken: row.first_token,
    }))
    const { latency, firstToken } = summed(parts)
    return { latency, firstToken }
  })
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

/**
 * The channels, models or users of a span by what they earned or cost. Whoever is listed has exact sums; looked for are they
 * among the greatest of each of its days by spend and by cost, and among all of the days that are not over.
 */
import { sql } from '../condition.js'
import type { Read } from '../snapshot.js'
import type { MarginOrder, MarginQuery, MarginRanking, MarginSums } from './margin-types.js'
import { marginColumns, marginSums, withMargin } from './margins.js'
import { namesOf } from './names.js'
import { daysOf } from './overview.js'

const candidatesMax = 600

const orders: Readonly<Record<MarginOrder, string>> = {
  quota: 'sum(quota) DESC',
  cost: 'sum(cost) DESC',
  margin: 'sum(cost_quota) * 2000 - sum(cost)',
  unknown: 'sum(quota) - sum(cost_quota) DESC',
}

export async function readMarginRanking(read: Read, query: MarginQuery): Promise<MarginRanking> {
  const { dimension, order, limit } = query
  const days = daysOf(query)
  const rows = await read(
    sql(
      `${candidates}
       SELECT c.user_id, c.id, c.name, ${marginColumns}
       FROM candidate c CROSS JOIN asked CROSS JOIN LATERAL (
         SELECT d.* FROM usage_stat_days d WHERE d.kind = ? AND d.day = asked.day
           AND d.user_id = c.user_id AND d.id = c.id AND d.name = c.name LIMIT 1
       ) AS of
       GROUP BY c.user_id, c.id, c.name HAVING sum(quota) <> 0 OR sum(cost) <> 0
       ORDER BY ${orders[order]}, 1, 2, 3 LIMIT ${Math.trunc(limit)}`,
      ...[days, dimension, dimension, dimension],
    ),
  )
  const keys = rows.map((row) => ({
    ...{ kind: dimension, userId: row.user_id, id: row.id, name: row.name },
  }))
  const names = await namesOf(read, dimension, keys)
  const found = rows.map(marginSums)
  const [all] = await read(
    sql(
      `SELECT ${marginColumns} FROM usage_stat_days WHERE kind = 'all' AND day = ANY (?::timestamptz[])`,
      days,
    ),
  )
  return {
    items: found.map((sums, at) => ({ id: names[at]!.id, name: names[at]!.name, ...sums })),
    others: found.reduce(minus, marginSums(all)),
  }
}

const candidates = `
  WITH asked AS MATERIALIZED (SELECT unnest(?::timestamptz[]) AS day),
  candidate AS MATERIALIZED (
    SELECT user_id, id, name FROM (
      SELECT t.user_id, t.id, t.name, t.amount * CASE t.measure WHEN 'quota' THEN 2000 ELSE 1 END AS amount
      FROM asked JOIN usage_tops t
        ON t.kind = ? AND t.measure IN ('quota', 'cost') AND t.day = asked.day
      UNION ALL
      SELECT d.user_id, d.id, d.name, greatest(d.quota * 2000, d.cost) FROM (
        SELECT day FROM asked WHERE NOT EXISTS (
          SELECT 1 FROM usage_top_days ranked WHERE ranked.day = asked.day)
      ) AS open
      JOIN usage_stat_days d ON d.kind = ? AND d.day = open.day
    ) AS part
    GROUP BY 1, 2, 3 ORDER BY sum(amount) DESC LIMIT ${candidatesMax}
  )`

function minus(all: MarginSums, part: MarginSums): MarginSums {
  return withMargin({
    requests: all.requests - part.requests,
    quota: all.quota - part.quota,
    knownQuota: all.knownQuota - part.knownQuota,
    cost: all.cost - part.cost,
  })
}

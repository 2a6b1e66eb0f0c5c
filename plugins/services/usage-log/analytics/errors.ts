/** Why requests failed, the most frequent first. */
import { joined, sql } from '../condition.js'
import type { Read } from '../snapshot.js'
import { daysOf } from './overview.js'
import { ofKey, statKey } from './stat-key.js'
import type { DaySpan, ErrorCount, UsageScope } from './types.js'

const causesMax = 50

export async function readErrors(
  read: Read,
  span: DaySpan,
  scope: UsageScope,
): Promise<readonly ErrorCount[]> {
  const days = sql('day = ANY (?::timestamptz[])', daysOf(span))
  const where = joined([days, ofKey(await statKey(read, scope))], ' AND ')
  const rows = await read({
    sql: `SELECT code, status, sum(errors)::bigint AS errors FROM usage_error_days
      WHERE ${where.sql} GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${causesMax}`,
    values: where.values,
  })
  return rows.map(({ code, status, errors }) => ({ code, status, errors }))
}

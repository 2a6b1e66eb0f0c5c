/** What an API key spent: from the sums as far as they reach, and from its owner's rows that are in none of them. */
import { and, type Condition, or, sql } from '../condition.js'
import type { Read } from '../snapshot.js'
import { within } from '../sums.js'
import type { OwnedKey } from '../usage-log.js'

interface Spending {
  /** Charges less refunds. */
  readonly quota: bigint
  /** Charges. */
  readonly requests: number
  readonly tokens: number
}

export interface KeySpending {
  /** Oldest first; Unix seconds of the beginning, UTC. */
  readonly days: readonly (Spending & { readonly day: number })[]
  /** The hundred that cost most. */
  readonly models: readonly (Spending & { readonly model: string })[]
}

const modelsMax = 100

export async function readKeySpending(
  read: Read,
  key: OwnedKey,
  from: number,
): Promise<KeySpending> {
  const parts = [summed(key, from), notSummed(key, from, await marks(read))]
  const rows = await read({
    sql: `SELECT extract(epoch FROM day)::float8 AS day, model_name AS model, sum(quota)::bigint AS quota,
        sum(requests)::float8 AS requests, sum(tokens)::float8 AS tokens
      FROM (${parts.map((part) => part.sql).join(' UNION ALL ')}) AS own
      GROUP BY GROUPING SETS ((day), (model_name)) ORDER BY 1`,
    values: parts.flatMap((part) => part.values),
  })
  const models = rows.filter((row) => row.day === null)
  return {
    days: rows
      .filter((row) => row.day !== null)
      .map((row) => ({ day: row.day, ...spendingOf(row) })),
    models: models
      .map((row) => ({ model: row.model, ...spendingOf(row) }))
      .sort((one, other) => Number(other.quota - one.quota))
      .slice(0, modelsMax),
  }
}

interface Marks {
  /** Rows from it on, before `until`, are in the sums. Unix seconds; infinite: all, or none. */
  readonly since: number
  readonly until: number
}

async function marks(read: Read): Promise<Marks> {
  const [mark] = await read(
    sql(
      `SELECT extract(epoch FROM key_days_from)::float8 AS since,
         extract(epoch FROM rolled_until)::float8 AS until FROM usage_mark`,
    ),
  )
  return mark
}

function summed({ id }: OwnedKey, from: number): Condition {
  return sql(
    `SELECT day, model_name, quota, requests, tokens FROM usage_key_days
     WHERE token_id = ? AND day >= to_timestamp(?)`,
    id,
    from,
  )
}

function notSummed({ id, userId }: OwnedKey, from: number, { since, until }: Marks): Condition {
  const end = Number.POSITIVE_INFINITY
  const later = within('created_at', { since: Math.max(from, until), until: end })
  const older = within('created_at', { since: from, until: since })
  const where = and(
    sql('user_id = ? AND token_id = ? AND type IN (2, 6)', userId, id),
    since > from ? or(later, older) : later,
  )
  return {
    sql: `SELECT date_trunc('day', created_at, 'UTC') AS day, model_name,
        CASE type WHEN 2 THEN quota ELSE -quota END, (type = 2)::integer,
        CASE type WHEN 2 THEN prompt_tokens + completion_tokens ELSE 0 END
      FROM usage_log WHERE ${where.sql}`,
    values: where.values,
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a row as the database returns it.
function spendingOf({ quota, requests, tokens }: any): Spending {
  return { quota, requests, tokens }
}

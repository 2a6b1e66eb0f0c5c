/** What keys have spent: of their budget, and by day and model as the usage log has it. */
import type { Knex } from 'knex'
import type { BudgetSpent } from './token-row.js'

export async function budgetsSpent(
  knex: Knex,
  ids: readonly number[],
): Promise<ReadonlyMap<number, BudgetSpent>> {
  const { rows } = await knex.raw(spentText, [[...ids]])
  return new Map(rows.map(({ id, ...spent }: BudgetSpent & { readonly id: number }) => [id, spent]))
}

const spentText = `
  SELECT t.id, coalesce(b.used, 0) AS used, coalesce(b.held, 0) AS held,
    extract(epoch FROM token_budget_end(t.budget_period))::bigint AS resets_at
  FROM tokens t
  LEFT JOIN token_budgets b ON b.token_id = t.id AND b.starts_at = token_budget_from(t.budget_period, t.budget_since)
  WHERE t.id = ANY (?::integer[]) AND t.budget_period IS NOT NULL`

interface Spending {
  readonly quota: bigint
  readonly requests: number
  readonly tokens: number
}

export interface KeySpending {
  readonly days: readonly (Spending & { readonly day: number })[]
  readonly models: readonly (Spending & { readonly model: string })[]
}

interface SpendingQuery {
  readonly userId: number
  readonly id: number
  readonly days: number
}

const modelsMax = 100

/** Along the rows of the owner. Days are those of UTC, as budgets count them. */
export async function keySpending(
  knex: Knex,
  { userId, id, days }: SpendingQuery,
): Promise<KeySpending> {
  const { rows } = await knex.raw(usageText, [days - 1, userId, id])
  const byDay = rows.filter(({ model }: UsageRow) => model === null)
  const byModel = rows.filter(({ model }: UsageRow) => model !== null)
  return {
    days: byDay.map((row: UsageRow) => ({ day: Number(row.day), ...sumsOf(row) })),
    models: byModel
      .map((row: UsageRow) => ({ model: row.model ?? '', ...sumsOf(row) }))
      .sort((one: Spending, other: Spending) => Number(other.quota - one.quota))
      .slice(0, modelsMax),
  }
}

interface UsageRow {
  readonly day: bigint | number | null
  readonly model: string | null
  readonly quota: bigint
  readonly requests: bigint
  readonly tokens: bigint
}

function sumsOf({ quota, requests, tokens }: UsageRow): Spending {
  return { quota: BigInt(quota), requests: Number(requests), tokens: Number(tokens) }
}

const usageText = `
  SELECT extract(epoch FROM day)::bigint AS day, model_name AS model, sum(cost)::bigint AS quota,
    sum(charges)::bigint AS requests, sum(tokens)::bigint AS tokens
  FROM (
    SELECT date_trunc('day', created_at, 'UTC') AS day, model_name, (type = 2)::integer AS charges,
      CASE type WHEN 2 THEN quota ELSE -quota END AS cost,
      CASE type WHEN 2 THEN prompt_tokens + completion_tokens ELSE 0 END AS tokens
    FROM usage_log
    WHERE created_at >= date_trunc('day', now(), 'UTC') - make_interval(days => ?::integer)
      AND user_id = ? AND token_id = ? AND type IN (2, 6)
  ) own
  GROUP BY GROUPING SETS ((day), (model_name)) ORDER BY 1`

/** What an API key may spend and has spent, by its own row. */
import type { Database } from '../../../kernel/contract/services/database.js'
import type { KeyBudget, KeyUsage } from './usage-log.js'

export async function readKeyUsage(database: Database, id: number): Promise<KeyUsage | undefined> {
  const { rows } = await database.query({
    name: 'usage-of-key',
    text: `SELECT t.name, t.limit_quota, t.used, t.held, t.expires_at, t.model_limits_enabled, t.model_limits,
        t.budget_quota, t.budget_period, coalesce(b.used, 0) AS budget_used, coalesce(b.held, 0) AS budget_held,
        token_budget_end(t.budget_period) AS resets_at
      FROM tokens t LEFT JOIN token_budgets b
        ON b.token_id = t.id AND b.starts_at = token_budget_from(t.budget_period, t.budget_since)
      WHERE t.id = $1`,
    values: [id],
  })
  const row = rows[0]
  if (row === undefined) return undefined
  return {
    name: row.name,
    limit: row.limit_quota ?? undefined,
    used: row.used,
    held: row.held,
    expiresAt: row.expires_at === null ? 0 : Math.floor(row.expires_at.getTime() / 1000),
    modelLimitsEnabled: row.model_limits_enabled,
    modelLimits: row.model_limits,
    budget: row.budget_quota === null ? undefined : budgetOf(row),
  }
}

function budgetOf(row: BudgetRow): KeyBudget {
  return {
    quota: row.budget_quota,
    period: row.budget_period,
    used: row.budget_used,
    held: row.budget_held,
    resetsAt: Math.floor(row.resets_at.getTime() / 1000),
  }
}

interface BudgetRow {
  readonly budget_quota: bigint
  readonly budget_period: KeyBudget['period']
  readonly budget_used: bigint
  readonly budget_held: bigint
  readonly resets_at: Date
}

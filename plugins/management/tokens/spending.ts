/** What keys have spent of their budget. */
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

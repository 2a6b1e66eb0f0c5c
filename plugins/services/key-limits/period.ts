/** Periods of budgets, as the ledger's function `token_budget_from` knows them: in UTC, weeks from Monday. */
import type { BudgetPeriod } from '../../../kernel/contract/line/people.js'

/** When the period ends that this moment is in. Unix milliseconds. */
export function periodEnd(period: BudgetPeriod, at: number): number {
  const date = new Date(at)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  if (period === 'month') return Date.UTC(year, month + 1, 1)
  if (period === 'day') return Date.UTC(year, month, day + 1)
  const sinceMonday = (date.getUTCDay() + 6) % 7
  return Date.UTC(year, month, day + 7 - sinceMonday)
}

/** `2026-11-29 00:00 UTC`. */
export function moment(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

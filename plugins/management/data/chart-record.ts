/** Sums of usage as the family's clients read them (management/README.md section 7). */
import type { ChartRow } from '../../services/usage-log/index.js'

/** Rows have no number of their own; `at` is their place. */
export function chartRecord(row: ChartRow, at: number) {
  return {
    id: at + 1,
    user_id: row.userId,
    username: row.username,
    model_name: row.model,
    created_at: row.at,
    token_used: row.tokens,
    count: row.count,
    quota: row.quota,
  }
}

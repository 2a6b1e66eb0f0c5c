import type { ChartRow } from './usage-log.js'

/** @param row columns by name */
// biome-ignore lint/suspicious/noExplicitAny: as the database returns them.
export function chartRow(row: any): ChartRow {
  return {
    at: row.at,
    userId: row.user_id,
    username: row.username,
    model: row.model,
    count: row.count,
    quota: row.quota,
    tokens: row.tokens,
  }
}

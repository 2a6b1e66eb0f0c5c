/**
 * Deletes old rows. The check of the books compares the log with the charges only as far back as the log reaches, so
 * where it ends is written down before the first row goes (ledger/README.md section 11, I5).
 */
import type { Knex } from 'knex'

/** Rows of one statement, which is one transaction. */
const batchRows = 1_000

/** Returns how many rows were deleted. What is not summed yet, for analytics and for API keys as well, stays. */
export async function trimLog(knex: Knex, before: number): Promise<number> {
  const { rows } = await knex.raw(
    `INSERT INTO facts (name, value)
     SELECT 'usage_log.trimmed_before', least(to_timestamp(?), rolled_until)::text FROM usage_mark
     WHERE rolled_until > '-infinity' AND stats_from = '-infinity' AND key_days_from = '-infinity'
     ON CONFLICT (name) DO UPDATE
     SET value = greatest(facts.value::timestamptz, excluded.value::timestamptz)::text
     RETURNING least(to_timestamp(?), value::timestamptz)::text AS before`,
    [before, before],
  )
  if (rows.length === 0) return 0
  // Both are written in one transaction, by its clock.
  await inBatches(knex, 'upstream_costs', 'request_id, part', rows[0].before)
  return inBatches(knex, 'usage_log', 'request_id, created_at', rows[0].before)
}

async function inBatches(knex: Knex, table: string, key: string, before: string): Promise<number> {
  let total = 0
  for (let deleted = batchRows; deleted === batchRows; ) {
    const result = await knex.raw(
      `DELETE FROM ${table} WHERE (${key}) IN (
         SELECT ${key} FROM ${table} WHERE created_at < ?::timestamptz
         ORDER BY created_at LIMIT ${batchRows})`,
      [before],
    )
    deleted = result.rowCount ?? 0
    total += deleted
  }
  return total
}

/** A database as text: every table, every column, for tests that look for what must not be there or must not change. */
import type { Knex } from 'knex'

/** What changes by itself: heartbeats, leases, when a session was last used, how far sums were made. */
export const restless = [
  'instances',
  'leases',
  'sessions',
  'system_instances',
  'usage_mark',
] as const

/** Rows by table, each as PostgreSQL writes a record. */
export async function wholeDatabase(
  knex: Knex,
  skipped: readonly string[] = [],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await knex.raw<{ rows: { name: string }[] }>(
    `SELECT table_name AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  )
  const tables = new Map<string, readonly string[]>()
  for (const { name } of rows) {
    if (skipped.includes(name)) continue
    const told = await knex.raw<{ rows: { text: string }[] }>(
      'SELECT t::text AS text FROM ?? AS t ORDER BY 1',
      [name],
    )
    tables.set(
      name,
      told.rows.map(({ text }) => text),
    )
  }
  return tables
}

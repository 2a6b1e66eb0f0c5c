/** A database as text: every table, every column, for tests that look for what must not be there or must not change. */
import type { Knex } from 'knex'

/** What changes by itself: heartbeats, leases, when a session or access token was last used, how far sums were made. */
const restless: readonly string[] = [
  'access_tokens',
  'instances',
  'leases',
  'sessions',
  'system_instances',
  'usage_mark',
]
/** Rows of other tables that do: notices sent, and earlier failed attempts, summed up now and then. */
const restlessRows: Readonly<Record<string, RegExp>> = {
  facts: /notifications\.transfers_seen/,
  audit_log: /\.failed,/,
  security_events: /,failed_(?:sign_ins|proofs),/,
}

/** What only somebody's act changes. */
export async function stillDatabase(knex: Knex): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = new Map(await wholeDatabase(knex, restless))
  for (const [name, pattern] of Object.entries(restlessRows)) {
    tables.set(
      name,
      (tables.get(name) ?? []).filter((row) => !pattern.test(row)),
    )
  }
  return tables
}

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
    const result = await knex.raw<{ rows: { text: string }[] }>(
      'SELECT t::text AS text FROM ?? AS t ORDER BY 1',
      [name],
    )
    tables.set(
      name,
      result.rows.map(({ text }) => text),
    )
  }
  return tables
}

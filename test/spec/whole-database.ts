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
const restlessFact = 'notifications.transfers_seen'

/** What only somebody's act changes. */
export async function stillDatabase(knex: Knex): Promise<ReadonlyMap<string, readonly string[]>> {
  const tables = new Map(await wholeDatabase(knex, restless))
  const facts = tables.get('facts') ?? []
  return tables.set(
    'facts',
    facts.filter((row) => !row.includes(restlessFact)),
  )
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

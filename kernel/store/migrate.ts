/**
 * Brings the schema up to the program: numbered SQL files, applied once each, in order, each in its own transaction.
 * On PostgreSQL a lock held by the very connection that migrates lets one instance do it while others wait; it goes
 * with the connection, so a killed instance leaves nothing to clean up (P5). On PGlite the lock file of
 * the data directory is the guard.
 */
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { Log } from '../contract/kit.js'
import type { Connections } from './connections.js'

export interface Migration {
  readonly name: string
  readonly sql: string
}

/** The schema was made by a newer program, or another instance has been migrating for too long. */
class MigrationRefused extends Error {
  override readonly name = 'MigrationRefused'
}

/** Any number, the same in every version. */
const lockKey = 7_294_116_305

/** The program's own migrations, in order. */
export async function shippedMigrations(): Promise<readonly Migration[]> {
  const folder = new URL('./migrations/', import.meta.url)
  const files = (await readdir(folder)).filter((file) => /^\d{4}-[\w-]+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => ({
      name: file.slice(0, -'.sql'.length),
      sql: await readFile(new URL(file, folder), 'utf8'),
    })),
  )
}

/** Safe when several instances start at once. Throws `MigrationRefused`, or the error of the migration that failed. */
export async function migrate(
  connections: Pick<Connections, 'kind' | 'single'>,
  migrations: readonly Migration[],
  log: Log,
  lockWaitMs = 60_000,
): Promise<void> {
  const client = connections.single('migrate')
  client.on('error', (error) => log.warn({ err: error }, 'database connection lost'))
  await client.connect()
  try {
    if (connections.kind === 'postgresql') await lock(client, lockWaitMs)
    await apply(client, migrations, log)
  } finally {
    await client.end()
  }
}

async function lock(client: pg.Client, waitMs: number): Promise<void> {
  await client.query(`SET lock_timeout = ${waitMs}`)
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockKey])
    await client.query('RESET lock_timeout')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === '55P03')) throw error
    throw new MigrationRefused(
      `Another instance has been changing the database for more than ${waitMs / 1000} s. ` +
        'Wait until it is done, or end it, and start again.',
    )
  }
}

async function apply(client: pg.Client, migrations: readonly Migration[], log: Log): Promise<void> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  )
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations')
  const applied = new Set(rows.map((row) => row.name))
  refuseNewer(applied, migrations)
  for (const migration of migrations) {
    if (applied.has(migration.name)) continue
    await applyOne(client, migration)
    log.info({ migration: migration.name }, 'database migrated')
  }
}

function refuseNewer(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map((migration) => migration.name))
  const unknown = [...applied].filter((name) => !known.has(name)).sort()
  if (unknown.length === 0) return
  throw new MigrationRefused(
    `The database was changed by a newer version of this program (${unknown.join(', ')}). ` +
      'Start that version, or restore a backup made before it.',
  )
}

async function applyOne(client: pg.Client, { name, sql }: Migration): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(sql)
    await client.query('INSERT INTO migrations (name) VALUES ($1)', [name])
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw new Error(`The migration ${name} failed.`, { cause: error })
  }
}

/**
 * A database of its own for each test, migrated, empty and fast: on PGlite restored in memory from one migrated
 * snapshot, on PostgreSQL (where DATABASE_URL names a server) cloned from one migrated template. Snapshot and
 * template are made once per set of migrations, whoever comes first.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Clock, Log } from '../../kernel/contract/kit.js'
import {
  type Connections,
  liteConnections,
  postgresConnections,
} from '../../kernel/store/connections.js'
import { DataDirectoryInUse, lockDataDirectory } from '../../kernel/store/data-directory-lock.js'
import { type OpenDatabase, useConnections } from '../../kernel/store/database.js'
import { type Lite, openLite } from '../../kernel/store/lite/lite.js'
import { migrate, shippedMigrations } from '../../kernel/store/migrate.js'
import { makeSnapshot } from '../../kernel/store/snapshot.js'

/** The part of a test that this file needs. */
export interface Teardown {
  teardown(run: () => Promise<void>): void
}

export interface TestDatabaseOptions {
  readonly clock?: Clock
  readonly log?: Log
}

const serverUrl = process.env.DATABASE_URL

export const databaseKind: 'postgresql' | 'pglite' = serverUrl ? 'postgresql' : 'pglite'

export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/** A migrated, empty database; closed and gone after the test. */
export async function testDatabase(
  t: Teardown,
  { log = silentLog, clock }: TestDatabaseOptions = {},
): Promise<OpenDatabase> {
  const clone = serverUrl ? await createDatabase(serverUrl, await template(serverUrl)) : undefined
  const connections = clone ? postgresConnections(clone.url, log) : await liteFromSnapshot(log)
  const database = await useConnections(connections, { log, clock })
  t.teardown(async () => {
    await database.close()
    await clone?.drop()
  })
  return database
}

/** Address of a migrated, empty database, dropped after the test; undefined where the suite runs on PGlite. */
export async function freshDatabaseUrl(t: Teardown): Promise<string | undefined> {
  if (!serverUrl) return undefined
  const { url, drop } = await createDatabase(serverUrl, await template(serverUrl))
  t.teardown(drop)
  return url
}

/** Address of a database without any table, dropped after the test; undefined where the suite runs on PGlite. */
export async function bareDatabaseUrl(t: Teardown): Promise<string | undefined> {
  if (!serverUrl) return undefined
  const { url, drop } = await createDatabase(serverUrl, 'template1')
  t.teardown(drop)
  return url
}

async function liteFromSnapshot(log: Log): Promise<Connections> {
  const lite = await openLite({ snapshotFile: await migratedSnapshot(), log })
  return ownedBy(lite, liteConnections(lite, log))
}

function ownedBy(lite: Lite, connections: Connections): Connections {
  const close = async () => {
    await connections.close()
    await lite.close()
  }
  return { ...connections, close }
}

/** File of a migrated, empty embedded database, made by the first who needs it; others wait. */
export async function migratedSnapshot(): Promise<string> {
  const folder = join(tmpdir(), 'waybill-test-snapshots')
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${await schemaHash()}.tar`)
  if (existsSync(file)) return file
  const lock = await lockPatiently(folder)
  try {
    if (!existsSync(file)) {
      await removeOldFiles(folder)
      const draft = `${file}.${randomUUID()}`
      await makeSnapshot(draft, silentLog)
      await rename(draft, file)
    }
  } finally {
    await lock.release()
  }
  return file
}

async function lockPatiently(folder: string): ReturnType<typeof lockDataDirectory> {
  for (;;) {
    try {
      return await lockDataDirectory(folder)
    } catch (error) {
      if (!(error instanceof DataDirectoryInUse)) throw error
      await new Promise((done) => setTimeout(done, 100))
    }
  }
}

const dayMs = 24 * 3_600_000

async function removeOldFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.includes('.tar')) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > dayMs) await rm(join(folder, name), { force: true })
  }
}

/** Of everything a snapshot or template is made of. */
async function schemaHash(): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, sql } of await shippedMigrations()) hash.update(`${name}\n${sql}\n`)
  const engine = await readFile(
    new URL('../../package.json', import.meta.resolve('@electric-sql/pglite')),
    'utf8',
  ).catch(() => '')
  return hash.update(`${engine} without templates`).digest('hex').slice(0, 24)
}

interface Clone {
  readonly url: string
  drop(): Promise<void>
}

async function createDatabase(server: string, source: string): Promise<Clone> {
  const name = `waybill_test_${randomUUID().replaceAll('-', '')}`
  await administer(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${source}`))
  const drop = async () => {
    await administer(server, (client) =>
      client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
    )
  }
  return { url: withDatabase(server, name), drop }
}

/** Any number; one holder at a time makes the template. */
const templateLock = 5_530_811_274

async function template(server: string): Promise<string> {
  const name = `waybill_template_${await schemaHash()}`
  await administer(server, async (client) => {
    await client.query('SELECT pg_advisory_lock($1)', [templateLock])
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 1) return
    const draft = `${name}_draft`
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${draft}`)
    const connections = postgresConnections(withDatabase(server, draft), silentLog)
    try {
      await migrate(connections, await shippedMigrations(), silentLog)
    } finally {
      await connections.close()
    }
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${name}`)
  })
  return name
}

function withDatabase(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function administer<T>(server: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

/** The database of the size requested, made or found, and gateways that serve it. */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { freePort } from '../../kit/free-port.js'
import {
  knowSetupCode,
  type Management,
  management,
  root,
  setupCodeIn,
} from '../../kit/management.js'
import { administer } from '../administer.js'
import { stopped } from '../targets.js'
import { fill, sizeOf } from './fill.js'

const program = fileURLToPath(new URL('../../../config/start.js', import.meta.url))
const secret = 'benchmark of large data'

export interface Installation {
  readonly url: string
  readonly name: string
  drop(): Promise<void>
}

/** @param keep one of this size that exists is taken as it is */
export async function installation(
  server: string,
  upstream: string,
  { rows, keep }: { readonly rows: number; readonly keep: boolean },
): Promise<Installation> {
  const name = `waybill_large_${rows}`
  const url = new URL(server)
  url.pathname = `/${name}`
  const isKept = keep && (await exists(server, name))
  if (isKept) await (await gatewayOn(url.href)).stop()
  else await make(server, url.href, { name, rows, upstream })
  await summed(url.href)
  const mock = `UPDATE channels SET base_url = '${upstream}' WHERE name = 'mock'`
  await administer(url.href, mock, 'VACUUM ANALYZE')
  return { url: url.href, name, drop: () => dropped(server, name) }
}

async function make(
  server: string,
  url: string,
  terms: { readonly name: string; readonly rows: number; readonly upstream: string },
): Promise<void> {
  await dropped(server, terms.name)
  await administer(server, `CREATE DATABASE ${terms.name}`)
  await prepare(url, terms.upstream)
  await fill({ url, size: sizeOf(terms.rows), secret, say: console.log })
}

async function exists(server: string, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name])
  await client.end()
  return rowCount === 1
}

const dropped = (server: string, name: string) =>
  administer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)

/** The schema, root, a channel to the mock and the others, whose keys the gateway itself has sealed. */
async function prepare(url: string, upstream: string): Promise<void> {
  const { admin, stop } = await gatewayOn(url)
  try {
    await admin.credit((await admin.must('GET', '/api/user/self')).id, 1_000_000_000_000)
    const fields = { type: 1, base_url: upstream, group: 'default', models: 'gpt-4o-mini' }
    await admin.channel({ ...fields, name: 'mock', key: 'upstream' })
    for (let batch = 0; batch < 10; batch++) {
      const key = Array.from({ length: 1_000 }, (_, at) => `key-${batch * 1_000 + at}`).join('\n')
      const channel = { ...fields, models: `bulk-${batch}`, name: 'bulk', key }
      await admin.must('POST', '/api/channel/', { mode: 'batch', channel })
    }
  } finally {
    await stop()
  }
}

/** What the job does in the course of a year. */
async function summed(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, application_name: 'waybill' })
  await client.connect()
  const begun = performance.now()
  await client.query('SET synchronous_commit = off')
  const calls = [
    "usage_roll(20000, '60 seconds')",
    'usage_fill_days()',
    'usage_fill_stats(20000)',
    'usage_fill_key_days(20000)',
    'usage_rank_day()',
  ]
  for (const call of calls) {
    for (let more = true; more; ) {
      const { rows } = await client.query(`SELECT ${call} AS more`)
      more = rows[0].more
    }
  }
  await client.end()
  console.log(`summed in ${((performance.now() - begun) / 1000).toFixed(1)} s`)
}

export interface Gateway {
  readonly child: ChildProcess
  readonly origin: string
  /** Signed in as root. */
  readonly admin: Management
  stop(): Promise<void>
}

export async function gatewayOn(
  databaseUrl: string,
  execArgv: readonly string[] = [],
): Promise<Gateway> {
  const port = await freePort()
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-bench-'))
  const logFile = join(dataDir, 'log')
  const child = fork(program, [], {
    env: { ...process.env, ...environment(databaseUrl, port), DATA_DIR: dataDir },
    execArgv: [...execArgv],
    stdio: ['ignore', openSync(logFile, 'w'), 'inherit', 'ipc'],
  })
  const origin = `http://127.0.0.1:${port}`
  await ready(origin)
  const admin = management(origin)
  const code = setupCodeIn(readFileSync(logFile, 'utf8'))
  knowSetupCode(origin, code)
  if (code === undefined) await admin.login(root.username, root.password)
  else await admin.setUp()
  return { child, origin, admin, stop: () => stopped(child, 'SIGTERM') }
}

function environment(databaseUrl: string, port: number) {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: undefined,
    CRYPTO_SECRET: secret,
    PORT: String(port),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'info',
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    CRITICAL_RATE_LIMIT_ENABLE: 'false',
    CRITICAL_ROUTE_RATE_LIMIT_ENABLE: 'false',
    CRITICAL_SECRETS_RATE_LIMIT_ENABLE: 'false',
  }
}

/** One that has to move a large database to a newer schema takes its time. */
async function ready(origin: string): Promise<void> {
  for (let tries = 0; tries < 6_000; tries++) {
    const isReady = await fetch(`${origin}/health/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return
    await pause(100)
  }
  throw new Error(`${origin} is not ready after ten minutes`)
}

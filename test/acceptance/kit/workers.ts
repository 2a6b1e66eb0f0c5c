/** One gateway of several worker processes, and clients whose every request goes to the next worker: none keeps its connection. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Test } from 'tap'
import { Agent, setGlobalDispatcher } from 'undici'
import { bareDatabaseUrl } from '../../kit/database.js'
import { type GatewayProcess, startProcess, type Variables } from '../../kit/process.js'

export interface Workers extends GatewayProcess {
  readonly place: Variables
  /** Lines of the log so far, each as it was parsed. */
  lines(): readonly LogLine[]
  /** Pid of the worker of this number. */
  pidOf(number: number): number
  rows(text: string, values?: unknown[]): Promise<readonly Record<string, unknown>[]>
}

interface LogLine {
  readonly pid: number
  readonly msg: string
  readonly worker?: string
  readonly workerPid?: number
  readonly delayMs?: number
  readonly path?: string
}

export const noLimits: Variables = Object.fromEntries(
  ['GLOBAL_API', 'GLOBAL_WEB', 'CRITICAL', 'CRITICAL_ROUTE', 'CRITICAL_SECRETS', 'LOGIN'].map(
    (name) => [`${name}_RATE_LIMIT_ENABLE`, 'false'],
  ),
)

/** Each request of `fetch` has a connection of its own from now on. */
export function withoutKeepAlive(): void {
  setGlobalDispatcher(new Agent({ pipelining: 0 }))
}

export async function workersPlace(t: Pick<Test, 'teardown'>): Promise<Variables> {
  const DATABASE_URL = await bareDatabaseUrl(t)
  if (DATABASE_URL === undefined) throw new Error('workers need PostgreSQL')
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'waybill-test-'))
  t.teardown(() => rm(DATA_DIR, { recursive: true, force: true, maxRetries: 5 }))
  return {
    ...{ PORT: '0', HOST: '127.0.0.1', WORKERS: '2', NODE_NAME: 'test' },
    ...{ DATABASE_URL, DATA_DIR, UPLOAD_SPOOL_DIR: DATA_DIR, ALLOW_PRIVATE_UPSTREAMS: 'true' },
  }
}

/** Resolves once all of them listen. */
export async function startWorkers(
  t: Pick<Test, 'teardown'>,
  over: Variables = noLimits,
  nodeOptions: readonly string[] = [],
): Promise<Workers> {
  const place: Variables = { ...(await workersPlace(t)), ...over }
  return workersAt(t, place, nodeOptions)
}

/** The same on a database that is there already. */
export async function workersAt(
  t: Pick<Test, 'teardown'>,
  place: Variables,
  nodeOptions: readonly string[] = [],
): Promise<Workers> {
  const database = new pg.Pool({ connectionString: place.DATABASE_URL, max: 2 })
  database.on('error', () => {})
  t.teardown(() => database.end())
  const gateway = await startProcess(t, place, nodeOptions)
  const lines = () => parsed(gateway.output())
  await until(() => lines().some((line) => 'ready' in line && line.ready === Number(place.WORKERS)))
  return {
    ...gateway,
    place,
    lines,
    pidOf: (number) =>
      lines().findLast(({ msg }) => msg === `worker ${number} listens`)?.workerPid ?? 0,
    rows: async (text, values) => (await database.query(text, values)).rows,
  }
}

/** What is no line of JSON, as the greeting is not, is left out. */
function parsed(output: string): LogLine[] {
  return output.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line) as LogLine] : []
    } catch {
      return []
    }
  })
}

/** Looks again and again; rejects where it does not become true. */
export async function until(
  seen: () => boolean | Promise<boolean>,
  withinMs = 20_000,
): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await seen())) {
    if (performance.now() > end) throw new Error('it did not become so in time')
    await pause(5)
  }
}

/** Whether the process is there, and not only waiting to be buried. */
export async function lives(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat !== undefined && !/\) [ZX] /.test(stat)
}

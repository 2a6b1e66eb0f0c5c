/**
 * `npm run bench -- --start`: how long the gateway takes from nothing to its first answered request, in a fresh directory and where
 * everything is there, and what CPU time that costs. The median of some starts and the best one, since whatever else runs
 * here delays a start. On PostgreSQL where DATABASE_URL names one, besides the embedded database.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../kit/free-port.js'
import { freshDatabase } from './gateways.js'
import { median } from './median.js'
import { residentMb, stopped, treeCpuMs } from './targets.js'

const program = fileURLToPath(new URL('../../config/start.js', import.meta.url))
const starts = 5
/** Milliseconds of wall time. */
const goals = { fresh: 4000, warm: 1000 }

interface Start {
  readonly ms: number
  readonly cpuMs: number
  readonly mb: number
}

export async function runStart(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-start-'))
  const database = await freshDatabase()
  try {
    console.log(`Node.js ${process.version}, ${starts} starts each; median (best)\n`)
    const own = { DATABASE_URL: undefined }
    const fresh = await several((number) => ({ ...own, DATA_DIR: join(folder, String(number)) }))
    print('embedded, fresh', fresh, goals.fresh)
    print('embedded, warm', await warm({ ...own, DATA_DIR: join(folder, '0') }), goals.warm)
    if (database === undefined) return
    const shared = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'postgresql') }
    await started(shared)
    print('PostgreSQL, warm', await warm(shared), goals.warm)
  } finally {
    await database?.drop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const warm = (variables: NodeJS.ProcessEnv) => several(() => variables)

async function several(variables: (number: number) => NodeJS.ProcessEnv): Promise<Start[]> {
  const all: Start[] = []
  for (let number = 0; number < starts; number++) all.push(await started(variables(number)))
  return all
}

async function started(variables: NodeJS.ProcessEnv): Promise<Start> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      REDIS_URL: undefined,
      PORT: String(port),
      HOST: '127.0.0.1',
      ...variables,
    },
    stdio: 'ignore',
  })
  try {
    await answered(`http://127.0.0.1:${port}/api/status`)
    const ms = performance.now() - began
    return { ms, cpuMs: treeCpuMs(child.pid!), mb: residentMb(child.pid!) }
  } finally {
    await stopped(child, 'SIGTERM')
  }
}

async function answered(url: string): Promise<void> {
  const until = performance.now() + 60_000
  while (performance.now() < until) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    await pause(10)
  }
  throw new Error(`${url} did not answer within 60 s`)
}

function print(name: string, all: readonly Start[], goal: number): void {
  const of = (figure: (start: Start) => number) => {
    const figures = all.map(figure)
    return `${median(figures).toFixed(0)} (${Math.min(...figures).toFixed(0)})`
  }
  console.log(
    `${name.padEnd(18)} ${of(({ ms }) => ms)} ms, CPU ${of(({ cpuMs }) => cpuMs)} ms, ` +
      `${of(({ mb }) => mb)} MB; goal ${goal} ms`,
  )
}

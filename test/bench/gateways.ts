/** Whole gateways as targets of a benchmark run, each in a process and with a database of its own. */
import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, openSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../kit/free-port.js'
import { knowSetupCode, type Management, management, setupCodeIn } from '../kit/management.js'
import { administer } from './administer.js'
import type { LoopDelay } from './loop-delay.js'
import type { Held } from './memory.js'
import { ask, pin, stopped, type Target, targetCore } from './targets.js'

const ownProgram = fileURLToPath(new URL('../../config/start.js', import.meta.url))

/** A whole gateway with one channel to the mock, a funded root and an unlimited token. */
export function gateway(upstream: string, terms: ProcessTerms = {}): Promise<Target> {
  return gatewayWith(upstream, [{ type: 1, models: 'gpt-4o-mini' }], terms)
}

export interface WatchedTarget extends Target {
  /** Signed in as root. */
  readonly admin: Management
  /** How late its event loop was since this were last read. */
  loopDelay(): Promise<LoopDelay>
}

/** The same without limits of sign-ins, on whatever cores there are: what hashes does so on a thread of its own. */
export async function watchedGateway(
  upstream: string,
  env: Readonly<Record<string, string>> = {},
): Promise<WatchedTarget> {
  const { child, ...target } = await gatewayProcess(
    upstream,
    [{ type: 1, models: 'gpt-4o-mini' }],
    {
      execArgv: ['--import', new URL('./loop-delay.js', import.meta.url).href],
      env: {
        CRITICAL_RATE_LIMIT_ENABLE: 'false',
        CRITICAL_ROUTE_RATE_LIMIT_ENABLE: 'false',
        CRITICAL_SECRETS_RATE_LIMIT_ENABLE: 'false',
        LOGIN_RATE_LIMIT_ENABLE: 'false',
        GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
        ...env,
      },
    },
  )
  return {
    ...target,
    loopDelay: () => ask<LoopDelay>(child, 'loop delay'),
  }
}

export interface TurnsTarget extends Target {
  /** Milliseconds of the processor the longest turn of its event loop took since this was last read; collects then what is not used. */
  longestTurn(): Promise<number>
}

/** With a channel for every model of `large-bodies.ts`. */
export async function largeBodyGateway(upstream: string): Promise<TurnsTarget> {
  const own = ['bench-chat', 'whisper-1', 'gpt-image-1'].map((models) => ({ type: 1, models }))
  const channels = [...own, { type: 14, models: 'bench-messages' }]
  const execArgv = ['--expose-gc', '--import', new URL('./turns.js', import.meta.url).href]
  const { child, admin: _, ...target } = await gatewayProcess(upstream, channels, { execArgv })
  return { ...target, longestTurn: () => ask<number>(child, 'longest turn') }
}

export interface ProfiledTarget extends Target {
  /** Sends the profiler a message; resolves with what it sends back. */
  ask(message: string): Promise<unknown>
}

/** With the profiler of allocations loaded. */
export async function profiledGateway(upstream: string): Promise<ProfiledTarget> {
  const profiler = new URL('./allocation-profile.js', import.meta.url).href
  const {
    child,
    admin: _,
    ...target
  } = await gatewayProcess(upstream, [{ type: 1, models: 'gpt-4o-mini' }], {
    execArgv: ['--import', profiler],
  })
  pin(child.pid!, targetCore)
  return {
    ...target,
    ask: (message) => ask(child, message),
  }
}

export interface SmallTarget extends Target {
  /** A second key of the same owner. */
  readonly attackerKey: string
}

/** A gateway with a heap of at most so many MB. */
export async function smallGateway(upstream: string, heapMb: number): Promise<SmallTarget> {
  const { child, admin, ...target } = await gatewayProcess(
    upstream,
    [{ type: 1, models: 'gpt-4o-mini' }],
    { execArgv: [`--max-old-space-size=${heapMb}`] },
  )
  pin(child.pid!, targetCore)
  const { key: attackerKey } = await admin.token({ name: 'attacker' })
  return { ...target, attackerKey }
}

/** One channel for each upstream format, distinguished by the model: `bench-<format>`. */
export function formatGateway(upstream: string): Promise<Target> {
  return gatewayWith(upstream, formatChannels)
}

const formatChannels: readonly BenchChannel[] = [
  { type: 1, models: 'bench-chat', settings: JSON.stringify({ responses_api: 'convert' }) },
  { type: 14, models: 'bench-messages' },
  { type: 24, models: 'bench-generative' },
  { type: 1, models: 'bench-responses', settings: JSON.stringify({ responses_api: 'always' }) },
]

export interface HeldTarget extends Target {
  /** What it holds after a collection. */
  held(): Promise<Held>
}

/** The same channels; states what it holds. */
export async function heldGateway(upstream: string): Promise<HeldTarget> {
  const execArgv = ['--expose-gc', '--import', new URL('./memory.js', import.meta.url).href]
  const {
    child,
    admin: _,
    ...target
  } = await gatewayProcess(upstream, formatChannels, { execArgv })
  return { ...target, held: () => ask<Held>(child, 'held') }
}

interface BenchChannel {
  readonly type: number
  readonly models: string
  readonly settings?: string
}

async function gatewayWith(
  upstream: string,
  channels: readonly BenchChannel[],
  terms: ProcessTerms = {},
): Promise<Target> {
  const { child, admin: _, ...target } = await gatewayProcess(upstream, channels, terms)
  if (terms.unpinned !== true) pin(child.pid!, targetCore)
  return target
}

export interface ProcessTerms {
  /** `config/start.js` of another build. Absent: of this one. */
  readonly program?: string
  readonly name?: string
  readonly execArgv?: string[]
  /** Another Node.js. Absent: the one that runs this. */
  readonly execPath?: string
  /** On whatever cores there are. */
  readonly unpinned?: true
  readonly env?: Readonly<Record<string, string>>
}

/** The load is one user with one key at one address. */
const forOneClient = {
  MAX_CONCURRENT_PER_ADDRESS: '10000',
  MAX_CONCURRENT_PER_USER: '10000',
  MAX_CONCURRENT_PER_KEY: '10000',
}

async function gatewayProcess(
  upstream: string,
  channels: readonly BenchChannel[],
  { program = ownProgram, name = 'gateway', execArgv = [], execPath, env = {} }: ProcessTerms = {},
): Promise<Target & { readonly child: ChildProcess; readonly admin: Management }> {
  const port = await freePort()
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-bench-'))
  const logFile = join(dataDir, 'log')
  const database = await freshDatabase()
  const child = fork(program, [], {
    env: {
      ...process.env,
      ...(database && { DATABASE_URL: database.url }),
      // Counters there would outlive the run.
      REDIS_URL: undefined,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      ...forOneClient,
      ...env,
    },
    execArgv,
    ...(execPath !== undefined && { execPath }),
    stdio: ['ignore', openSync(logFile, 'w'), 'inherit', 'ipc'],
  })
  const origin = `http://127.0.0.1:${port}`
  await answering(`${origin}/health/ready`)
  const admin = management(origin)
  knowSetupCode(origin, setupCodeIn(readFileSync(logFile, 'utf8')))
  await admin.setUp()
  await admin.credit((await admin.must('GET', '/api/user/self')).id, 1_000_000_000_000)
  for (const channel of channels) {
    await admin.channel({
      name: channel.models,
      key: 'upstream',
      base_url: upstream,
      group: 'default',
      ...channel,
    })
  }
  const ratios = Object.fromEntries(channels.map(({ models }) => [models, 1]))
  if (channels.length > 1) await admin.option('ModelRatio', ratios)
  const { key } = await admin.token()
  const stop = async () => {
    await stopped(child, 'SIGTERM')
    await database?.drop()
  }
  return { name, origin, key, pid: child.pid!, stop, child, admin }
}

export interface Fresh {
  readonly url: string
  drop(): Promise<void>
}

/** On the server of DATABASE_URL; undefined where none is named, and each gateway has the one in its data folder. */
export async function freshDatabase(): Promise<Fresh | undefined> {
  const server = process.env.DATABASE_URL
  if (server === undefined) return undefined
  const name = `bench_${randomUUID().replaceAll('-', '')}`
  await administer(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`) }
}

export async function answering(url: string): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    await pause(100)
  }
  throw new Error(`${url} did not answer within 30 s`)
}

/** The processes of a benchmark run: each pinned to a core, its CPU time and memory read from /proc. */
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { knowSetupCode, type Management, management, setupCodeIn } from '../kit/management.js'
import type { LoopDelay } from './loop-delay.js'

/** Core of the target under test; everything else runs on the other. */
const targetCore = '0'
const otherCore = '1'

export interface Target {
  readonly name: string
  readonly origin: string
  readonly key: string
  readonly pid: number
  stop(): Promise<void>
}

/** CPU time a process has used, milliseconds, all threads. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

export function residentMb(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(line?.[1] ?? 0) / 1024
}

/** CPU time of every PostgreSQL process on this machine, milliseconds. */
export function postgresCpuMs(): number {
  let sum = 0
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8')
      if (stat.includes('(postgres)')) sum += cpuMs(Number(entry))
    } catch {
      // The process ended between the two reads.
    }
  }
  return sum
}

export async function mock(interval: number, events: number, failing = 0): Promise<Target> {
  return forked('direct', './mock.js', [], otherCore, {
    BENCH_FAILING: String(failing),
    BENCH_INTERVAL: String(interval),
    BENCH_EVENTS: String(events),
  })
}

export const bareProxy = (upstream: string) =>
  forked('bare', './bare-proxy.js', [upstream], targetCore)
export const hapiProxy = (upstream: string) =>
  forked('hapi', './hapi-proxy.js', [upstream], targetCore)

/** The same answer in each of the four formats. */
export async function formatMock(interval: number, events: number): Promise<Target> {
  return forked('formats', './mock-formats.js', [], otherCore, {
    BENCH_INTERVAL: String(interval),
    BENCH_EVENTS: String(events),
  })
}

/** A whole gateway with one channel to the mock, a funded root and an unlimited token. */
export function gateway(upstream: string): Promise<Target> {
  return gatewayWith(upstream, [{ type: 1, models: 'gpt-4o-mini' }])
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
    async loopDelay() {
      const answer = once(child, 'message')
      child.send('loop delay')
      return (await answer)[0] as LoopDelay
    },
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
  return gatewayWith(upstream, [
    { type: 1, models: 'bench-chat', settings: JSON.stringify({ responses_api: 'convert' }) },
    { type: 14, models: 'bench-messages' },
    { type: 24, models: 'bench-generative' },
    { type: 1, models: 'bench-responses', settings: JSON.stringify({ responses_api: 'always' }) },
  ])
}

interface BenchChannel {
  readonly type: number
  readonly models: string
  readonly settings?: string
}

async function gatewayWith(upstream: string, channels: readonly BenchChannel[]): Promise<Target> {
  const { child, admin: _, ...target } = await gatewayProcess(upstream, channels)
  pin(child.pid!, targetCore)
  return target
}

interface ProcessTerms {
  readonly execArgv?: string[]
  readonly env?: Readonly<Record<string, string>>
}

async function gatewayProcess(
  upstream: string,
  channels: readonly BenchChannel[],
  { execArgv = [], env = {} }: ProcessTerms = {},
): Promise<Target & { readonly child: ChildProcess; readonly admin: Management }> {
  const port = await freePort()
  const dataDir = mkdtempSync(join(tmpdir(), 'waybill-bench-'))
  const logFile = join(dataDir, 'log')
  const child = fork(fileURLToPath(new URL('../../config/start.js', import.meta.url)), [], {
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
      ...env,
    },
    execArgv,
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
  const stop = () => stopped(child, 'SIGTERM')
  return { name: 'gateway', origin, key, pid: child.pid!, stop, child, admin }
}

export async function loader(): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL('./load.js', import.meta.url)))
  pin(child.pid!, otherCore)
  return child
}

async function forked(
  name: string,
  file: string,
  args: readonly string[],
  core: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Target> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    env: { ...process.env, ...env },
  })
  pin(child.pid!, core)
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    name,
    origin: `http://127.0.0.1:${port}`,
    key: 'bench',
    pid: child.pid!,
    stop: () => stopped(child, 'SIGKILL'),
  }
}

/** All threads of a process to one core; without taskset the figures are merely noisier. */
function pin(pid: number, core: string): void {
  spawnSync('taskset', ['-a', '-c', '-p', core, String(pid)])
}

async function answering(url: string): Promise<void> {
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

async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

/** The processes of a benchmark run: each pinned to a core, its CPU time and memory read from /proc. */
import { type ChildProcess, fork, type Serializable, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Core of the target under test; everything else runs on the other. */
export const targetCore = '0'
const otherCore = '1'

export interface Target {
  readonly name: string
  readonly origin: string
  readonly key: string
  /** What each request to it has besides. */
  readonly headers?: Readonly<Record<string, string>>
  readonly pid: number
  stop(): Promise<void>
}

/** CPU time a process has used, milliseconds, all threads. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** The same with that of its processes which have ended. */
export function treeCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return cpuMs(pid) + (Number(fields[13]) + Number(fields[14])) * 10
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
export async function formatMock(interval: number, events: number, failing = 0): Promise<Target> {
  return forked('formats', './mock-formats.js', [], otherCore, {
    BENCH_FAILING: String(failing),
    BENCH_INTERVAL: String(interval),
    BENCH_EVENTS: String(events),
  })
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
export function pin(pid: number, core: string): void {
  spawnSync('taskset', ['-a', '-c', '-p', core, String(pid)])
}

/** Sends a process a message; resolves with the one it sends back. */
export async function ask<Reply>(child: ChildProcess, message: Serializable): Promise<Reply> {
  const reply = once(child, 'message')
  child.send(message)
  return (await reply)[0]
}

export async function stopped(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

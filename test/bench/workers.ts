/**
 * `npm run bench -- --workers`: what a second worker adds. Each worker is held to the same share of one core, so that this can be
 * measured where load, upstream and database are on the same cores. One gateway of one process and one of two workers, in turns, with as
 * many connections for each worker: what arrives together is written together, so fewer would cost more for each request.
 */
import { readFileSync } from 'node:fs'
import { type CpuShare, holdTo } from './cpu-share.js'
import { gateway } from './gateways.js'
import type { Figures, Job } from './load.js'
import { median } from './median.js'
import { ask, cpuMs, loader, mock, pin, type Target, targetCore } from './targets.js'

const share = 0.12
const rounds = 11
/** Connections for each worker. */
const levels = [16, 32] as const
const requests = 350
/** Requests a second of two workers over those of one. */
const goal = 1.8

interface Held {
  readonly target: Target
  /** That serve. */
  readonly pids: readonly number[]
}

interface Round {
  readonly workers: number
  readonly connections: number
  readonly figures: Figures
  /** CPU of each process that serves, and of the primary, milliseconds. */
  readonly cpu: readonly number[]
  readonly primaryCpu: number
}

export async function runWorkers(): Promise<void> {
  if (process.env.DATABASE_URL === undefined) throw new Error('Workers need DATABASE_URL.')
  const load = await loader()
  const upstream = await mock(50, 10)
  const one = await held(upstream.origin, 1)
  const two = await held(upstream.origin, 2)
  const pids = [...one.pids, ...two.pids]
  // Side by side on one core, they leave the other one to the rest.
  for (const pid of pids) pin(pid, targetCore)
  const shares: CpuShare[] = pids.map((pid) => holdTo(pid, share))
  const measured: Round[] = []
  try {
    for (const { target } of [one, two]) await run(load, target, 16, 600)
    for (let round = 0; round < rounds; round++) {
      for (const connections of levels) {
        for (const gateway of [one, two]) measured.push(await measure(load, gateway, connections))
      }
    }
    print(measured)
  } finally {
    for (const { target } of [one, two]) await target.stop()
    for (const held of shares) held.release()
    await upstream.stop()
    load.disconnect()
  }
}

async function held(upstream: string, count: number): Promise<Held> {
  const env = { WORKERS: String(count) }
  const target = await gateway(upstream, { name: `${count} worker(s)`, env, unpinned: true })
  if (count === 1) return { target, pids: [target.pid] }
  for (;;) {
    const pids = childrenOf(target.pid)
    const ready = await Promise.all(
      pids.map(async () => (await fetch(`${target.origin}/health/ready`)).ok),
    )
    if (pids.length === count && ready.every(Boolean)) return { target, pids }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

function run(load: Parameters<typeof ask>[0], target: Target, connections: number, count: number) {
  const { origin, key } = target
  const job: Job = { origin, key, connections, requests: count, stream: false }
  return ask<Figures>(load, job)
}

async function measure(
  load: Parameters<typeof ask>[0],
  { target, pids }: Held,
  connections: number,
): Promise<Round> {
  const before = pids.map(cpuMs)
  const primaryBefore = cpuMs(target.pid)
  const figures = await run(load, target, connections * pids.length, requests * pids.length)
  return {
    ...{ workers: pids.length, connections, figures },
    cpu: pids.map((pid, at) => cpuMs(pid) - before[at]!),
    primaryCpu: pids.length === 1 ? 0 : cpuMs(target.pid) - primaryBefore,
  }
}

function print(measured: readonly Round[]): void {
  console.log(
    `each process held to ${share * 100} % of a core, medians of ${rounds} interleaved rounds`,
  )
  const names = [
    'each has',
    'workers',
    'req/s',
    'p50 ms',
    'p99 ms',
    'CPU ms/req',
    'least share',
    'primary %',
    'failed',
  ]
  console.log(names.map((name) => name.padStart(12)).join(''))
  for (const connections of levels) {
    for (const workers of [1, 2]) console.log(row(measured, connections, workers))
  }
  for (const connections of levels) {
    const [of1, of2] = [speeds(measured, connections, 1), speeds(measured, connections, 2)]
    // Side by side: what else the machine does changes from round to round.
    const ratio = median(of2.map((speed, round) => speed / of1[round]!))
    const verdict = ratio >= goal ? 'reached' : 'FAILED'
    console.log(
      `\n2 workers / 1 at ${connections} connections each: ${ratio.toFixed(2)}, goal ${goal}: ${verdict}`,
    )
  }
}

function row(measured: readonly Round[], connections: number, workers: number): string {
  const own = measured.filter((one) => one.connections === connections && one.workers === workers)
  const sum = (all: readonly number[]) => all.reduce((total, each) => total + each, 0)
  const cells = [
    String(connections),
    String(workers),
    median(own.map(({ figures }) => figures.requestsPerSecond)).toFixed(0),
    median(own.map(({ figures }) => figures.p50)).toFixed(1),
    median(own.map(({ figures }) => figures.p99)).toFixed(1),
    median(own.map(({ cpu }) => sum(cpu) / (requests * workers))).toFixed(3),
    median(own.map(({ cpu }) => Math.min(...cpu) / sum(cpu))).toFixed(2),
    median(own.map(({ primaryCpu, figures }) => primaryCpu / figures.seconds / 10)).toFixed(1),
    String(sum(own.map(({ figures }) => figures.failed))),
  ]
  return cells.map((cell) => cell.padStart(12)).join('')
}

function speeds(measured: readonly Round[], connections: number, workers: number): number[] {
  const own = measured.filter((one) => one.connections === connections && one.workers === workers)
  return own.map(({ figures }) => figures.requestsPerSecond)
}

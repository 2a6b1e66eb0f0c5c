/**
 * `npm run bench:soak`: half an hour of mixed traffic (`-- --minutes N` sets the time), halted for a look ten times. Heap, resident
 * memory and what the event loop watches stay where they were once the gateway is warm. Ends with status 1 where they do not.
 */
import { fork } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { flagNumber } from '../kit/flag-value.js'
import { type HeldTarget, heldGateway } from './gateways.js'
import type { Held } from './memory.js'
import type { MixedJob, Outcomes } from './mixed-load.js'
import { ask, formatMock, residentMb } from './targets.js'

const goals = { growth: 1.05, resources: 3 }
const minutes = flagNumber('--minutes') ?? 30
const looks = 10
/** Looks before this one are of a gateway that still compiles and fills its caches. */
const warm = 4
const clients = 40
/** Longer than idle connections are kept to an upstream. */
const quietMs = 8_000

interface Look extends Held {
  readonly residentMb: number
}

const upstream = await formatMock(20, 20, 0.05)
const gateway = await heldGateway(upstream.origin)
const load = fork(fileURLToPath(new URL('./mixed-load.js', import.meta.url)))
try {
  const seen: Look[] = []
  console.log(`${minutes} minutes in ${looks} parts, ${clients} clients\n`)
  for (let at = 1; at <= looks; at++) {
    const outcomes = await part((minutes * 60_000) / looks)
    const look = await looked(gateway)
    seen.push(look)
    console.log(`${String(at).padStart(2)}  ${described(look)}  ${JSON.stringify(outcomes)}`)
  }
  process.exitCode = judged(seen.slice(warm - 1, warm + 2), seen.slice(-3)) ? 0 : 1
} finally {
  load.disconnect()
  await gateway.stop()
  await upstream.stop()
}

async function part(ms: number): Promise<Outcomes> {
  const job: MixedJob = { origin: gateway.origin, key: gateway.key, clients }
  load.send(job)
  await pause(ms)
  return ask<Outcomes>(load, 'stop')
}

async function looked(target: HeldTarget): Promise<Look> {
  await pause(quietMs)
  return { ...(await target.held()), residentMb: residentMb(target.pid) }
}

function described({ heap, outsideHeap, residentMb, resources }: Look): string {
  const mb = (bytes: number) => (bytes / 1e6).toFixed(1)
  return `heap ${mb(heap)} MB, outside ${mb(outsideHeap)} MB, resident ${residentMb.toFixed(0)} MB, ${JSON.stringify(resources)}`
}

/** Whether the later looks hold no more than the earlier ones. */
function judged(early: readonly Look[], late: readonly Look[]): boolean {
  const growth = (figure: (look: Look) => number) => {
    return mean(late.map(figure)) / mean(early.map(figure))
  }
  const verdicts = [
    judge(
      'growth of the heap',
      growth(({ heap }) => heap),
      goals.growth,
    ),
    judge(
      'growth of resident memory',
      growth(({ residentMb }) => residentMb),
      goals.growth,
    ),
    judge('more resources of a kind', mostMore(early, late), goals.resources),
  ]
  return verdicts.every((reached) => reached)
}

function mostMore(early: readonly Look[], late: readonly Look[]): number {
  const kinds = new Set(late.flatMap(({ resources }) => Object.keys(resources)))
  const count = (looks: readonly Look[], kind: string) => {
    return Math.min(...looks.map(({ resources }) => resources[kind] ?? 0))
  }
  return Math.max(0, ...[...kinds].map((kind) => count(late, kind) - count(early, kind)))
}

function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length
}

function judge(name: string, figure: number, goal: number): boolean {
  const reached = figure <= goal
  console.log(`${name}: ${figure.toFixed(3)} (goal ${goal}) ${reached ? 'reached' : 'MISSED'}`)
  return reached
}

/**
 * `npm run soak`: every attack on a small gateway at once, for a minute, with clients that pay beside them: how much memory
 * it takes, how late `/health/live` is, and whether paying requests succeed. `-- --leavers` instead runs ten minutes of
 * clients that leave and upstreams that fail, and shows whether memory stays where it was. `-- --seconds N` sets the time.
 * Ends with status 1 where a goal was missed.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { smallGateway } from '../bench/gateways.js'
import { mock, residentMb } from '../bench/targets.js'
import { flagNumber } from '../kit/flag-value.js'
import type { Outcomes } from './attacker.js'
import type { Paid, PayerJob } from './payer.js'

const heapMb = 512
const goals = { residentMb: 512, healthP99Ms: 100, growth: 1.25 } as const

const leaving = process.argv.includes('--leavers')
const seconds = flagNumber('--seconds') ?? (leaving ? 600 : 60)
/** Streams of about a second. */
const upstream = await mock(50, 20, leaving ? 0.05 : 0)
const gateway = await smallGateway(upstream.origin, heapMb)
const children: ChildProcess[] = []
let missed = false
try {
  if (leaving) await runLeavers()
  else await runAttacks()
} finally {
  for (const child of children) child.disconnect()
  await gateway.stop()
  await upstream.stop()
}
process.exit(missed ? 1 : 0)

async function runAttacks(): Promise<void> {
  const payer = payers({ clients: 8, leavers: 0 })
  const attacker = started('./attacker.js', {
    port: Number(new URL(gateway.origin).port),
    key: gateway.attackerKey,
  })
  const { peakMb, lateMs } = await watched(seconds)
  const paid = await reply<Paid>(payer, 'paid')
  console.log('attacks', await reply<Outcomes>(attacker, 'outcomes'))
  console.log('paying requests', paid)
  const answered = paid.outcomes['200'] ?? 0
  const refused = Object.values(paid.outcomes).reduce((sum, count) => sum + count, 0) - answered
  judge('most resident memory, MB', peakMb, goals.residentMb)
  judge('/health/live p99, ms', lateMs, goals.healthP99Ms)
  judge('paying requests that did not succeed', refused, 0)
  judge('seconds for each paying request and client', (seconds * 8) / answered, 5)
}

async function runLeavers(): Promise<void> {
  payers({ clients: 60, leavers: 0.3 })
  const tenth = seconds / 10
  // Caches and code warm up in the first tenths.
  await watched(tenth * 3)
  const early = await watched(tenth * 2)
  await watched(tenth * 3)
  const late = await watched(tenth * 2)
  console.log(`resident memory: ${early.meanMb.toFixed(0)} MB, later ${late.meanMb.toFixed(0)} MB`)
  judge('growth of memory', late.meanMb / early.meanMb, goals.growth)
}

function payers(job: Pick<PayerJob, 'clients' | 'leavers'>): ChildProcess {
  return started('./payer.js', { origin: gateway.origin, key: gateway.key, ...job })
}

function started(file: string, job: object): ChildProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)))
  children.push(child)
  child.send(job)
  return child
}

async function reply<Reply>(child: ChildProcess, ask: string): Promise<Reply> {
  const answer = once(child, 'message')
  child.send(ask)
  return (await answer)[0] as Reply
}

interface Watched {
  readonly peakMb: number
  readonly meanMb: number
  /** p99 of `/health/live`. */
  readonly lateMs: number
}

async function watched(forSeconds: number): Promise<Watched> {
  const late: number[] = []
  const resident: number[] = []
  const until = performance.now() + forSeconds * 1000
  while (performance.now() < until) {
    const began = performance.now()
    await fetch(`${gateway.origin}/health/live`).then((response) => response.text())
    late.push(performance.now() - began)
    resident.push(residentMb(gateway.pid))
    await pause(50)
  }
  late.sort((one, other) => one - other)
  return {
    peakMb: Math.max(...resident),
    meanMb: resident.reduce((sum, one) => sum + one, 0) / resident.length,
    lateMs: late[Math.floor(late.length * 0.99)] ?? 0,
  }
}

function judge(name: string, figure: number, goal: number): void {
  const reached = figure <= goal
  missed ||= !reached
  console.log(
    `${name}: ${Number(figure.toFixed(2))} (goal ${goal}) ${reached ? 'reached' : 'MISSED'}`,
  )
}

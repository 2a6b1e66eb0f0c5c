/**
 * `npm run bench -- --logins`: what a flood of sign-ins costs those who are relayed meanwhile. The same relay load with
 * and without 50 sign-ins under way at all times, in turns within one run; passwords are hashed one at a time.
 */
import { Agent } from 'undici'
import { watchedGateway } from './gateways.js'
import type { Figures, Job } from './load.js'
import type { LoopDelay } from './loop-delay.js'
import { ask, loader, mock } from './targets.js'

const logins = 50
const connections = 16
const requests = 6000
const rounds = 3
/** Milliseconds of event-loop delay at p99. */
const goal = 20

interface Round {
  readonly figures: Figures
  readonly delay: LoopDelay
  readonly loginsPerSecond: number
}

export async function runLogins(): Promise<void> {
  const load = await loader()
  const upstream = await mock(50, 10)
  const gateway = await watchedGateway(upstream.origin)
  const { origin, key } = gateway

  async function measure(flooded: boolean, count = requests): Promise<Round> {
    await gateway.loopDelay()
    const flood = flooded ? begin(origin) : undefined
    const job: Job = { origin, key, connections, requests: count, stream: false }
    const figures = await ask<Figures>(load, job)
    const delay = await gateway.loopDelay()
    const answered = (await flood?.stop()) ?? 0
    return { figures, delay, loginsPerSecond: answered / figures.seconds }
  }

  try {
    await measure(false, 2000)
    const [calm, flooded]: [Round[], Round[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      calm.push(await measure(false))
      flooded.push(await measure(true))
    }
    print(calm, flooded)
  } finally {
    await gateway.stop()
    await upstream.stop()
    load.disconnect()
  }
}

/** Keeps so many sign-ins under way; each is refused, which costs the gateway the same hash. */
function begin(origin: string) {
  const agent = new Agent({ connections: logins, pipelining: 1 })
  let [going, answered] = [true, 0]
  const done = Promise.all(
    Array.from({ length: logins }, async () => {
      while (going) {
        const { statusCode, body } = await agent.request({
          origin,
          path: '/api/user/login',
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'root', password: 'not the password' }),
        })
        await body.dump()
        if (statusCode !== 401) throw new Error(`a sign-in was answered ${statusCode}`)
        if (going) answered++
      }
    }),
  )
  return {
    /** Resolves with how many were answered while it went on. */
    async stop(): Promise<number> {
      going = false
      await done
      await agent.close()
      return answered
    },
  }
}

function print(calm: readonly Round[], flooded: readonly Round[]): void {
  const names = ['', 'req/s', 'p50 ms', 'p99 ms', 'loop p50', 'loop p99', 'loop max', 'logins/s']
  console.log(`relay at ${connections} connections, medians of ${rounds} interleaved rounds`)
  console.log(names.map((name) => name.padStart(10)).join(''))
  const row = (name: string, all: readonly Round[]) => {
    const cells = [
      median(all, ({ figures }) => figures.requestsPerSecond).toFixed(0),
      median(all, ({ figures }) => figures.p50).toFixed(2),
      median(all, ({ figures }) => figures.p99).toFixed(2),
      median(all, ({ delay }) => delay.p50).toFixed(2),
      median(all, ({ delay }) => delay.p99).toFixed(2),
      median(all, ({ delay }) => delay.max).toFixed(2),
      median(all, ({ loginsPerSecond }) => loginsPerSecond).toFixed(1),
    ]
    console.log([name, ...cells].map((cell) => cell.padStart(10)).join(''))
  }
  row('calm', calm)
  row('logins', flooded)
  const p99 = (all: readonly Round[]) => median(all, ({ figures }) => figures.p99)
  const delay = median(flooded, (round) => round.delay.p99)
  const failed = [...calm, ...flooded].reduce((sum, { figures }) => sum + figures.failed, 0)
  const verdict = delay <= goal ? 'reached' : 'FAILED'
  console.log(`\np99 with ${logins} sign-ins / without: ${(p99(flooded) / p99(calm)).toFixed(2)}`)
  console.log(`event-loop delay p99: ${delay.toFixed(2)} ms, goal ${goal} ms: ${verdict}`)
  console.log(`failed requests: ${failed}`)
}

function median(rounds: readonly Round[], figure: (round: Round) => number): number {
  const sorted = rounds.map(figure).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

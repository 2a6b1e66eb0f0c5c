/** Rate limits counted in a real Redis: shared while it answers, held in process while it does not (LIMIT-2). */

import t from 'tap'
import type { Log } from '../../kernel/contract/kit.js'
import type { RateHeaders } from '../../kernel/contract/services/ports.js'
import type { Environment } from '../../kernel/contract/services/system.js'
import { noPeers } from '../../kernel/peers.js'
import { systemClock } from '../../kernel/schedule/system-clock.js'
import { Refusal } from '../../kernel/toolkit/errors/refusal.js'
import create from '../../plugins/services/rate-limits/index.js'
import { defaultEnvironment } from '../kit/gateway.js'
import { noRedis, redisServer } from './kit/redis-server.js'

t.setTimeout(360_000)

type Test = Parameters<typeof redisServer>[0]

const limit = 1_000_000

function limitsOf(api: number): Environment['rateLimits'] {
  const { rateLimits } = defaultEnvironment
  return { ...rateLimits, api: { enabled: true, limit: api, windowSeconds: 600 } }
}

/** The service as one process has it, with what it logged. */
async function counting(t: Test, redisUrl: string, api = limit) {
  const lines: string[] = []
  const keep = (level: string) => (fields: object, message: string) => {
    lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  }
  const log: Log = {
    debug: keep('debug'),
    info: keep('info'),
    warn: keep('warn'),
    error: keep('error'),
  }
  const environment = { ...defaultEnvironment, redisUrl, rateLimits: limitsOf(api) }
  const limits = create({
    settings: {} as never,
    clock: systemClock,
    log,
    services: { system: { environment } as never, peers: noPeers },
  })
  await limits.start?.()
  t.teardown(() => limits.stop?.())
  /** What is left to an address after asking once more; undefined: refused. */
  async function ask(address: string): Promise<number | undefined> {
    try {
      const result = await limits.arrived({ limiter: 'api', route: 'test', address })
      return leftOf(result)
    } catch (error) {
      if (error instanceof Refusal && error.code === 'rate_limit_exceeded') return undefined
      throw error
    }
  }
  return { ask, lines }
}

function leftOf(result: RateHeaders | undefined): number {
  return Number(result?.['x-ratelimit-remaining'])
}

type Counting = Awaited<ReturnType<typeof counting>>

let addresses = 0
const newAddress = () => `10.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses++ & 255}`

/** Resolves once two processes count together; rejects after 15 s. */
async function shared(one: Counting, other: Counting): Promise<void> {
  const until = Date.now() + 15_000
  for (;;) {
    const address = newAddress()
    await one.ask(address)
    if ((await other.ask(address)) === limit - 2) return
    if (Date.now() > until) throw new Error('the two did not count together again')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** So many callers ask one after the other until instructed to stop; answers how long each took, in order of their ends. */
function load({ ask }: Counting, callers: number) {
  const times: number[] = []
  let going = true
  const done = Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (going) {
        const began = performance.now()
        await ask(`10.200.0.${caller}`)
        times.push(performance.now() - began)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }),
  )
  return {
    times,
    /** Resolves once this many more have been answered. */
    async more(count: number) {
      const goal = times.length + count
      while (times.length < goal) await new Promise((resolve) => setImmediate(resolve))
    },
    async stop() {
      going = false
      await done
    },
  }
}

t.test('[LIMIT-2] a real Redis', { skip: noRedis ?? false }, async (t) => {
  t.test('[LIMIT-2] two processes share one count', async (t) => {
    const redis = await redisServer(t)
    await redis.start()
    const [one, other] = [await counting(t, redis.url, 4), await counting(t, redis.url, 4)]
    t.equal(await one.ask('9.0.0.1'), 3)
    t.equal(await other.ask('9.0.0.1'), 2)
    t.equal(await one.ask('9.0.0.1'), 1)
    t.equal(await one.ask('9.0.0.1'), 0)
    t.equal(await other.ask('9.0.0.1'), undefined)
    t.strictSame([one.lines, other.lines], [[], []])
  })

  t.test('[LIMIT-2] killed under load: all are answered and the limit holds', async (t) => {
    const redis = await redisServer(t)
    await redis.start()
    const one = await counting(t, redis.url, 500)
    let allowed = 0
    let slowest = 0
    let requestCount = 0
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        while (requestCount++ < 1000) {
          if (requestCount === 250) void redis.kill()
          const began = performance.now()
          if ((await one.ask('9.0.0.1')) !== undefined) allowed++
          slowest = Math.max(slowest, performance.now() - began)
          await new Promise((resolve) => setImmediate(resolve))
        }
      }),
    )
    t.equal(allowed, 500, 'counting went on where it was')
    t.ok(slowest < 700, `slowest ${slowest}`)
    t.equal(one.lines.length, 1, 'reported once')
    t.match(one.lines[0], /^warn Redis does not answer/)
    await redis.start()
    const fresh = await counting(t, redis.url)
    const again = await counting(t, redis.url)
    await shared(fresh, again)
  })

  t.test('[LIMIT-2] frozen under load: one wait, then none, until it is back', async (t) => {
    const redis = await redisServer(t)
    await redis.start()
    const callers = 50
    const [one, other] = [await counting(t, redis.url), await counting(t, redis.url)]
    const going = load(one, callers)
    await going.more(2000)
    const before = going.times.splice(0)
    redis.freeze()
    const frozenAt = performance.now()
    while (performance.now() - frozenAt < 5000) await going.more(1000)
    const during = going.times.toSorted((a, b) => a - b)
    const slow = during.filter((ms) => ms > 400).length
    const [slowest, p99] = [during.at(-1)!, during[Math.floor(during.length * 0.99)]!]
    t.comment(
      `${before.length} before, ${during.length} during; slow ${slow}, ` +
        `slowest ${slowest.toFixed(0)} ms, p99 ${p99.toFixed(2)} ms`,
    )
    t.ok(slow <= callers, 'no more than were under way waited')
    t.ok(slowest < 700, 'nobody waited longer than half a second')
    t.ok(p99 < 100, `p99 ${p99}`)
    t.equal(one.lines.length, 1, 'reported once')
    redis.thaw()
    await shared(one, other)
    await going.stop()
    t.match(one.lines.at(-1), /^info Redis counts rate limits again/)
    t.equal(one.lines.length, 2)
  })

  t.test(
    '[LIMIT-2] one that is down holds no start up, and is used once it is there',
    async (t) => {
      const redis = await redisServer(t)
      const began = performance.now()
      const [one, other] = [await counting(t, redis.url), await counting(t, redis.url)]
      t.ok(performance.now() - began < 2000)
      t.equal(await one.ask('9.0.0.1'), limit - 1)
      t.equal(await other.ask('9.0.0.1'), limit - 1, 'each by itself')
      t.equal(one.lines.length, 1)
      await redis.start()
      await shared(one, other)
    },
  )

  t.test('[LIMIT-2] one that refuses its password counts nothing and tells none', async (t) => {
    const redis = await redisServer(t, ['--requirepass', 'right-canary'])
    await redis.start()
    const open = `redis://:right-canary@127.0.0.1:${redis.port}/2`
    const [one, other] = [await counting(t, open), await counting(t, open)]
    await shared(one, other)
    t.strictSame(one.lines, [])
    const wrong = await counting(t, `redis://:wrong-canary@127.0.0.1:${redis.port}`)
    t.equal(await wrong.ask('9.0.0.1'), limit - 1)
    t.equal(wrong.lines.length, 1)
    t.notMatch(wrong.lines.join(), /canary/)
  })
})

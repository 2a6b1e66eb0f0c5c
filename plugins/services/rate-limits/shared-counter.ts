/**
 * Counts in Redis, for all processes together. A Redis that is down or hangs costs those who called it in that moment
 * half a second, and nobody after them: the connection is made anew, and what it cannot do is not waited for (LIMIT-2).
 */
import { Redis } from 'ioredis'
import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import { createBreaker } from './breaker.js'
import { type Count, countOf } from './local-counter.js'

export interface SharedCounter {
  /** Undefined, and so is what it resolves to: Redis gives no valid answer at the moment. */
  count(key: string, uses: number, windowSeconds: number): Promise<Count | undefined> | undefined
  /** Resolves once there is a connection, or the first try of it has failed. */
  connect(): Promise<void>
  disconnect(): void
}

/** Longest wait for an answer and for a connection. */
const waitMsMax = 500
const pauseMs = 3000
const reconnectMsMax = 2000

export function sharedCounter(url: string, clock: Clock, log: Log): SharedCounter {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: waitMsMax,
    commandTimeout: waitMsMax,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    disableClientInfo: true,
    disconnectTimeout: 100,
    retryStrategy: (tries) => Math.min(50 * 2 ** tries, reconnectMsMax),
  })
  // The limit differs by key, so the library only counts.
  const limiter = new RateLimiterRedis({
    storeClient: client,
    keyPrefix: 'waybill:rl',
    points: Number.MAX_SAFE_INTEGER,
    duration: 60,
  })
  const breaker = createBreaker(clock, pauseMs)
  let missed = false
  client.on('error', miss)

  /** Logged once, however many requests meet it. Of an error only its message: the library puts commands beside it. */
  function miss(error: unknown): void {
    if (missed) return
    missed = true
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'Redis does not answer; each process counts rate limits for itself')
  }

  async function ask(key: string, uses: number, seconds: number): Promise<Count | undefined> {
    try {
      const count = countOf(await limiter.consume(key, uses, { customDuration: seconds }))
      if (!Number.isSafeInteger(count.used) || !Number.isFinite(count.msLeft)) {
        throw new Error('the answer is no count')
      }
      breaker.succeeded()
      if (missed) log.info({}, 'Redis counts rate limits again')
      missed = false
      return count
    } catch (error) {
      breaker.failed()
      miss(error)
      // The next connection proves that Redis answers before anyone waits for it again.
      if (client.status === 'ready') client.disconnect(true)
      return undefined
    }
  }

  return {
    count: (key, uses, seconds) =>
      client.status === 'ready' && breaker.admits() ? ask(key, uses, seconds) : undefined,
    connect: () => client.connect().catch(miss),
    disconnect: () => client.disconnect(),
  }
}

/**
 * Counters of fixed windows, by the library's in-process limiter. Keys are ids of users, groups and API keys; their
 * number is bounded, and the one not used for longest goes first (failures.md P14).
 */
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

export interface Bucket {
  readonly key: string
  /** Most points in a window. */
  readonly limit: number
}

export interface Counters {
  /** Takes a point. Undefined: there was one; else milliseconds until the window ends. */
  take(bucket: Bucket): Promise<number | undefined>
  /** Milliseconds until the window ends where all points are taken; undefined: some are left. */
  full(bucket: Bucket): Promise<number | undefined>
}

const keysMax = 100_000

export function createCounters(windowSeconds: number): Counters {
  // The limit differs by key, so the library is asked only to count.
  const counter = new RateLimiterMemory({
    keyPrefix: '',
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
  })
  const used = new LRUCache<string, true>({
    max: keysMax,
    disposeAfter: (_, key, reason) => {
      if (reason === 'evict') void counter.delete(key)
    },
  })

  return {
    async take({ key, limit }) {
      used.set(key, true)
      const spent = await counter.consume(key)
      return spent.consumedPoints > limit ? waitOf(spent) : undefined
    },
    async full({ key, limit }) {
      const spent = await counter.get(key)
      return spent !== null && spent.consumedPoints >= limit ? waitOf(spent) : undefined
    },
  }
}

function waitOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(msBeforeNext, 1)
}

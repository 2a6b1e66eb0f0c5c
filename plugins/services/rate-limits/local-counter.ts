/**
 * Counts in this process, by the library's limiter in memory. The number of keys is bounded, and the one not used for
 * longest goes first (P14).
 */
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'

/** How often a key was counted in its window, and the milliseconds until that ends. */
export interface Count {
  readonly used: number
  readonly msLeft: number
}

/** Counts so many uses of the key: none to look, below 0 to take some back. */
export type LocalCounter = (key: string, uses: number) => Promise<Count>

const keysMax = 100_000

export function localCounter(windowSeconds: number, max = keysMax): LocalCounter {
  const counter = new RateLimiterMemory({
    keyPrefix: '',
    points: Number.MAX_SAFE_INTEGER,
    duration: windowSeconds,
  })
  const used = new LRUCache<string, true>({
    // With `max` it would hold 2.8 MB for keys that may never come.
    maxSize: max,
    sizeCalculation: () => 1,
    disposeAfter: (_, key, reason) => {
      if (reason === 'evict') void counter.delete(key)
    },
  })
  return async (key, uses) => {
    used.set(key, true)
    return countOf(await counter.consume(key, uses))
  }
}

export function countOf({ consumedPoints, msBeforeNext }: RateLimiterRes): Count {
  return { used: consumedPoints, msLeft: msBeforeNext }
}

/**
 * Limits of requests by address, account and user (LIMIT-1 to LIMIT-5, LIMIT-7, API-2). What is refused counts too, and
 * the database is not queried for it.
 */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { RateHeaders } from '../../../kernel/contract/services/ports.js'
import { networkOf } from '../../../kernel/toolkit/service/index.js'
import { arrivalBuckets, type Bucket, knownBuckets } from './buckets.js'
import { digest } from './keys.js'
import { rateHeadersOf, refusalOf, type Spent } from './rate-headers.js'
import type { RateLimits, RateWindow } from './rate-limits.js'
import { sharedCounter } from './shared-counter.js'
import { createWindows } from './windows.js'

export type * from './rate-limits.js'

export default function create({
  services,
  clock,
  log,
}: Kit<'system' | 'peers'>): RateLimits & Life {
  const { redisUrl, rateLimits } = services.system.environment
  const shared = redisUrl === undefined ? undefined : sharedCounter(redisUrl, clock, log)
  const windows = createWindows(shared, services.peers)

  /** Together, so that several limits are one wait. */
  async function taken(buckets: readonly Bucket[]): Promise<RateHeaders> {
    return rateHeadersOf(await Promise.all(buckets.map(spentOf)))
  }

  async function spentOf({ name, key, limit: { limit, windowSeconds } }: Bucket): Promise<Spent> {
    return { limit, windowSeconds, ...(await windows.count(name, windowSeconds, key)) }
  }

  const limited = (buckets: readonly Bucket[]) => (buckets.length > 0 ? taken(buckets) : undefined)

  function window(name: string, windowSeconds: number): RateWindow {
    const count = (key: string, uses: number) =>
      windows.count(`other.${name}`, windowSeconds, key, uses)
    return {
      async take(key, limit) {
        rateHeadersOf([{ limit, windowSeconds, ...(await count(key, 1)) }])
      },
      async open(key, limit) {
        const spent = { limit, windowSeconds, ...(await count(key, 0)) }
        if (spent.used >= limit) throw refusalOf(spent)
      },
      async add(key) {
        await count(key, 1)
      },
      count: async (key, uses) => (await count(key, uses)).used,
      spend: count,
    }
  }

  return {
    arrived: (arrival) => limited(arrivalBuckets(rateLimits, arrival)),
    known: (arrival, userId) => limited(knownBuckets(rateLimits, arrival, userId)),
    networkOf,
    async guess(address, look) {
      const { wrongKeys } = rateLimits
      if (wrongKeys?.enabled !== true) return look()
      const { limit, windowSeconds } = wrongKeys
      const guesses = window('key', windowSeconds)
      const who = networkOf(address)
      await guesses.open(who, limit)
      const found = await look()
      if (found === undefined) await guesses.add(who)
      return found
    },
    take: ({ name, limit, windowSeconds }, key) =>
      window(name, windowSeconds).take(digest(key), limit),
    window,
    start: () => shared?.connect(),
    stop: () => shared?.disconnect(),
  }
}

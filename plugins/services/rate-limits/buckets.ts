/** Which limits count a request: by the caller's network when it arrives, by the user once that is known. */
import type { Arrival } from '../../../kernel/contract/services/ports.js'
import type { RateLimit, RateLimitOptions } from '../../../kernel/contract/services/system.js'
import { networkOf } from '../../../kernel/toolkit/service/index.js'

export interface Bucket {
  readonly name: string
  readonly key: string
  readonly limit: RateLimit
}

/** LIMIT-3, LIMIT-4, LIMIT-7, API-2. */
export function arrivalBuckets(
  { api, web, critical }: RateLimitOptions,
  { limiter, address }: Arrival,
): readonly Bucket[] {
  const key = networkOf(address)
  switch (limiter) {
    case 'api':
    case 'secrets':
      return inForce({ name: 'api', key, limit: api })
    case 'critical':
      return inForce({ name: 'api', key, limit: api }, { name: 'critical', key, limit: critical })
    case 'status':
      return inForce({ name: 'status', key, limit: api })
    case 'web':
      return inForce({ name: 'web', key, limit: web })
    case 'relay':
    case 'none':
      return []
  }
}

/**
 * LIMIT-4: one route, by its user wherever that calls from; where nobody is known, by the network. Writes of keys and
 * secrets count together and for themselves: many in a row are an admin's work.
 */
export function knownBuckets(
  { criticalRoute, criticalSecrets }: RateLimitOptions,
  { limiter, route, address }: Arrival,
  userId: number | undefined,
): readonly Bucket[] {
  const who = userId === undefined ? networkOf(address) : `user ${userId}`
  switch (limiter) {
    case 'critical':
      return inForce({ name: 'route', key: `${route} ${who}`, limit: criticalRoute })
    case 'secrets':
      return inForce({ name: 'secrets', key: who, limit: criticalSecrets })
    default:
      return []
  }
}

function inForce(...buckets: readonly Bucket[]): readonly Bucket[] {
  return buckets.filter(({ limit }) => limit.enabled)
}

/** What others see of the limits of requests: the kernel checks every route, sign-ins and notices check their own. */
import type { RequestLimiter } from '../../../kernel/contract/services/ports.js'

export interface RateLimits extends RequestLimiter {
  /** What one caller's addresses have in common: IPv4 as it is, IPv6 by /64. */
  networkOf(address: string): string
  /**
   * Looks for what stands behind an API key that is not in memory; undefined: nothing does, which is counted by the
   * address. Rejects with `rate_limit_exceeded`, and looks for nothing, where an address has shown too many such keys.
   */
  guess<Found>(address: string, look: () => Promise<Found | undefined>): Promise<Found | undefined>
  /**
   * Counts a use of something else: `name` is the bucket's, `key` who uses it. Rejects with `rate_limit_exceeded`.
   * Counted in every process together where there is Redis. Keys are kept as their digest.
   */
  take(
    bucket: { readonly name: string; readonly limit: number; readonly windowSeconds: number },
    key: string,
  ): Promise<void>
  /** Fixed windows of so many seconds under a name, for who has other limits for other keys. Keys are kept as they are. */
  window(name: string, seconds: number): RateWindow
}

/** Each rejects with `rate_limit_exceeded` and the headers of LIMIT-1. */
export interface RateWindow {
  /** Counts a use and refuses what goes past the limit. */
  take(key: string, limit: number): Promise<void>
  /** Refuses where the limit is reached already; counts nothing. */
  open(key: string, limit: number): Promise<void>
  /** Counts a use, whatever the limit. Never rejects. */
  add(key: string): Promise<void>
  /** Counts so many uses, one or none, and resolves with all of the window; refuses nothing. */
  count(key: string, uses: 0 | 1): Promise<number>
  /** Counts so many uses, below 0 to take some back, and resolves with the window; refuses nothing. */
  spend(key: string, uses: number): Promise<{ readonly used: number; readonly msLeft: number }>
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'rate-limits': RateLimits
  }
}

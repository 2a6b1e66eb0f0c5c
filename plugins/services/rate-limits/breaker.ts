/**
 * Keeps callers away from what has just failed. After a pause one of them tries it again, and all others follow where
 * that went well.
 */
import type { Clock } from '../../../kernel/contract/kit.js'

export interface Breaker {
  /** Whether this call may be made; its outcome must be reported. */
  admits(): boolean
  succeeded(): void
  failed(): void
}

export function createBreaker(clock: Clock, pauseMs: number): Breaker {
  let state: 'closed' | 'open' | 'tried' = 'closed'
  let openUntil = 0
  return {
    admits() {
      if (state === 'closed') return true
      if (state === 'tried' || clock.monotonic() < openUntil) return false
      state = 'tried'
      return true
    },
    succeeded() {
      // What was called before the failure proves nothing about the time after it.
      if (state === 'tried') state = 'closed'
    },
    failed() {
      if (state === 'open') return
      state = 'open'
      openUntil = clock.monotonic() + pauseMs
    },
  }
}

/**
 * How many requests of this process may be on a further try at once: when everything fails, retries must not become
 * the load that keeps it failing (S18).
 */
import { limits } from '../toolkit/limits/limits.js'

export interface RetryBudget {
  /** A request has begun. */
  begin(): RequestShare
}

/** The part one request has in the budget. */
export interface RequestShare {
  /** Before each further try. False: too many others are on theirs, so this request ends with what it has. */
  retry(): boolean
  /** The tries of this request are over. */
  end(): void
}

export function createRetryBudget(): RetryBudget {
  let active = 0
  let retrying = 0

  function mostAtOnce(): number {
    const share = Math.floor((active * limits.retriesAtOncePercent) / 100)
    return Math.max(limits.retriesAtOnceMin, share)
  }

  return {
    begin() {
      let onRetry = false
      active += 1
      return {
        retry() {
          if (onRetry) return true
          if (retrying >= mostAtOnce()) return false
          onRetry = true
          retrying += 1
          return true
        },
        end() {
          active -= 1
          if (onRetry) retrying -= 1
        },
      }
    },
  }
}

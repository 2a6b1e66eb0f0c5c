/** The system's clock, set forward: timers run as they always do, and what compares times sees later ones. */
import type { Clock } from '../../kernel/contract/kit.js'

export interface ShiftedClock extends Clock {
  advance(ms: number): void
}

export function shiftedClock(): ShiftedClock {
  let ahead = 0
  return {
    now: () => Date.now() + ahead,
    monotonic: () => performance.now() + ahead,
    after(ms, run) {
      const timer = setTimeout(run, ms)
      timer.unref()
      return () => clearTimeout(timer)
    },
    advance(ms) {
      ahead += ms
    },
  }
}

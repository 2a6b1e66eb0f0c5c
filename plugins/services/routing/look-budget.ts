/**
 * How much of the process's time may go into looking through tiers that are mostly closed. What is left over is saved
 * up, so that with little traffic every request is answered exactly.
 */
export interface LookBudget {
  isSpent(): boolean
  /** May overdraw, by one tier at most: what has begun is brought to its end. */
  spend(looks: number): void
}

/** About a twentieth of the time, at half a microsecond each. */
const looksPerMs = 100
const savedMax = 20_000

/** @param now milliseconds of a clock that only grows */
export function lookBudget(now: () => number): LookBudget {
  let saved = savedMax
  let at = now()

  function earn(): void {
    const time = now()
    saved = Math.min(savedMax, saved + (time - at) * looksPerMs)
    at = time
  }

  return {
    isSpent() {
      earn()
      return saved <= 0
    },
    spend(looks) {
      earn()
      saved -= looks
    },
  }
}

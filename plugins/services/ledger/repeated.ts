/**
 * Repeats a keyed call that met other sessions or lost its connection: an unknown outcome is
 * settled by asking again.
 */
import type { Clock } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { faultOf } from './faults.js'

const attemptsMax = 5
const jitterMs = 20
const pauseMinMs = 100
const pauseMaxMs = 10_000

/**
 * Throws `database_unavailable` when nobody answers, and the last error when repeating does not
 * help.
 */
export async function repeated<Result>(clock: Clock, call: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call()
    } catch (error) {
      const fault = faultOf(error)
      if (fault === 'unavailable') throw new Refusal('database_unavailable', {}, { cause: error })
      if (fault !== 'repeat' || attempt === attemptsMax) throw error
      const pauseMs = jitterMs * attempt * (0.5 + Math.random())
      await passed(clock, pauseMs)
    }
  }
}

/** Calls again until the database takes it, less and less often. Throws only what is proven to be the call's own fault. */
export async function untilTaken<Result>(
  clock: Clock,
  call: () => Promise<Result>,
  failed: (error: unknown) => void,
): Promise<Result> {
  for (let pauseMs = pauseMinMs; ; pauseMs = Math.min(pauseMs * 2, pauseMaxMs)) {
    try {
      return await call()
    } catch (error) {
      if (faultOf(error) === 'item') throw error
      failed(error)
      await passed(clock, pauseMs)
    }
  }
}

function passed(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => clock.after(ms, resolve))
}

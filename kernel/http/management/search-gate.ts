/**
 * How many lists, searches, charts and totals read the database at once. Each takes one connection and a core of it for a moment,
 * so a few at once are as fast as many, and leave room for whoever is relayed.
 */
import type { Clock } from '../../contract/kit.js'
import { Refusal } from '../../toolkit/errors/refusal.js'
import { tooManyAtOnce } from '../busy.js'

/** At once. */
const runningMax = 2
/** Of those that come meanwhile so many wait, each for at most so long. */
const waitingMax = 50
const waitMs = 5_000

const tooSlow = {
  reason:
    'This takes too long over as much data as there is; narrow the span of time, or filter by a user, a model or a channel.',
}

export interface SearchGate {
  /** Rejects with `too_many_at_once` where it would wait too long, and with `invalid_field` where the database ends it. */
  run<Result>(search: () => Promise<Result> | Result, signal?: AbortSignal): Promise<Result>
}

export function createSearchGate(clock: Clock): SearchGate {
  const waiting = new Set<() => void>()
  let running = 0

  /** Resolves with whether it is its turn. */
  function turn(signal?: AbortSignal): Promise<boolean> {
    if (running < runningMax) {
      running++
      return Promise.resolve(true)
    }
    if (waiting.size >= waitingMax) return Promise.resolve(false)
    return new Promise((resolve) => {
      const end = (isTurn: boolean) => {
        waiting.delete(begin)
        cancel()
        signal?.removeEventListener('abort', leave)
        resolve(isTurn)
      }
      const begin = () => end(true)
      const leave = () => end(false)
      const cancel = clock.after(waitMs, leave)
      signal?.addEventListener('abort', leave)
      waiting.add(begin)
    })
  }

  /** Whoever has waited longest is next: the place of the one that ends is theirs. */
  function next(): void {
    const [first] = waiting
    if (first === undefined) running--
    else first()
  }

  return {
    async run(search, signal) {
      if (!(await turn(signal))) throw tooManyAtOnce('kind', runningMax)
      try {
        return await search()
      } catch (error) {
        throw isCancelled(error) ? new Refusal('invalid_field', tooSlow, { cause: error }) : error
      } finally {
        next()
      }
    },
  }
}

/** The database ended the statement, since it took longer than statements may. */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}

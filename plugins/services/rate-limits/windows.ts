/** Fixed windows by name: counted in Redis where there is one that answers, else in this process. */
import { type Count, type LocalCounter, localCounter } from './local-counter.js'
import type { SharedCounter } from './shared-counter.js'

export interface Windows {
  count(name: string, seconds: number, key: string, uses?: 0 | 1): Promise<Count>
}

export function createWindows(shared: SharedCounter | undefined): Windows {
  const counters = new Map<string, LocalCounter>()

  function counterOf(window: string, seconds: number): LocalCounter {
    let counter = counters.get(window)
    if (counter === undefined) {
      counter = localCounter(seconds)
      counters.set(window, counter)
    }
    return counter
  }

  return {
    async count(name, seconds, key, uses = 1) {
      const window = `${name}:${seconds}`
      // Counted here in any case, so that this process does not begin at 0 when Redis is gone (P4).
      const own = counterOf(window, seconds)(key, uses)
      return (await shared?.count(`${window}:${key}`, uses, seconds)) ?? own
    },
  }
}

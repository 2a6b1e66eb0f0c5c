/**
 * Fixed windows by name: counted in Redis where there is one that answers, else by the processes of this address together. These
 * tell each other what they count, so that a limit is passed by no more than what they count in the moment a message takes.
 */
import type { Json } from '../../../kernel/contract/json.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import { type Count, type LocalCounter, localCounter } from './local-counter.js'
import type { SharedCounter } from './shared-counter.js'

export interface Windows {
  count(name: string, seconds: number, key: string, uses?: number): Promise<Count>
}

const topic = 'counted'

export function createWindows(shared: SharedCounter | undefined, peers: Peers): Windows {
  const counters = new Map<string, LocalCounter>()

  function counterOf(window: string, seconds: number): LocalCounter {
    let counter = counters.get(window)
    if (counter === undefined) {
      counter = localCounter(seconds)
      counters.set(window, counter)
    }
    return counter
  }

  peers.on(topic, (message: Json) => {
    const [window, seconds, key, uses = 1] = message as readonly [string, number, string, number?]
    void counterOf(window, seconds)(key, uses)
  })

  return {
    async count(name, seconds, key, uses = 1) {
      const window = `${name}:${seconds}`
      // Counted here in any case, so that this process does not begin at 0 when Redis is gone (P4).
      const own = counterOf(window, seconds)(key, uses)
      const together = await shared?.count(`${window}:${key}`, uses, seconds)
      if (together !== undefined) return together
      if (uses !== 0) peers.publish(topic, [window, seconds, key, uses])
      return own
    },
  }
}

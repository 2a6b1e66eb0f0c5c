/**
 * Puts a renewed key in the place of the spent one. A key that could not be stored would lock the channel out with the
 * next start, so it is logged as an error and tried again until it is.
 */
import type { Clock, Log } from '../../../kernel/contract/kit.js'
import type { Channels } from '../channels/index.js'
import type { Trail } from './trails.js'

export interface RenewalDependencies {
  readonly channels: Pick<Channels, 'renewKey'>
  readonly clock: Clock
  readonly log: Log
}

export interface Renewals {
  /** Resolves after the first try, whatever came of it. */
  store(trail: Trail): Promise<void>
}

const againMs = 15_000

export function createRenewals({ channels, clock, log }: RenewalDependencies): Renewals {
  /** Trails that wait for their next try. */
  const waiting = new Set<Trail>()

  async function store(trail: Trail): Promise<void> {
    const { channelId, stored, key } = trail
    if (stored === key) return
    try {
      await channels.renewKey(channelId, stored, key)
      trail.stored = key
    } catch (error) {
      log.error({ err: error, channelId }, 'a renewed key could not be stored')
      again(trail)
    }
  }

  function again(trail: Trail): void {
    if (waiting.has(trail)) return
    waiting.add(trail)
    clock.after(againMs, () => {
      waiting.delete(trail)
      void store(trail)
    })
  }

  return { store }
}

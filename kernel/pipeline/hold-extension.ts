/**
 * Raises the hold of an answer under way. A database that is away decides nothing about money: the call is repeated until it
 * is back or the wait is over (decision 0035).
 */

import type { Clock } from '../contract/kit.js'
import type { CoverVerdict } from '../contract/line/money.js'
import type { Reserved } from '../contract/line/record.js'
import { limits } from '../toolkit/limits/limits.js'
import { pipelineLimits } from './limits.js'

/** `unavailable`: the database did not come back in time, or nobody waits any more. */
export type Extended = CoverVerdict | 'unavailable'

export class HoldExtension {
  private closed = false
  private wake: (() => void) | undefined

  constructor(
    private readonly state: Pick<Reserved, 'hold' | 'draft'>,
    private readonly clock: Clock,
  ) {}

  async to(quota: bigint): Promise<Extended> {
    const { clock } = this
    const { hold, draft } = this.state
    const giveUpAt = clock.monotonic() + limits.coverWaitMs
    for (
      let pauseMs: number = pipelineLimits.extensionPauseMinMs;
      !this.closed;
      pauseMs = Math.min(pauseMs * 2, pipelineLimits.extensionPauseMaxMs)
    ) {
      try {
        return await hold.cover(quota, draft)
      } catch {
        // Nothing is known now, neither of money nor of the owner.
      }
      if (this.closed || clock.monotonic() + pauseMs > giveUpAt) break
      await this.pause(pauseMs)
    }
    return 'unavailable'
  }

  /** Nobody waits for the answer any more. */
  close(): void {
    this.closed = true
    this.wake?.()
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.wake = undefined
        cancel()
        resolve()
      }
      const cancel = this.clock.after(ms, done)
      this.wake = done
    })
  }
}

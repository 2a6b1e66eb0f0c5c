/**
 * What is still under way in this process: relays that have not settled and responses that have not been sent to their
 * end. Stopping waits for both (P9).
 */

import type { Clock } from '../contract/kit.js'
import type { RequestId } from '../contract/names.js'

export class Ongoing {
  private readonly relays = new Set<RequestId>()
  private responses = 0
  private waiting = new Set<() => void>()

  constructor(private readonly clock: Clock) {}

  responseBegins(): void {
    this.responses += 1
  }

  responseEnds(): void {
    this.responses -= 1
    this.look()
  }

  relayBegins(id: RequestId): void {
    this.relays.add(id)
  }

  relayEnds(id: RequestId): void {
    this.relays.delete(id)
    this.look()
  }

  running(): readonly RequestId[] {
    return [...this.relays]
  }

  /** True once nothing is under way; false when that took longer than `ms`. Absent: it may take for ever. */
  quiet(ms?: number): Promise<boolean> {
    if (this.isQuiet) return Promise.resolve(true)
    return new Promise((resolve) => {
      const done = (quiet: boolean) => {
        this.waiting.delete(look)
        cancel()
        resolve(quiet)
      }
      const look = () => done(true)
      const cancel = ms === undefined ? () => {} : this.clock.after(ms, () => done(false))
      this.waiting.add(look)
    })
  }

  private get isQuiet(): boolean {
    return this.relays.size === 0 && this.responses === 0
  }

  private look(): void {
    if (this.waiting.size === 0 || !this.isQuiet) return
    for (const tell of this.waiting) tell()
  }
}

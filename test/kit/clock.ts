/** A clock that moves when reported. Timers fire in order of their time; those of one time in the order they were set. */
import type { Clock } from '../../kernel/contract/kit.js'

interface Timer {
  readonly at: number
  readonly run: () => void
}

export class FakeClock implements Clock {
  private readonly timers = new Set<Timer>()

  /** @param unixMs what `now` states at first */
  constructor(private unixMs = 1_700_000_000_000) {}

  /** Timers that have neither fired nor been cancelled. */
  get pending(): number {
    return this.timers.size
  }

  now(): number {
    return this.unixMs
  }

  monotonic(): number {
    return this.unixMs
  }

  after(ms: number, run: () => void): () => void {
    const timer = { at: this.unixMs + Math.max(0, ms), run }
    this.timers.add(timer)
    return () => void this.timers.delete(timer)
  }

  /** Moves on and fires what falls due, timers set on the way included. */
  advance(ms: number): void {
    const end = this.unixMs + ms
    for (let timer = this.due(end); timer; timer = this.due(end)) {
      this.timers.delete(timer)
      this.unixMs = Math.max(this.unixMs, timer.at)
      timer.run()
    }
    this.unixMs = end
  }

  private due(end: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of this.timers) {
      if (timer.at <= end && (!first || timer.at < first.at)) first = timer
    }
    return first
  }
}

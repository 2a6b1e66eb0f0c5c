/**
 * Watches the cost of an answer while it is written. The price does the arithmetic; the meter decides when to ask for
 * more: at 80 % of the hold it extends by a step, and a refused step ends the stream (money.md section 5).
 */
import type { CoverVerdict, Reserved } from '../contract/exchange.js'

/** Output tokens between two looks at the cost. */
const checkEvery = 64
/** Output tokens one extension pays for. */
const stepTokens = 1024

export interface MeterEvents {
  /** The hold was raised; a paused source may go on. */
  raised(): void
  /** No more money, or its owner is gone: the stream has to end. */
  refused(verdict: Exclude<CoverVerdict, 'ok'>): void
}

export class Meter {
  private checkAt = checkEvery
  private asking = false
  private closed = false

  constructor(
    private readonly state: Reserved,
    private readonly events: MeterEvents,
  ) {}

  /** Told after each piece: how many output tokens so far. False: wait, the hold is used up. */
  at(units: number): boolean {
    if (units < this.checkAt) return true
    this.checkAt = units + checkEvery
    const { price, hold } = this.state
    if (price.free) return true
    const cost = this.cost(units)
    if (cost * 5n < hold.covered * 4n) return true
    this.ask(units)
    return !this.asking || cost < hold.covered
  }

  /** What so many output tokens cost with their prompt; nothing where nothing was written. Quota. */
  cost(units: number): bigint {
    const { price, estimate } = this.state
    return units === 0 ? 0n : price.cost({ ...estimate, output: units })
  }

  close(): void {
    this.closed = true
  }

  private ask(units: number): void {
    if (this.asking || this.closed) return
    const { price, hold, estimate } = this.state
    const wanted = price.hold({ ...estimate, output: units + Math.max(stepTokens, units >> 2) })
    if (wanted <= hold.covered) return
    this.asking = true
    hold.cover(wanted, this.state.draft).then(
      (verdict) => this.answered(verdict),
      () => this.answered('short'),
    )
  }

  private answered(verdict: CoverVerdict): void {
    this.asking = false
    if (this.closed) return
    if (verdict === 'ok') this.events.raised()
    else this.events.refused(verdict)
  }
}

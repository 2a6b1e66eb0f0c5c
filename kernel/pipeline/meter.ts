/**
 * Watches the cost of an answer while it is written: nothing goes on that the hold does not cover. The price does the
 * arithmetic; the meter decides when to ask for more: from 80 % of the hold on, by a step (ledger/README.md section 5). Where a
 * whole step is refused the rest of the hold is used up first, and then only what has arrived is extended.
 */
import type { Usage } from '../contract/event.js'
import type { Clock } from '../contract/kit.js'
import type { Reserved } from '../contract/line/record.js'
import { type Extended, HoldExtension } from './hold-extension.js'
import { pipelineLimits } from './limits.js'
import { finalUsage } from './usage.js'

const farAway = 2 ** 40

export type CoverRefused = Exclude<Extended, 'ok'>

export interface MeterEvents {
  /** What waited is covered. */
  raised(): void
  /** What waits will not be covered: the answer has to end. */
  refused(verdict: CoverRefused): void
  /** The price could not be computed. */
  failed(error: unknown): void
}

export class Meter {
  /** Output tokens up to which the hold is known to suffice. */
  private lookAt: number
  private estimatedTokens = 0
  private reported: Usage | undefined
  /** The prompt, and what was written by the upstream's own count, as far as they are known. */
  private base: Usage
  private written = 0
  private waiting = false
  private asking = false
  /** A whole step was refused. */
  private tight = false
  private closed = false
  private readonly extension: HoldExtension

  constructor(
    private readonly state: Reserved,
    private readonly events: MeterEvents,
    clock: Clock,
  ) {
    this.base = state.estimate
    this.lookAt = state.price.free ? farAway : Math.floor((state.heldOutput * 4) / 5)
    this.extension = new HoldExtension(state, clock)
  }

  /**
   * Called before a piece goes on: the output tokens so far, with it, and what the upstream has counted. False: it has to
   * wait, and an event reports the result.
   */
  covers(estimatedTokens: number, reported: Usage | undefined): boolean {
    this.estimatedTokens = estimatedTokens
    if (estimatedTokens < this.lookAt && reported === this.reported) return true
    const { price, hold } = this.state
    if (price.free) return true
    const news = reported !== this.reported
    if (news) this.take(reported)
    const cost = this.cost(estimatedTokens)
    if (this.isNear(cost)) this.ask(cost)
    else this.lookAt = news ? estimatedTokens : this.nextLook(estimatedTokens)
    this.waiting = cost > hold.covered
    return !this.waiting
  }

  /** What so many output tokens cost with their prompt; nothing where nothing was written. Quota. */
  cost(estimatedTokens: number): bigint {
    if (estimatedTokens === 0) return 0n
    const output = Math.max(estimatedTokens, this.written)
    return this.state.price.cost({ ...this.base, output })
  }

  close(): void {
    this.closed = true
    this.extension.close()
  }

  private take(reported: Usage | undefined): void {
    this.reported = reported
    if (reported === undefined) return
    const { estimatedTokens, state } = this
    this.base = finalUsage({
      reported,
      estimatedTokens,
      estimate: state.estimate,
      outgoing: state,
    }).usage
    this.written = this.base.output ?? 0
  }

  private isNear(cost: bigint): boolean {
    const { covered } = this.state.hold
    return this.tight ? cost > covered : cost * 5n >= covered * 4n
  }

  /** The price alone knows how it grows: doubles its steps up to the mark, then halves them back to it. */
  private nextLook(estimatedTokens: number): number {
    let from = estimatedTokens
    let step = pipelineLimits.extensionTokens
    while (step < farAway && !this.isNear(this.cost(from + step))) {
      from += step
      step *= 2
    }
    for (step /= 2; step >= 1; step /= 2) {
      if (!this.isNear(this.cost(from + step))) from += step
    }
    return from + 1
  }

  private ask(cost: bigint): void {
    if (this.asking || this.closed) return
    const wanted = this.tight ? cost : this.withStep()
    if (wanted <= this.state.hold.covered) return
    this.asking = true
    this.extension
      .to(wanted)
      .then((verdict) => this.answered(verdict))
      .catch((error) => this.events.failed(error))
  }

  private withStep(): bigint {
    const { estimatedTokens, base } = this
    const output =
      Math.max(estimatedTokens, this.written) +
      Math.max(pipelineLimits.extensionTokens, estimatedTokens >> 2)
    return this.state.price.hold({ ...base, output })
  }

  private answered(verdict: Extended): void {
    this.asking = false
    if (this.closed) return
    const exact = this.tight
    this.tight ||= verdict.startsWith('short')
    if (verdict === 'gone') this.events.refused(verdict)
    else if (!this.waiting) return
    else if (verdict === 'unavailable') this.events.refused(verdict)
    else this.afterWaiting(verdict, exact)
  }

  private afterWaiting(verdict: Exclude<Extended, 'gone' | 'unavailable'>, exact: boolean): void {
    const cost = this.cost(this.estimatedTokens)
    if (cost <= this.state.hold.covered) {
      this.waiting = false
      this.lookAt = this.estimatedTokens
      this.events.raised()
    } else if (verdict === 'ok' || !exact) this.ask(cost)
    else this.events.refused(verdict)
  }
}

/**
 * The money of one session over a WebSocket: one hold, raised before each answer to what the session has cost and that
 * answer may cost, and again while it is written (BILL-9, M2, M27). A database that is away is waited for
 * (decision 0035).
 */
import type { Usage } from '../contract/event.js'
import type { Clock } from '../contract/kit.js'
import type { Reserved } from '../contract/line/record.js'
import type { SocketSession } from '../contract/operation.js'
import { type Extended, HoldExtension } from './hold-extension.js'
import { pipelineLimits } from './limits.js'

export interface MeterEvents {
  /** The hold will not be raised: the session has to end. */
  refused(verdict: Exclude<Extended, 'ok'>): void
}

export class SocketMeter {
  private checkAt: number = pipelineLimits.sessionCheckTokens
  private raising: Promise<boolean> | undefined
  private closed = false
  private readonly extension: HoldExtension

  constructor(
    private readonly state: Pick<Reserved, 'price' | 'hold' | 'draft'>,
    private readonly session: SocketSession,
    private readonly events: MeterEvents,
    clock: Clock,
  ) {
    this.extension = new HoldExtension(state, clock)
  }

  /** An answer begins. True: it is covered; else the promise of it, false once the session has to end. */
  begin(): true | Promise<boolean> {
    this.checkAt = this.session.estimatedTokens + pipelineLimits.sessionCheckTokens
    return this.raise((session) => session.ahead())
  }

  /** Something came. True: go on; else wait for the promise. Between answers only what is spent already counts. */
  look(): true | Promise<boolean> {
    const { session, state } = this
    if (session.estimatedTokens < this.checkAt) return true
    const cost = state.price.cost(session.usage)
    const { covered } = state.hold
    this.checkAt = session.estimatedTokens + this.tokensLeft(cost)
    if (!session.busy) return cost <= covered || this.raise(({ usage }) => usage)
    if (cost * 5n < covered * 4n) return true
    const raised = this.raise((running) => running.ahead())
    return cost < covered || raised
  }

  /** What the upstream has counted so far costs; more is not claimed before it is certain (ledger/README.md section 6). */
  confirmed(): bigint {
    return this.state.price.cost(this.session.confirmed)
  }

  close(): void {
    this.closed = true
    this.extension.close()
  }

  /** How many more output tokens what is left of the hold pays for, by what a step of them costs. */
  private tokensLeft(cost: bigint): number {
    const { price, hold } = this.state
    const left = hold.covered - cost
    if (price.free || left >= cost) return pipelineLimits.sessionCheckTokens
    const step = price.cost(this.session.ahead()) - cost
    if (left <= 0n || step <= 0n) return 1
    const estimatedTokens = Number((left * BigInt(pipelineLimits.sessionCheckTokens)) / step)
    return Math.min(Math.max(estimatedTokens, 1), pipelineLimits.sessionCheckTokens)
  }

  private raise(until: (session: SocketSession) => Usage): true | Promise<boolean> {
    const { price, hold } = this.state
    if (price.free || this.closed) return true
    // The amount being requested may have been too little for what has come since.
    if (this.raising !== undefined) return this.raising.then((done) => done && this.raise(until))
    const wanted = price.hold(until(this.session))
    if (wanted <= hold.covered) return true
    this.raising = this.extend(wanted)
    return this.raising
  }

  private async extend(wanted: bigint): Promise<boolean> {
    const verdict = await this.extension.to(wanted)
    this.raising = undefined
    if (verdict === 'ok') return true
    if (!this.closed) this.events.refused(verdict)
    return false
  }
}

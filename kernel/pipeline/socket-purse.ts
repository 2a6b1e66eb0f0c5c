/**
 * The money of one session over a WebSocket: one hold, raised before each answer to what the session has cost and that
 * answer may cost, and again while it is written (BILL-9, failures.md M2, M27).
 */
import type { Usage } from '../contract/event.js'
import type { CoverVerdict, Reserved } from '../contract/exchange.js'
import type { SocketSession } from '../contract/operation.js'

/** Output tokens between two looks at the cost. */
const checkEvery = 64

export interface PurseEvents {
  /** No more money, or its owner is gone: the session has to end. */
  refused(verdict: Exclude<CoverVerdict, 'ok'>): void
}

export class SocketPurse {
  private checkAt = checkEvery
  private raising: Promise<boolean> | undefined
  private closed = false

  constructor(
    private readonly state: Pick<Reserved, 'price' | 'hold' | 'draft'>,
    private readonly session: SocketSession,
    private readonly events: PurseEvents,
  ) {}

  /** An answer begins. True: it is covered; else the promise of it, false once the session has to end. */
  begin(): true | Promise<boolean> {
    this.checkAt = this.session.units + checkEvery
    return this.raise((session) => session.ahead())
  }

  /** Something came. True: go on; else wait for the promise. Between answers only what is spent already counts. */
  look(): true | Promise<boolean> {
    const { session, state } = this
    if (session.units < this.checkAt) return true
    this.checkAt = session.units + checkEvery
    const cost = state.price.cost(session.usage)
    const { covered } = state.hold
    if (!session.busy) return cost <= covered || this.raise(({ usage }) => usage)
    if (cost * 5n < covered * 4n) return true
    const raised = this.raise((running) => running.ahead())
    return cost < covered || raised
  }

  /** What the upstream has counted so far costs; more is not claimed before it is certain (money.md section 6). */
  confirmed(): bigint {
    return this.state.price.cost(this.session.confirmed)
  }

  close(): void {
    this.closed = true
  }

  private raise(until: (session: SocketSession) => Usage): true | Promise<boolean> {
    const { price, hold } = this.state
    if (price.free || this.closed) return true
    // What is being asked for may have been too little for what has come since.
    if (this.raising !== undefined) return this.raising.then((done) => done && this.raise(until))
    const wanted = price.hold(until(this.session))
    if (wanted <= hold.covered) return true
    this.raising = this.asked(wanted)
    return this.raising
  }

  private async asked(wanted: bigint): Promise<boolean> {
    const verdict = await this.state.hold
      .cover(wanted, this.state.draft)
      .catch(() => 'short' as const)
    this.raising = undefined
    if (verdict === 'ok') return true
    if (!this.closed) this.events.refused(verdict)
    return false
  }
}

/**
 * The circuit breaker of one key with one model. Closed, it remembers the last outcomes; open, it lets nobody through;
 * when its pause is over it lets one trial through at a time, whose end decides. Times are those of a clock that only
 * grows, in milliseconds.
 */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import type { BreakerOptions } from './breaker-options.js'

/** The caller: compared by identity. */
export interface Trial {
  /** When it began. */
  readonly at: number
}

export interface Wait {
  readonly ms: number
  /** The upstream requested it. */
  readonly parked: boolean
}

/** A trial is under way whose end nobody knows: come again soon. */
const waitMsMin = 1_000

/** How long the pause is that it doubles, how long it is until the next try, and why. */
export interface Opening {
  readonly pauseMs: number
  readonly waitMs: number
  readonly reason: string
}

interface Outcome {
  readonly at: number
  readonly failed: boolean
}

/** Share of a pause that is left to chance, so that processes do not come back all at once. */
const jitter = 0.2

/** No try waits longer for its first content, so a trial that has not ended by then never will. */
const trialMsMax = limits.headersMs + limits.firstEventMs

export class Breaker {
  /** The last failure, for the operator. */
  reason = ''
  private outcomes: Outcome[] = []
  /** Failures in a row, and when the last was. */
  private streak = 0
  private failedAt = -Infinity
  private parkedUntil = -Infinity
  /** Undefined: closed. */
  private openedAt: number | undefined
  private retryAt = -Infinity
  private pauseMs = 0
  private trial: Trial | undefined
  private trialUntil = -Infinity

  /** @param channel as it was when this was last known to be about it */
  constructor(
    public channel: Channel,
    readonly keyId: number,
    /** Empty: every model of the key. */
    readonly model: string,
  ) {}

  admits(now: number): boolean {
    if (now < this.parkedUntil) return false
    if (this.openedAt === undefined) return true
    return now >= this.retryAt && this.isFree(now)
  }

  /** As `admits`, but without regard to the pause: its one trial may go before its time. */
  spares(now: number): boolean {
    return now >= this.parkedUntil && (this.openedAt === undefined || this.isFree(now))
  }

  /** Milliseconds until it may admit somebody, and whether that is the upstream's own word; undefined: it does now. */
  wait(now: number): Wait | undefined {
    const parked = now < this.parkedUntil
    if (parked) return { ms: this.parkedUntil - now, parked }
    if (this.admits(now)) return undefined
    return { ms: Math.max(this.retryAt - now, waitMsMin), parked }
  }

  /** Takes the one place of an open breaker. */
  take(trial: Trial): void {
    if (this.openedAt === undefined || !this.isFree(trial.at)) return
    this.trial = trial
    this.trialUntil = trial.at + trialMsMax
  }

  private isFree(now: number): boolean {
    return this.trial === undefined || now >= this.trialUntil
  }

  /** The attempt ended without a verdict. */
  release(trial: Trial): void {
    if (this.trial === trial) this.trial = undefined
  }

  /** Nobody is let through before; an earlier end gives way to a later one. */
  park(until: number, reason: string): void {
    this.parkedUntil = Math.max(this.parkedUntil, until)
    this.reason = reason
  }

  /** Answers whether nothing is left to remember. */
  answered(trial: Trial, now: number, options: BreakerOptions): boolean {
    // A call that set out before the breaker opened proves nothing about the time since.
    const isLate = this.openedAt !== undefined && trial.at <= this.openedAt
    if (isLate && this.trial !== trial) return false
    if (this.openedAt === undefined) this.remember(false, now, options)
    else this.close()
    this.streak = 0
    return now >= this.parkedUntil && !this.outcomes.some(({ failed }) => failed)
  }

  /** `trial` absent: an answer broke off that had counted as one. Returns whether it opened, or opened anew. */
  failed(trial: Trial | undefined, now: number, options: BreakerOptions, reason: string): boolean {
    const before = this.openedAt
    if (before !== undefined && (trial === undefined || this.trial !== trial)) return false
    this.reason = reason
    if (before === undefined) this.count(now, options)
    else this.open(now, Math.min(this.pauseMs * 2, options.openMsMax))
    return this.openedAt !== before
  }

  /** It opened in another process. */
  follow({ pauseMs, waitMs, reason }: Opening, now: number): void {
    this.reason = reason
    this.open(now, pauseMs)
    this.retryAt = now + waitMs
  }

  /** How it opened, for other processes. */
  opening(now: number): Opening {
    const { pauseMs, reason } = this
    return { pauseMs, waitMs: this.retryAt - now, reason }
  }

  get isOpen(): boolean {
    return this.openedAt !== undefined
  }

  status(now: number) {
    const failures = this.outcomes.filter(({ failed }) => failed).length
    const retryAt = Math.max(this.retryAt, this.parkedUntil)
    return { state: this.state(now), failures, outcomes: this.outcomes.length, retryAt }
  }

  private state(now: number): 'closed' | 'open' | 'half-open' | 'parked' {
    if (now < this.parkedUntil) return 'parked'
    if (this.openedAt === undefined) return 'closed'
    return now < this.retryAt ? 'open' : 'half-open'
  }

  private count(now: number, options: BreakerOptions): void {
    this.remember(true, now, options)
    // With little traffic a row of failures may be longer than the window, but not interrupted for ever so long.
    this.streak = now - this.failedAt > options.openMsMax ? 1 : this.streak + 1
    this.failedAt = now
    const failures = this.outcomes.filter(({ failed }) => failed).length
    if (failures >= options.failures || this.streak >= options.failures)
      this.open(now, options.openMs)
  }

  private remember(failed: boolean, at: number, { windowMs, outcomes }: BreakerOptions): void {
    this.outcomes.push({ at, failed })
    const recent = this.outcomes.filter((outcome) => at - outcome.at < windowMs)
    this.outcomes = recent.slice(-outcomes)
  }

  private open(now: number, pauseMs: number): void {
    this.openedAt = now
    this.pauseMs = pauseMs
    this.retryAt = now + pauseMs * (1 + jitter * Math.random())
    this.trial = undefined
  }

  close(): void {
    this.openedAt = undefined
    this.retryAt = -Infinity
    this.trial = undefined
    this.outcomes = []
  }
}

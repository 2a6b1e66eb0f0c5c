/**
 * What others see of the health of channels: a circuit breaker for each key of a channel and each model, and what the
 * gateway does by itself about channels that fail.
 */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel, Claim } from '../../../kernel/contract/line/channel.js'

export interface Health {
  /** May this key be tried with this model now? Asked for candidates of every pick: a lookup, no side effect. */
  admits(channelId: number, keyId: number, model: string): boolean
  /**
   * May it be tried all the same, because nobody else is left? An open breaker gives its one trial before its time then;
   * a key whose upstream requested a pause keeps it.
   */
  spares(channelId: number, keyId: number, model: string): boolean
  /** How long `admits` will return false, at least. Undefined: it returns true. */
  wait(channelId: number, keyId: number, model: string): Wait | undefined
  /**
   * Takes the place of one try, right after `admits` or `spares` returned true. A half-open breaker has one place at a time. The claim
   * learns how the round ended, which is all the breaker learns from.
   */
  claim(channel: Channel, keyId: number, model: string): Claim
  /** An answer that had begun broke off on the upstream's side. */
  broke(channel: Channel, keyId: number, model: string, failure: Failure): void
  /** Every breaker of this process that is not simply closed, and those parked by a Retry-After. */
  breakers(): readonly BreakerStatus[]
  /** The same of every process of this address. */
  breakersOfAll(): Promise<readonly BreakerStatus[]>
  /** Closes breakers by an admin's word; answers how many. */
  reset(which: BreakerScope): number
  /** The same in every process of this address; resolves with how many one of them had at most. */
  resetOfAll(which: BreakerScope): Promise<number>
  /** Milliseconds to the first content of the last answers, oldest first, at most 20. */
  latencies(channelId: number): readonly number[]
  /** Of each of these channels the same, by every process of this address. */
  latenciesOfAll(channelIds: readonly number[]): Promise<readonly (readonly number[])[]>
  /** A test by hand went well. */
  tested(channelId: number, ms: number): void
  /** What was last known of these channels, a minute old at most. */
  lastKnown(channelIds: readonly number[]): Promise<ReadonlyMap<number, LastKnown>>
}

/** From before a restart, or from another process. */
export interface LastKnown {
  /** Unix milliseconds. */
  readonly at: number
  readonly well: boolean
  /** Of the last success, milliseconds; undefined: there was none. */
  readonly ms?: number
  /** Why it failed; empty: it did not. */
  readonly reason: string
}

export interface Wait {
  readonly ms: number
  /** The upstream requested it; otherwise it failed too often. */
  readonly parked: boolean
}

export interface BreakerScope {
  readonly channelId: number
  readonly keyId?: number
  readonly model?: string
}

export interface BreakerStatus {
  readonly channelId: number
  readonly keyId: number
  /** Empty: every model of the key. */
  readonly model: string
  readonly state: 'open' | 'half-open' | 'parked'
  /** Failures among the outcomes remembered. */
  readonly failures: number
  readonly outcomes: number
  /** Unix milliseconds from which the next try is let through. */
  readonly retryAt: number
  /** The last failure in one safe sentence. */
  readonly reason: string
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    health: Health
  }
}

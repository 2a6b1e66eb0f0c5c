/** What becomes of tries: their latency, and what a success or a failure does to breakers and to the off-switch. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel, Claim } from '../../../kernel/contract/line/channel.js'
import { maskedFailure } from '../../../kernel/toolkit/errors/index.js'
import type { Trial } from './breaker.js'
import type { BreakerOptions } from './breaker-options.js'
import { type Breakers, everyModel } from './breakers.js'
import type { Health } from './health.js'
import type { Latencies } from './latencies.js'
import type { OffSwitch } from './off-switch.js'
import type { SharedBreakers } from './shared-breakers.js'
import { isConclusive, isPace, parkMs, reasonOf } from './verdict.js'

export interface OutcomeDependencies {
  readonly breakers: Breakers
  readonly latencies: Latencies
  readonly offSwitch: OffSwitch
  /** As of now. */
  breakerOptions(): BreakerOptions
  /** Milliseconds of a clock that only grows. */
  now(): number
  /** Kept for after a restart. */
  noted(channelId: number, at: number, reason: string): void
  /** Something about a channel changed that consoles show. */
  changed(channelId: number): void
  /** What the other processes of this address follow. */
  readonly shared: SharedBreakers
}

export function createOutcomes(dependencies: OutcomeDependencies): Pick<Health, 'claim' | 'broke'> {
  const { breakers, latencies, offSwitch, breakerOptions, now, noted, changed, shared } =
    dependencies

  /** One try; the object is all that is allocated for it while all is well. */
  class Attempt implements Claim, Trial {
    readonly at = now()

    constructor(
      readonly channel: Channel,
      readonly keyId: number,
      readonly model: string,
    ) {}

    get channelId(): number {
      return this.channel.id
    }

    ended(failure?: Failure): void {
      if (failure === undefined) answered(this)
      else failed(this, failure)
    }
  }

  function answered(made: Attempt): void {
    const time = now()
    latencies.add(made.channel.id, time - made.at, time)
    if (breakers.empty) return
    for (const breaker of breakers.at(made)) {
      const wasOpen = breaker.isOpen
      const isForgotten = breaker.answered(made, time, breakerOptions())
      if (wasOpen && !breaker.isOpen) shared.closed(breaker)
      if (!isForgotten) continue
      breakers.forget(breaker)
      changed(made.channel.id)
    }
  }

  function failed(made: Attempt, failure: Failure): void {
    if (isConclusive(failure)) learn(made, failure, made)
    for (const breaker of breakers.at(made)) breaker.release(made)
  }

  /** @param trial absent: what broke had been counted as a success before */
  function learn({ channel, keyId, model }: Part, failure: Failure, trial?: Trial): void {
    const time = now()
    const options = breakerOptions()
    const { text = '' } = channel.keys.find(({ id }) => id === keyId) ?? {}
    const reason = reasonOf(maskedFailure(failure, text))
    const pause = parkMs(failure)
    if (options.enabled && pause > 0) {
      const whose = failure.blame === 'channel' ? everyModel : model
      const parked = breakers.ensure(channel, keyId, whose)
      parked.park(time + pause, reason)
      shared.parked(parked, pause)
    }
    if (options.enabled && !isPace(failure)) {
      const breaker = breakers.ensure(channel, keyId, model)
      if (breaker.failed(trial, time, options, reason)) shared.opened(breaker, time)
    }
    offSwitch.consider(channel, keyId, failure, reason)
    noted(channel.id, time, reason)
    changed(channel.id)
  }

  return {
    claim(channel, keyId, model) {
      const made = new Attempt(channel, keyId, model)
      if (!breakers.empty) for (const breaker of breakers.at(made)) breaker.take(made)
      return made
    },
    broke(channel, keyId, model, failure) {
      if (isConclusive(failure)) learn({ channel, keyId, model }, failure)
    },
  }
}

/** A model at a key of a channel. */
interface Part {
  readonly channel: Channel
  readonly keyId: number
  readonly model: string
}

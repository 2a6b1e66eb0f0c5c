/**
 * The health of channels as this process sees it: who may be tried now, and what is switched off (ROUTE-3, CHAN-5,
 * S18). Breakers live in memory; what is switched off is in the tables.
 */

import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel, Claim } from '../../../kernel/contract/line/channel.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { maskedFailure, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { statusCodes } from '../../../kernel/toolkit/stage/index.js'
import type { Trial } from './breaker.js'
import { breakerTerms } from './breaker-options.js'
import { type Breakers, createBreakers, everyModel } from './breakers.js'
import type { BreakerScope, BreakerStatus, Health } from './health.js'
import { healthEvents } from './health-events.js'
import { createLatencies } from './latencies.js'
import { createOffSwitch } from './off-switch.js'
import { isConclusive, isPace, parkMs, reasonOf } from './verdict.js'

export type * from './health.js'

const breakersMax = 100_000

export default function create(kit: Kit<'channels' | 'changes' | 'options' | 'live'>): Health {
  const { settings, clock, services, log } = kit
  const { channels, changes, options, live } = services
  const breakers = createBreakers(breakersMax)
  const latencies = createLatencies()
  const changed = healthEvents(live, clock)
  const offSwitch = createOffSwitch({ settings, channels, log })
  const now = () => clock.monotonic()
  let dependencies = breakerTerms(settings)
  settings.onChange(() => {
    dependencies = breakerTerms(settings)
  })
  options.check('AutomaticDisableStatusCodes', checkStatuses)
  changes.on('channels', (ids) => {
    for (const id of ids) edited(Number(id))
  })
  changes.on('breakers', (scopes) => {
    for (const scope of scopes) breakers.reset(JSON.parse(scope) as BreakerScope)
  })

  function edited(channelId: number): void {
    const channel = channels.get(channelId)
    breakers.edited(channelId, channel)
    if (channel === undefined) latencies.forget(channelId)
  }

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

  function claim(channel: Channel, keyId: number, model: string): Claim {
    const made = new Attempt(channel, keyId, model)
    if (!breakers.empty) for (const breaker of breakers.at(made)) breaker.take(made)
    return made
  }

  function answered(made: Attempt): void {
    const time = now()
    latencies.add(made.channel.id, time - made.at)
    if (breakers.empty) return
    for (const breaker of breakers.at(made)) {
      if (!breaker.answered(made, time, dependencies)) continue
      breakers.forget(breaker)
      changed(made.channel.id)
    }
  }

  function failed(made: Attempt, failure: Failure): void {
    const { channel, keyId, model } = made
    if (isConclusive(failure)) learn(channel, keyId, model, failure, made)
    for (const breaker of breakers.at(made)) breaker.release(made)
  }

  function learn(
    channel: Channel,
    keyId: number,
    model: string,
    failure: Failure,
    trial?: Trial,
  ): void {
    const time = now()
    const { text = '' } = channel.keys.find(({ id }) => id === keyId) ?? {}
    const reason = reasonOf(maskedFailure(failure, text))
    const pause = parkMs(failure)
    if (dependencies.enabled && pause > 0) {
      const whose = failure.blame === 'channel' ? everyModel : model
      breakers.ensure(channel, keyId, whose).park(time + pause, reason)
    }
    if (dependencies.enabled && !isPace(failure)) {
      breakers.ensure(channel, keyId, model).failed(trial, time, dependencies, reason)
    }
    offSwitch.consider(channel, keyId, failure, reason)
    changed(channel.id)
  }

  return {
    admits: (channelId, keyId, model) =>
      breakers.empty || !dependencies.enabled || breakers.admits(channelId, keyId, model, now),
    spares: (channelId, keyId, model) =>
      breakers.empty ||
      !dependencies.enabled ||
      breakers.spares({ channelId, keyId, model }, now()),
    wait: (channelId, keyId, model) =>
      dependencies.enabled ? breakers.wait({ channelId, keyId, model }, now()) : undefined,
    claim,
    broke(channel, keyId, model, failure) {
      if (isConclusive(failure)) learn(channel, keyId, model, failure)
    },
    breakers: () => statuses(breakers, now(), clock.now()),
    reset: breakers.reset,
    latencies: latencies.of,
  }
}

/** @param unixMs the same moment as `now`, for those outside */
function statuses(breakers: Breakers, now: number, unixMs: number): readonly BreakerStatus[] {
  const all: BreakerStatus[] = []
  for (const breaker of breakers.all()) {
    const { state, retryAt, failures, outcomes } = breaker.status(now)
    if (state === 'closed') continue
    const { channel, keyId, model, reason } = breaker
    const at = Math.ceil(unixMs + retryAt - now)
    all.push({
      channelId: channel.id,
      keyId,
      model,
      state,
      failures,
      outcomes,
      retryAt: at,
      reason,
    })
  }
  return all
}

function checkStatuses(text: string): void {
  try {
    statusCodes(text)
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error)
    const param = 'AutomaticDisableStatusCodes'
    throw new Refusal('invalid_field', { reason: `${param}: ${fault}`, param })
  }
}

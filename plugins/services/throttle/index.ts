/** Throttle: how many requests a user, a group and an API key may relay in a window. Off until an admin says so. */
import type { Kit, Life } from '../../../kernel/contract/kit.js'
import { Refusal } from '../../../kernel/errors.js'
import { type Bucket, type Counters, createCounters } from './counters.js'
import { documentChecks, type Rules, rulesOf } from './rules.js'
import type { Throttle, ThrottledCaller } from './throttle.js'

export type * from './throttle.js'

interface InForce {
  readonly rules: Rules
  readonly counters: Counters
}

export default function create({ settings, services }: Kit<'options'>): Throttle & Life {
  let inForce: InForce | undefined

  for (const [option, check] of Object.entries(documentChecks)) {
    services.options.check(option, check)
  }

  /** Counts go on over a change of the limits, and begin anew with another window. */
  function takeOver(): void {
    const rules = rulesOf(settings)
    const same = rules !== undefined && rules.windowSeconds === inForce?.rules.windowSeconds
    inForce =
      rules === undefined
        ? undefined
        : { rules, counters: same ? inForce!.counters : createCounters(rules.windowSeconds) }
  }

  return {
    admit: (caller) => (inForce === undefined ? undefined : admit(inForce, caller)),
    succeeded(caller) {
      if (inForce === undefined) return
      const successes = successBucket(inForce.rules, caller)
      if (successes !== undefined) void inForce.counters.take(successes)
    },
    start() {
      takeOver()
      settings.onChange(takeOver)
    },
  }
}

async function admit({ rules, counters }: InForce, caller: ThrottledCaller): Promise<void> {
  const successes = successBucket(rules, caller)
  if (successes !== undefined) {
    const waitMs = await counters.full(successes)
    if (waitMs !== undefined) throw exceeded(successes, rules, waitMs)
  }
  for (const bucket of bucketsOf(rules, caller)) {
    const waitMs = await counters.take(bucket)
    if (waitMs !== undefined) throw exceeded(bucket, rules, waitMs)
  }
}

/** The narrowest first: what a key uses up in vain is not taken from its owner or the group. */
function bucketsOf(rules: Rules, caller: ThrottledCaller): readonly Bucket[] {
  const { userId, userGroup, tokenId } = caller
  const [requests] = rules.ofUser(caller)
  return [
    { key: `token:${tokenId}`, limit: tokenId === undefined ? 0 : rules.ofToken },
    { key: `user:${userId}`, limit: requests },
    { key: `group:${userGroup}`, limit: rules.ofGroup(userGroup) },
  ].filter(({ limit }) => limit > 0)
}

function successBucket(rules: Rules, caller: ThrottledCaller): Bucket | undefined {
  const [, limit] = rules.ofUser(caller)
  return limit === 0 ? undefined : { key: `success:${caller.userId}`, limit }
}

/** LIMIT-1: what the limit is, and when to come again. */
function exceeded({ limit }: Bucket, { windowSeconds }: Rules, waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000)
  const headers = {
    'retry-after': String(seconds),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(seconds),
    'x-ratelimit-policy': `${limit};w=${windowSeconds}`,
  }
  return new Refusal('rate_limit_exceeded', { seconds }, { headers })
}

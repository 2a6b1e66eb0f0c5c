/** Throttle: how many requests a user, a group and an API key may relay in a window. Off until an admin switches it on. */

import type { Life } from '../../../kernel/contract/kit.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import type { RateWindow } from '../rate-limits/index.js'
import { documentChecks, type Rules, rulesOf } from './rules.js'
import type { Throttle, ThrottledCaller } from './throttle.js'

export type * from './throttle.js'

interface InForce {
  readonly rules: Rules
  readonly window: RateWindow
}

interface Bucket {
  readonly key: string
  /** Most requests in a window. */
  readonly limit: number
}

export default function create({
  settings,
  services,
}: Kit<'options' | 'rate-limits'>): Throttle & Life {
  const limits = services['rate-limits']
  let inForce: InForce | undefined

  for (const [option, check] of Object.entries(documentChecks)) {
    services.options.check(option, check)
  }

  /** Counts go on over a change of the limits, and begin anew with another window. */
  function takeOver(): void {
    const rules = rulesOf(settings)
    inForce = rules && { rules, window: limits.window('relay', rules.windowSeconds) }
  }

  return {
    admit: (caller) => (inForce === undefined ? undefined : admit(inForce, caller)),
    succeeded(caller) {
      if (inForce === undefined) return
      const successes = successBucket(inForce.rules, caller)
      if (successes !== undefined) void inForce.window.add(successes.key)
    },
    start() {
      takeOver()
      settings.onChange(takeOver)
    },
  }
}

async function admit({ rules, window }: InForce, caller: ThrottledCaller): Promise<void> {
  const successes = successBucket(rules, caller)
  if (successes !== undefined) await window.open(successes.key, successes.limit)
  for (const { key, limit } of bucketsOf(rules, caller)) await window.take(key, limit)
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

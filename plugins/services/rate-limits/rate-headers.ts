/** What a caller is sent about a limit (LIMIT-1). */
import type { RateHeaders } from '../../../kernel/contract/services/ports.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'

/** A limit, and what is used of it. */
export interface Spent {
  readonly limit: number
  readonly windowSeconds: number
  readonly used: number
  /** Milliseconds until the window ends. */
  readonly msLeft: number
}

/** Of several limits the tightest is reported. Throws `rate_limit_exceeded` where one is exceeded. */
export function rateHeadersOf(spent: readonly Spent[]): RateHeaders {
  const exceeded = spent.filter(({ limit, used }) => used > limit)
  if (exceeded.length > 0) throw refusalOf(exceeded.reduce(longer))
  return headersOf(spent.reduce(tighter))
}

export function refusalOf(spent: Spent): Refusal {
  const seconds = secondsOf(spent)
  const headers = { 'retry-after': String(seconds), ...headersOf(spent) }
  return new Refusal('rate_limit_exceeded', { seconds }, { headers })
}

function headersOf(spent: Spent): RateHeaders {
  const { limit, windowSeconds, used } = spent
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(Math.max(limit - used, 0)),
    'x-ratelimit-reset': String(secondsOf(spent)),
    'x-ratelimit-policy': `${limit};w=${windowSeconds}`,
  }
}

/** Never 0, so that nobody tries again within the same window. */
function secondsOf({ msLeft }: Spent): number {
  return Math.max(Math.ceil(msLeft / 1000), 1)
}

function tighter(one: Spent, other: Spent): Spent {
  const [left, otherLeft] = [one.limit - one.used, other.limit - other.used]
  if (left === otherLeft) return longer(one, other)
  return left < otherLeft ? one : other
}

function longer(one: Spent, other: Spent): Spent {
  return other.msLeft > one.msLeft ? other : one
}

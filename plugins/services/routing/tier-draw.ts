/**
 * Weighted random choice inside one tier, in a time that does not grow with the tier. A weight of 0 stands by: it is
 * chosen only where no weighted candidate is left, and then evenly (ROUTE-2).
 *
 * Where chance hits nobody who can take the try, all are looked at and those who can are remembered for a moment, so
 * that an outage of thousands is not found out by each request anew.
 */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import {
  drawAmongAll,
  drawFrom,
  type Pool,
  poolOf,
  type Random,
  type Sieve,
} from './channel-pool.js'
import { lookBudget } from './look-budget.js'

export type TierDraw = (tier: readonly Channel[], sieve: Sieve) => Channel | undefined

/** A pool of a tier, and by kind of request those of it who fitted when all were looked at last. */
interface TierPool extends Pool {
  remembered?: Map<string, Remembered>
}

interface Remembered extends Pool {
  readonly until: number
}

/** Draws that may hit a channel that cannot take the try, before all are looked at. */
const drawsMax = 8
/** What fewer looks found out is found out anew each time. */
const cheapLooks = 64
/** How long those who fitted stand for the tier; who comes back meanwhile waits so long. */
const rememberMs = 250

/** @param now milliseconds of a clock that only grows */
export function tierDraw(random: Random, now: () => number): TierDraw {
  /** By tier: the channels service makes a new array where anything in it changes. */
  const pools = new WeakMap<readonly Channel[], readonly TierPool[]>()
  const budget = lookBudget(now)

  function poolsOf(tier: readonly Channel[]): readonly TierPool[] {
    const known = pools.get(tier)
    if (known !== undefined) return known
    const made = split(tier)
    pools.set(tier, made)
    return made
  }

  function choose(pool: TierPool, sieve: Sieve): Channel | undefined {
    const from = recalled(pool, sieve) ?? pool
    const drawn = drawFrom(from, sieve, drawsMax, random)
    if (drawn !== undefined || from.channels.length === 0) return drawn
    if (from.channels.length <= cheapLooks || !budget.isSpent()) {
      return drawAmongAll(sifted(pool, from, sieve), sieve, random)
    }
    return drawFrom(from, sieve, cheapLooks, random)
  }

  /** What is out of date stands in where finding out anew would cost too much now. */
  function recalled({ remembered }: TierPool, sieve: Sieve): Remembered | undefined {
    const found = remembered?.get(sieve.kind)
    if (found === undefined) return undefined
    return now() < found.until || budget.isSpent() ? found : undefined
  }

  /** One look at each. Among those remembered, nobody's time is made longer. */
  function sifted(pool: TierPool, from: Pool | Remembered, sieve: Sieve): Pool {
    const before = sieve.looks
    const fitting = poolOf(
      from.channels.filter((channel) => sieve.fits(channel)),
      pool.sums !== undefined,
    )
    const looks = Math.max(sieve.looks - before, from.channels.length)
    if (looks > cheapLooks) {
      budget.spend(looks)
      const until = 'until' in from ? from.until : now() + rememberMs
      pool.remembered ??= new Map()
      pool.remembered.set(sieve.kind, { ...fitting, until })
    }
    return fitting
  }

  return (tier, sieve) => {
    for (const pool of poolsOf(tier)) {
      const channel = choose(pool, sieve)
      if (channel !== undefined) return channel
    }
    return undefined
  }
}

/** The weighted ones, then those that stand by. */
function split(tier: readonly Channel[]): readonly TierPool[] {
  const weighted = tier.filter(({ weight }) => weight > 0)
  const standing = tier.filter(({ weight }) => weight <= 0)
  return [poolOf(weighted, true), poolOf(standing, false)].filter(
    ({ channels }) => channels.length > 0,
  )
}

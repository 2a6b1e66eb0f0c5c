/**
 * Weighted random choice inside one tier, in a time that does not grow with the tier. A weight of 0 stands by: it is
 * chosen only where no weighted candidate is left, and then evenly (ROUTE-2).
 *
 * Where chance hits nobody who can take the try, all are looked at and those who can are remembered for a moment, so
 * that an outage of thousands is not found out by each request anew.
 */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import { lookBudget } from './look-budget.js'

/** Says of a channel whether it may take this try; one object a pick, so that nothing is made per candidate. */
export interface Sieve {
  /** For requests of this kind, whoever makes them. */
  fits(channel: Channel): boolean
  /** This very request has been there. */
  wasTried(channel: Channel): boolean
  /** Requests of one kind get the same answers of `fits`. */
  readonly kind: string
  /** Keys looked at so far: what `fits` costs. */
  readonly looks: number
}

/** A number in [0, 1). */
export type Random = () => number

export type TierDraw = (tier: readonly Channel[], sieve: Sieve) => Channel | undefined

/** Channels among whom chance decides. */
interface Pool {
  readonly channels: readonly Channel[]
  /** Running sum of the weights. Absent: all alike. */
  readonly sums?: Float64Array
}

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
    const drawn = draw(from, sieve, drawsMax)
    if (drawn !== undefined || from.channels.length === 0) return drawn
    if (from.channels.length <= cheapLooks || !budget.isSpent()) {
      return among(sifted(pool, from, sieve), sieve)
    }
    return draw(from, sieve, cheapLooks)
  }

  /** What is out of date stands in where finding out anew would cost too much now. */
  function recalled({ remembered }: TierPool, sieve: Sieve): Remembered | undefined {
    const found = remembered?.get(sieve.kind)
    if (found === undefined) return undefined
    return now() < found.until || budget.isSpent() ? found : undefined
  }

  /** Drawing again until one fits leaves the shares of those that fit as they are. */
  function draw(pool: Pool, sieve: Sieve, most: number): Channel | undefined {
    const draws = Math.min(most, pool.channels.length)
    for (let drawn = 0; drawn < draws; drawn++) {
      const channel = pool.channels[placeOf(random(), pool)]!
      if (!sieve.wasTried(channel) && sieve.fits(channel)) return channel
    }
    return undefined
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

  /** The share of whoever comes is its part of the weights so far. */
  function among({ channels, sums }: Pool, sieve: Sieve): Channel | undefined {
    let chosen: Channel | undefined
    let total = 0
    for (const channel of channels) {
      if (sieve.wasTried(channel)) continue
      const weight = sums === undefined ? 1 : channel.weight
      total += weight
      if (random() * total < weight) chosen = channel
    }
    return chosen
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

function poolOf(channels: readonly Channel[], isWeighted: boolean): Pool {
  return isWeighted ? { channels, sums: sumsOf(channels) } : { channels }
}

function sumsOf(channels: readonly Channel[]): Float64Array {
  const sums = new Float64Array(channels.length)
  let sum = 0
  for (let at = 0; at < channels.length; at++) {
    sum += channels[at]!.weight
    sums[at] = sum
  }
  return sums
}

/** Where a number in [0, 1) falls: the first place whose running sum is above it. */
function placeOf(drawn: number, { channels, sums }: Pool): number {
  if (sums === undefined) return Math.floor(drawn * channels.length)
  const wanted = drawn * sums[sums.length - 1]!
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sums[middle]! > wanted) high = middle
    else low = middle + 1
  }
  return low
}

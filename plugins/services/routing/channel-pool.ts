/** A choice by chance among channels, by their weights or evenly. */
import type { Channel } from '../../../kernel/contract/line/channel.js'

/** States of a channel whether it may take this try; one object a pick, so that nothing is made per candidate. */
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

/** Channels among whom chance decides. */
export interface Pool {
  readonly channels: readonly Channel[]
  /** Running sum of the weights. Absent: all alike. */
  readonly sums?: Float64Array
}

/** @param isWeighted false: all alike */
export function poolOf(channels: readonly Channel[], isWeighted: boolean): Pool {
  return isWeighted ? { channels, sums: sumsOf(channels) } : { channels }
}

/** Drawing again until one fits leaves the shares of those that fit as they are. */
export function drawFrom(
  pool: Pool,
  sieve: Sieve,
  most: number,
  random: Random,
): Channel | undefined {
  const draws = Math.min(most, pool.channels.length)
  for (let drawn = 0; drawn < draws; drawn++) {
    const channel = pool.channels[placeOf(random(), pool)]!
    if (!sieve.wasTried(channel) && sieve.fits(channel)) return channel
  }
  return undefined
}

/** The share of whoever comes is its part of the weights so far. */
export function drawAmongAll(
  { channels, sums }: Pool,
  sieve: Sieve,
  random: Random,
): Channel | undefined {
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

/** The quick way to a sum: plain numbers, used only where they are exact. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Coefficients } from './bill.js'
import { countOf, type Part, parts } from './terms.js'

export interface Quick {
  /** The sum in units of 10^-scale: exact where it is a safe integer, since no term is negative. NaN: not this way. */
  units(usage: Usage): number
  halfUp(units: number): number
  up(units: number): number
}

/** Powers of ten a double holds exactly and divides by without error. */
const scaleMax = 15

export function quickRates({ perToken }: Coefficients): Quick {
  if (perToken === undefined || perToken.scale > scaleMax) return slowOnly
  const denominator = 10 ** perToken.scale
  const perCount = Object.fromEntries(
    parts.map((part) => [part, exactNumber(perToken.units[part])]),
  ) as Readonly<Record<Part, number>>

  return {
    units: (usage) =>
      countOf(usage.input) * perCount.input +
      countOf(usage.cacheRead) * perCount.cacheRead +
      countOf(usage.cacheWrite5m) * perCount.cacheWrite5m +
      countOf(usage.cacheWrite1h) * perCount.cacheWrite1h +
      countOf(usage.inputImage) * perCount.inputImage +
      countOf(usage.inputAudio) * perCount.inputAudio +
      countOf(usage.output) * perCount.output +
      countOf(usage.outputImage) * perCount.outputImage +
      countOf(usage.outputAudio) * perCount.outputAudio,
    halfUp(units) {
      const rest = units % denominator
      const whole = (units - rest) / denominator
      return rest * 2 >= denominator ? whole + 1 : whole
    },
    up(units) {
      const rest = units % denominator
      const whole = (units - rest) / denominator
      return rest > 0 ? whole + 1 : whole
    },
  }
}

const slowOnly: Quick = { units: () => Number.NaN, halfUp: () => 0, up: () => 0 }

/** Infinity where a double is not exact: any sum with it fails the check for a safe integer. */
function exactNumber(units: bigint): number {
  const number = Number(units)
  return Number.isSafeInteger(number) ? number : Number.POSITIVE_INFINITY
}

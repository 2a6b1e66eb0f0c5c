/** How many units of a card a usage is billed for: what was made, at least the minimum, in whole steps. */
import type { Usage } from '../../../../kernel/contract/event.js'
import { type Decimal, decimal, larger, one, times, upToMultiple } from '../decimal.js'
import { countIn, knownQuantity, pieces } from '../terms.js'
import { type RateCard, unitOfQuantity, wholeTask } from './rate-card.js'

export interface Units {
  readonly quantity: Decimal
  /** The quantity as the usage states it, where it cannot be true. */
  readonly stated?: string
  readonly afterMinimum: Decimal
  readonly billed: Decimal
}

/** Finer than any length that is reported, and far above what binary fractions leave behind: 5.005 stays 5.005. */
const decimals = 6

export function unitsOf({ unit, minimum, step }: RateCard, usage: Usage): Units {
  const counted = unit === wholeTask ? 1 : (quantityIn(usage, unit) ?? 1)
  const known = knownQuantity(counted, unit)
  const exact = decimal(known.toFixed(decimals))
  return {
    quantity: exact,
    ...(known !== counted && { stated: String(counted).slice(0, statedCharactersMax) }),
    ...billedUnits(exact, minimum, step),
  }
}

const statedCharactersMax = 40

/** Undefined: the usage states none. */
export function quantityIn({ quantity, counts }: Usage, unit: string): number | undefined {
  return counts === undefined ? quantity : countIn(counts, unit)
}

/** At least the minimum, then up to whole steps. */
export function billedUnits(quantity: Decimal, minimum: Decimal, step: Decimal | undefined) {
  const afterMinimum = larger(quantity, minimum)
  const billed = step === undefined ? afterMinimum : upToMultiple(afterMinimum, step)
  return { afterMinimum, billed }
}

/** USD that a task of one unit costs in the cheapest row. */
export function leastOf({ rates, minimum, step }: RateCard): Decimal {
  const price = rates.map((rate) => rate.price).reduce(smaller)
  return times(price, billedUnits(one, minimum, step).billed)
}

function smaller(left: Decimal, right: Decimal): Decimal {
  return larger(left, right) === left ? right : left
}

/** The dimension at fault where the quantity is not of the card's unit, or is missing where one unit would be a guess. */
export function unitFault({ unit }: RateCard, usage: Usage): 'unit' | 'quantity' | undefined {
  if (unit === wholeTask) return undefined
  if (usage.counts !== undefined) {
    return countIn(usage.counts, unit) === undefined ? 'unit' : undefined
  }
  const counted = dimensionIn(usage, unitOfQuantity)
  if (counted !== undefined && counted !== unit) return 'unit'
  return usage.quantity === undefined && unit !== pieces ? 'quantity' : undefined
}

export function dimensionIn({ dimensions }: Usage, name: string): string | undefined {
  return dimensions !== undefined && Object.hasOwn(dimensions, name) ? dimensions[name] : undefined
}

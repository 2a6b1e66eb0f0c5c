/** The row of a card that is the price of a usage, or the refusal that names what the card has no price of (BILL-6). */
import type { Usage } from '../../../../kernel/contract/event.js'
import { Refusal } from '../../../../kernel/toolkit/errors/index.js'
import { shownKey } from '../model-key.js'
import { dimensionIn, unitFault } from './card-units.js'
import { any, normalValue, type Rate, type RateCard } from './rate-card.js'

export interface FoundRate {
  /** From 0. */
  readonly place: number
  readonly rate: Rate
}

/** Throws the refusal `model_price_error`: what a card does not know is not charged at a guess. */
export function findRate(card: RateCard, usage: Usage, model: string): FoundRate {
  const fault = unitFault(card, usage)
  if (fault !== undefined) throw notPriced(model, [fault], usage)
  const values = card.dimensions.map((name) => {
    const value = dimensionIn(usage, name)
    return value === undefined ? undefined : normalValue(value)
  })
  const place = card.rates.findIndex((rate) => values.every((_, at) => fits(rate, at, values)))
  if (place >= 0) return { place, rate: card.rates[place]! }
  const unknown = card.dimensions.filter((_, at) => {
    return !card.rates.some((rate) => fits(rate, at, values))
  })
  // Each value is known, and only not together.
  throw notPriced(model, unknown.length > 0 ? unknown : card.dimensions, usage)
}

function fits({ values }: Rate, at: number, stated: readonly (string | undefined)[]): boolean {
  return values[at] === any || values[at] === stated[at]
}

function notPriced(model: string, dimensions: readonly string[], usage: Usage): Refusal {
  const stated = dimensions.map((name) => {
    const value = dimensionIn(usage, name)
    return value === undefined ? `no ${name}` : `${name} ${shownKey(value)}`
  })
  const details = { model, usage: ` with ${stated.join(' and ')}`, param: dimensions[0]! }
  return new Refusal('model_price_error', details)
}

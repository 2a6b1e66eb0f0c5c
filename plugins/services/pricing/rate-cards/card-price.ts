/** The price of media tasks by a rate card: one row of it, times units, times the group's ratio. */
import type { Usage } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import type { Price } from '../../../../kernel/contract/line/money.js'
import { type Bill, chargeOf, setAsideOf, toolItems } from '../bill.js'
import { sumOf, times } from '../decimal.js'
import { headOf } from '../snapshot.js'
import { anyCount, type CardRate, quotaPerUnit, type Terms } from '../terms.js'
import { type CardSteps, cardSnapshot } from './card-snapshot.js'
import { quantityIn, unitsOf } from './card-units.js'
import { findRate } from './find-rate.js'

/** `hold` and `cost` throw `model_price_error` where the card has no row for the usage. */
export function cardPriceOf(terms: Terms<CardRate>): Price {
  const { model, groupRatio, toolsFree } = terms
  const isGratis = groupRatio.units === 0n
  const isPriced = terms.rate.card.rates.some(({ price }) => price.units > 0n)

  const { card } = terms.rate
  const charged = (usage: Usage) => cardBillOf(terms, usage)

  return {
    model,
    terms: () => ({ ...headOf(terms), rate_card: card.written as unknown as JsonObject }),
    free: isGratis || (!isPriced && toolsFree),
    cost: (usage) => chargeOf(charged(usage)),
    hold: (usage) => setAsideOf(billOf(terms, usage, true)),
    explain(usage) {
      const { steps, ...rest } = charged(usage)
      return cardSnapshot(terms, { ...rest, steps })
    },
  }
}

/** What was made, at the price of its row. */
export function cardBillOf(terms: Terms<CardRate>, usage: Usage): CardBill {
  const isMade = anyCount(usage) && quantityIn(usage, terms.rate.card.unit) !== 0
  return billOf(terms, usage, isMade)
}

function billOf(terms: Terms<CardRate>, usage: Usage, isMade: boolean): CardBill {
  const steps = isMade ? stepsOf(terms, usage) : undefined
  const tools = toolItems(terms, usage)
  const amounts = [...(steps === undefined ? [] : [steps]), ...tools]
  const sum = sumOf(amounts.map(({ amount }) => amount))
  const isGratis = terms.groupRatio.units === 0n
  const isDue = steps !== undefined && steps.found.rate.price.units > 0n && !isGratis
  return { steps, tools, sum, chargeable: sum.units > 0n || isDue }
}

export interface CardBill extends Omit<Bill, 'items'> {
  /** Undefined: nothing was made. */
  readonly steps: CardSteps | undefined
}

function stepsOf({ model, rate: { card }, groupRatio }: Terms<CardRate>, usage: Usage): CardSteps {
  const found = findRate(card, usage, model)
  const units = unitsOf(card, usage)
  const perUnit = times(times(found.rate.price, quotaPerUnit), groupRatio)
  return { usage, found, units, amount: times(perUnit, units.billed) }
}

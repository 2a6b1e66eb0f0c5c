/** What is kept with a charge by a rate card: the units before and after each rule, the row that fits, and the group. */
import type { Usage } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { chargeOf } from '../bill.js'
import { type Decimal, decimalText } from '../decimal.js'
import { exact, headOf, toolsOf } from '../snapshot.js'
import type { CardRate, Terms } from '../terms.js'
import type { CardBill } from './card-price.js'
import { dimensionIn, type Units } from './card-units.js'
import type { FoundRate } from './find-rate.js'
import type { RateCard } from './rate-card.js'

export interface CardSteps {
  readonly usage: Usage
  readonly found: FoundRate
  readonly units: Units
  /** Quota. */
  readonly amount: Decimal
}

export function cardSnapshot(terms: Terms<CardRate>, bill: CardBill): JsonObject {
  const { steps } = bill
  return {
    ...headOf(terms),
    ...(steps !== undefined && { rate_card: stepsAsJson(terms.rate.card, steps) }),
    counts: steps === undefined ? {} : { units: exact(steps.units.billed) },
    amounts: steps === undefined ? {} : { units: decimalText(steps.amount) },
    sum: decimalText(bill.sum),
    quota: Number(chargeOf(bill)),
    ...(bill.tools.length > 0 && { tool_surcharges: toolsOf(bill) }),
  }
}

function stepsAsJson({ unit, minimum, step, dimensions }: RateCard, steps: CardSteps): JsonObject {
  const { usage, found, units } = steps
  return {
    unit,
    quantity: exact(units.quantity),
    ...(units.stated !== undefined && { stated_quantity: units.stated }),
    ...(minimum.units > 0n && { minimum: exact(minimum) }),
    after_minimum: exact(units.afterMinimum),
    ...(step !== undefined && { step: exact(step) }),
    units: exact(units.billed),
    dimensions: statedOf(dimensions, usage),
    rate: found.place + 1,
    when: found.rate.when,
    price: exact(found.rate.price),
  }
}

/** Of a usage only what the card reads, and of that no more than a card could hold. */
function statedOf(dimensions: readonly string[], usage: Usage): JsonObject {
  const stated = dimensions.flatMap((name) => {
    const value = dimensionIn(usage, name)
    return value === undefined ? [] : [[name, value.slice(0, valueCharactersMax)] as const]
  })
  return Object.fromEntries(stated)
}

const valueCharactersMax = 64

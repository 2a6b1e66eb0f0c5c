/**
 * The price of one model in one group. `cost` and `hold` run twice per request and more often while a stream is
 * metered, so usages without tool calls take a quick way in plain numbers, used only where it is exact.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Price } from '../../../kernel/contract/line/money.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type Bill, type Billed, billOf, chargeOf, coefficientsOf, setAsideOf } from './bill.js'
import { quickRates } from './quick-rates.js'
import { cardPriceOf } from './rate-cards/card-price.js'
import { headOf, snapshotWriter } from './snapshot.js'
import { anyCount, anyToken, type PlainRate, type Terms } from './terms.js'

/** The mode is looked at once, here: what a card needs is no step of any other price. */
export function priceOf(terms: Terms): Price {
  const { rate } = terms
  return rate.mode === 'card' ? cardPriceOf({ ...terms, rate }) : plainPriceOf({ ...terms, rate })
}

function plainPriceOf(terms: Terms<PlainRate>): Price {
  const coefficients = coefficientsOf(terms)
  const quick = quickRates(coefficients)
  const writeSnapshot = snapshotWriter(terms)
  /** The least that is charged for anything delivered, and set aside for any request. */
  const least = coefficients.priced ? 1n : 0n

  function cost(usage: Usage): bigint {
    if (usage.serverTools === undefined) {
      const units = quick.units(usage)
      if (units > 0 && units <= Number.MAX_SAFE_INTEGER) return atLeastOne(quick.halfUp(units))
      if (units === 0 && usage.dimensions === undefined) return anyCount(usage) ? least : 0n
    }
    return chargeOf(billOfAny({ usage, purpose: 'charge' }))
  }

  function hold(usage: Usage): bigint {
    if (usage.serverTools === undefined) {
      const units = quick.units(usage)
      if (units > 0 && units <= Number.MAX_SAFE_INTEGER) return BigInt(quick.up(units))
    }
    return setAsideOf(billOfAny({ usage, purpose: 'setAside' }))
  }

  /** A media task without tokens is none that a ratio is the price of (BILL-6). */
  function billOfAny(billed: Billed): Bill {
    const { usage, purpose } = billed
    const isTask = usage.dimensions !== undefined && (purpose === 'setAside' || anyCount(usage))
    if (isTask && terms.rate.mode === 'ratio' && !anyToken(usage)) {
      throw new Refusal('model_price_error', { model: terms.model, param: 'model' })
    }
    return billOf(terms, coefficients, billed)
  }

  return {
    model: terms.model,
    terms: () => headOf(terms),
    free:
      !coefficients.priced &&
      (terms.rate.mode === 'free' || terms.groupRatio.units === 0n || terms.toolsFree),
    cost,
    hold,
    explain: (usage) => writeSnapshot(billOf(terms, coefficients, { usage, purpose: 'charge' })),
  }
}

function atLeastOne(quota: number): bigint {
  return quota === 0 ? 1n : BigInt(quota)
}

/**
 * What upstreams charge, by the terms of their channels: the same arithmetic as for a charge, with another price and no
 * group, in billionths of a USD. The list price is that of the model the upstream is asked for, else of the one requested.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import type { CostQuery, CostTerms, PriceTable } from '../../../kernel/contract/line/money.js'
import { billOf, coefficientsOf } from './bill.js'
import { readCostTerms } from './cost-terms.js'
import { type Decimal, decimal, one, roundHalfUp, times } from './decimal.js'
import { normalKey } from './model-key.js'
import type { PriceMaps } from './price-maps.js'
import { quickRates } from './quick-rates.js'
import { cardBillOf } from './rate-cards/card-price.js'
import { listRate } from './rates.js'
import { anyCount, anyToken, type PlainRate, quotaMax, type Rate, type Terms } from './terms.js'
import type { ToolPrices } from './tool-prices.js'

/** Undefined: the terms have no price for such a usage. */
type CostOf = (usage: Usage) => bigint | undefined

/** Of one unit of quota; 500,000 of them are one USD. */
const billionths = decimal('2000')

const unknown: CostOf = () => undefined

export function upstreamCosts(
  maps: PriceMaps,
  tools: ToolPrices,
): NonNullable<PriceTable['upstreamCost']> {
  const known = new WeakMap<CostTerms, Map<string, CostOf>>()

  function costOf(terms: CostTerms, { upstreamModel, requestedModel }: CostQuery): CostOf {
    const own = readCostTerms(terms)
    const name = normalKey(upstreamModel)
    const ownRate = own.maps && listRate(own.maps, name)
    if (ownRate !== undefined) return meter(ownRate, name, one)
    const { factor } = own
    if (factor === undefined) return unknown
    if (factor.units === 0n) return () => 0n
    for (const model of [name, normalKey(requestedModel)]) {
      const rate = listRate(maps, model)
      if (rate !== undefined && rate.mode !== 'free') return meter(rate, model, factor)
    }
    return unknown
  }

  function meter(rate: Rate, model: string, factor: Decimal): CostOf {
    const terms = {
      ...{ model, group: '', groupRatio: times(factor, billionths), table: '' },
      ...{ toolPrice: tools.forModel(model), toolsFree: false },
    }
    return rate.mode === 'card' ? cardCost({ ...terms, rate }) : plainCost({ ...terms, rate })
  }

  return (query, usage) => {
    const { terms, upstreamModel, requestedModel } = query
    if (terms === undefined) return undefined
    let models = known.get(terms)
    if (models === undefined) {
      models = new Map()
      known.set(terms, models)
    }
    const key =
      upstreamModel === requestedModel ? upstreamModel : `${upstreamModel}\n${requestedModel}`
    let found = models.get(key)
    if (found === undefined) {
      found = costOf(terms, query)
      models.set(key, found)
    }
    return found(usage)
  }
}

function plainCost(terms: Terms<PlainRate>): CostOf {
  const coefficients = coefficientsOf(terms)
  const quick = quickRates(coefficients)
  return (usage) => {
    if (usage.serverTools === undefined && usage.dimensions === undefined) {
      const units = quick.units(usage)
      if (units >= 0 && units <= Number.MAX_SAFE_INTEGER) return BigInt(quick.halfUp(units))
    }
    // A media task without tokens is none that a ratio is the price of (BILL-6).
    const isTask = usage.dimensions !== undefined && anyCount(usage)
    if (isTask && terms.rate.mode === 'ratio' && !anyToken(usage)) return undefined
    return rounded(billOf(terms, coefficients, { usage, purpose: 'charge' }).sum)
  }
}

function cardCost(terms: Parameters<typeof cardBillOf>[0]): CostOf {
  return (usage) => {
    try {
      return rounded(cardBillOf(terms, usage).sum)
    } catch {
      return undefined
    }
  }
}

/** Half up, and nothing stays nothing: the least charge of a request is no cost. */
function rounded({ units, scale }: Decimal): bigint {
  const cost = roundHalfUp(units, scale)
  return cost > quotaMax ? quotaMax : cost
}

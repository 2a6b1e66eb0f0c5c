/**
 * One immutable version of all prices. A change of an option makes a new table; running requests keep the one they
 * were admitted with (ledger/README.md section 5). Prices are made on first use and kept.
 */
import type { Price, PriceQuery } from '../../../kernel/contract/line/money.js'
import type { Decimal } from './decimal.js'
import { normalKey } from './model-key.js'
import { priceOf } from './price.js'
import type { PriceMaps } from './price-maps.js'
import type { PriceBook } from './pricing.js'
import { namesIn, quoteOf } from './quote.js'
import { rateOf } from './rates.js'
import type { Rate } from './terms.js'
import { toolPrices } from './tool-prices.js'
import { upstreamCosts } from './upstream-cost.js'

export interface Table extends PriceBook {
  /** Groups that have a ratio. */
  readonly groups: readonly string[]
  /** The factor a group has for callers of another; undefined: it has none. */
  ratio(group: string, userGroup: string): Decimal | undefined
}

export function tableOf(maps: PriceMaps, version: string): Table {
  const tools = toolPrices(maps.toolPrices)
  const models = new Map<string, Model>()
  let names: readonly string[] | undefined

  function modelOf(requested: string): Model | undefined {
    const known = models.get(requested)
    if (known !== undefined) return known
    const name = normalKey(requested)
    const rate = rateOf(maps, name)
    if (rate === undefined) return undefined
    const made = models.get(name) ?? { name, rate, prices: new Map() }
    models.set(name, made)
    return made
  }

  function price({
    requestedModel,
    upstreamModel,
    group,
    userGroup,
  }: PriceQuery): Price | undefined {
    const model = modelOf(requestedModel) ?? modelOf(upstreamModel)
    if (model === undefined) return undefined
    const special = specialRatio(maps, userGroup, group)
    const place = special === undefined ? group : `${userGroup}\n${group}`
    const known = model.prices.get(place)
    if (known !== undefined) return known
    const groupRatio = special ?? find(maps.groupRatio, group)
    if (groupRatio === undefined) return undefined
    const made = priceOf({
      model: model.name,
      rate: model.rate,
      group,
      groupRatio,
      userGroup: special && userGroup,
      toolPrice: tools.forModel(model.name),
      toolsFree: tools.free(model.name),
      table: version,
    })
    model.prices.set(place, made)
    return made
  }

  return {
    version,
    price,
    upstreamCost: upstreamCosts(maps, tools),
    priced: (model) => modelOf(model) !== undefined,
    quote: (model) => quoteOf(maps, normalKey(model)),
    models() {
      names ??= namesIn(maps)
      return names
    },
    groups: [...maps.groupRatio.keys()],
    ratio: (group, userGroup) =>
      specialRatio(maps, userGroup, group) ?? find(maps.groupRatio, group),
  }
}

interface Model {
  readonly name: string
  readonly rate: Rate
  /** By group, or by the caller's and the answering group where a special ratio stands. */
  readonly prices: Map<string, Price>
}

function specialRatio(maps: PriceMaps, userGroup: string, group: string): Decimal | undefined {
  const special = find(maps.groupGroupRatio, userGroup)
  return special && find(special, group)
}

function find<Value>(map: ReadonlyMap<string, Value>, name: string): Value | undefined {
  return map.get(name) ?? map.get(normalKey(name))
}

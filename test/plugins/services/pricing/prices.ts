/** Price tables for tests: easy maps by option field, everything else empty. */
import type { Price } from '../../../../kernel/contract/line/money.js'
import {
  type PriceField,
  type PriceMaps,
  priceOptions,
} from '../../../../plugins/services/pricing/price-maps.js'
import { type Table, tableOf } from '../../../../plugins/services/pricing/table.js'

export type Texts = Partial<Readonly<Record<PriceField, string>>>

const fields = Object.keys(priceOptions) as readonly PriceField[]

const empty: Texts = { groupRatio: '{"default":1}', freeModels: '[]' }

/** Values are the texts of the options. */
export function tableWith(texts: Texts, version = 'v1'): Table {
  const maps = fields.map((field) => {
    const { option, read } = priceOptions[field]
    return [field, read(option, texts[field] ?? empty[field] ?? '{}')] as const
  })
  return tableOf(Object.fromEntries(maps) as unknown as PriceMaps, version)
}

/** The price of the model `m` in the group `default`. */
export function priceWith(texts: Texts, model = 'm'): Price {
  const price = tableWith(texts).price({
    requestedModel: model,
    upstreamModel: model,
    group: 'default',
    userGroup: 'default',
  })
  if (price === undefined) throw new Error(`the table has no price for ${model}`)
  return price
}

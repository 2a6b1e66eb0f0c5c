/** All ratios and fixed prices as the family's maps, for other gateways to compare with. */
import type { PriceBook, PriceFigure } from '../../services/pricing/index.js'

const shown = [
  'model_ratio',
  'completion_ratio',
  'cache_ratio',
  'create_cache_ratio',
  'model_price',
] as const satisfies readonly PriceFigure[]

export type RatioConfig = Readonly<Record<(typeof shown)[number], Readonly<Record<string, number>>>>

/** Anyone may ask, so the maps of a version are made once. */
export function ratioConfigs(): (prices: PriceBook) => RatioConfig {
  let last: { readonly version: string; readonly maps: RatioConfig } | undefined
  return (prices) => {
    if (last?.version !== prices.version) last = { version: prices.version, maps: mapsOf(prices) }
    return last.maps
  }
}

function mapsOf(prices: PriceBook): RatioConfig {
  const maps = shown.map((figure) => [figure, figuresOf(prices, figure)])
  return Object.fromEntries(maps) as RatioConfig
}

function figuresOf(prices: PriceBook, figure: PriceFigure): Readonly<Record<string, number>> {
  const entries = prices.models().flatMap((model) => {
    const value = prices.quote(model)?.figures[figure]
    return value === undefined ? [] : [[model, value] as const]
  })
  return Object.fromEntries(entries)
}

/** What the price maps hold for one model, figure by figure, in the names and the order of the family. */
import { type Decimal, decimalText } from './decimal.js'
import type { PriceField, PriceMap, PriceMaps } from './price-maps.js'
import type { Figures, PriceFigure, Quote } from './pricing.js'

/** Maps that hold a figure per model. */
export type FigureField = Exclude<
  PriceField,
  'groupRatio' | 'groupGroupRatio' | 'freeModels' | 'toolPrices'
>

export const figureFields: Readonly<Record<PriceFigure, FigureField>> = {
  model_price: 'modelPrice',
  model_ratio: 'modelRatio',
  completion_ratio: 'completionRatio',
  cache_ratio: 'cacheRatio',
  create_cache_ratio: 'createCacheRatio',
  image_ratio: 'imageRatio',
  audio_ratio: 'audioRatio',
  audio_completion_ratio: 'audioCompletionRatio',
}

export const figureNames = Object.keys(figureFields) as readonly PriceFigure[]

/** The maps a model stands in by its name, and nothing else. */
export type ModelField = FigureField | 'freeModels'
export type ModelMaps = Pick<PriceMaps, ModelField>

export const modelFields: readonly ModelField[] = [...Object.values(figureFields), 'freeModels']

/** Undefined: no map knows the model. `name` is in normal form. */
export function quoteOf(maps: ModelMaps, name: string): Quote | undefined {
  const figures: { [figure in PriceFigure]?: number } = {}
  let any = false
  for (const figure of figureNames) {
    const value = mapOf(maps, figure).get(name)
    if (value === undefined) continue
    figures[figure] = numberOf(value)
    any = true
  }
  const free = maps.freeModels.has(name)
  return any || free ? { model: name, mode: modeOf(figures, free), figures } : undefined
}

/** Every name in any of the maps, in order. */
export function namesIn(maps: ModelMaps): readonly string[] {
  const names = new Set(maps.freeModels)
  for (const figure of figureNames) for (const name of mapOf(maps, figure).keys()) names.add(name)
  return [...names].sort()
}

/** Free by name, else the fixed price, else the ratio: as a request is charged. */
function modeOf(figures: Figures, free: boolean): Quote['mode'] {
  if (free) return 'free'
  if (figures.model_price !== undefined) return 'price'
  return figures.model_ratio === undefined ? 'none' : 'ratio'
}

function mapOf(maps: ModelMaps, figure: PriceFigure): PriceMap {
  return maps[figureFields[figure]]
}

function numberOf(value: Decimal): number {
  return Number(decimalText(value))
}

/** What the price maps hold for one model, figure by figure, in the names and the order of the family. */
import { type Decimal, decimalText } from './decimal.js'
import type { PriceField, PriceMap, PriceMaps } from './price-maps.js'
import type { Figures, PriceFigure, Quote } from './pricing.js'
import { leastOf } from './rate-cards/card-units.js'
import type { RateCard } from './rate-cards/rate-card.js'

/** Maps that hold a figure per model. */
export type FigureField = Exclude<
  PriceField,
  'groupRatio' | 'groupGroupRatio' | 'freeModels' | 'toolPrices' | 'taskRateCards'
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
export type ModelField = FigureField | 'taskRateCards' | 'freeModels'
export type ModelMaps = Pick<PriceMaps, ModelField>

export const modelFields: readonly ModelField[] = [
  ...Object.values(figureFields),
  'taskRateCards',
  'freeModels',
]

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
  const card = maps.taskRateCards.get(name)
  if (!any && !free && card === undefined) return undefined
  const mode = free ? 'free' : modeOf(figures, card)
  return { model: name, mode, figures, ...(card !== undefined && cardFacts(card)) }
}

function cardFacts(card: RateCard): Pick<Quote, 'card' | 'cardLeast'> {
  return { card: card.written, cardLeast: numberOf(leastOf(card)) }
}

/** Every name in any of the maps, in order. */
export function namesIn(maps: ModelMaps): readonly string[] {
  const names = new Set([...maps.freeModels, ...maps.taskRateCards.keys()])
  for (const figure of figureNames) for (const name of mapOf(maps, figure).keys()) names.add(name)
  return [...names].sort()
}

/** The fixed price, else the card, else the ratio: as a request is charged. */
function modeOf(figures: Figures, card: RateCard | undefined): Quote['mode'] {
  if (figures.model_price !== undefined) return 'price'
  if (card !== undefined) return 'card'
  return figures.model_ratio === undefined ? 'none' : 'ratio'
}

function mapOf(maps: ModelMaps, figure: PriceFigure): PriceMap {
  return maps[figureFields[figure]]
}

function numberOf(value: Decimal): number {
  return Number(decimalText(value))
}

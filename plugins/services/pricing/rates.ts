/** Which of the figures written of a model is its price. */
import { type Decimal, one, times } from './decimal.js'
import type { ModelMaps } from './quote.js'
import { longCacheFactor, type Rate, type Ratios } from './terms.js'

/** Free by name, else the fixed price, else the card, else the ratio. */
export function rateOf(maps: ModelMaps, model: string): Rate | undefined {
  return maps.freeModels.has(model) ? { mode: 'free' } : writtenRate(maps, model)
}

/** What a model costs that is free here: the figures that are written all the same. */
export function listRate(maps: ModelMaps, model: string): Rate | undefined {
  return writtenRate(maps, model) ?? rateOf(maps, model)
}

function writtenRate(maps: ModelMaps, model: string): Rate | undefined {
  const modelPrice = maps.modelPrice.get(model)
  if (modelPrice !== undefined) return { mode: 'price', modelPrice }
  const card = maps.taskRateCards.get(model)
  if (card !== undefined) return { mode: 'card', card }
  const modelRatio = maps.modelRatio.get(model)
  return modelRatio && { mode: 'ratio', modelRatio, ratios: ratiosOf(maps, model) }
}

/** A write into a cache costs a quarter more than reading the prompt, where nothing else is set. */
const usualCacheWrite: Decimal = { units: 125n, scale: 2 }

/** Audio output over audio input goes like text output over text input, so it never falls below the text's price. */
function ratiosOf(maps: ModelMaps, model: string): Ratios {
  const completion = maps.completionRatio.get(model) ?? one
  const cacheWrite = maps.createCacheRatio.get(model) ?? usualCacheWrite
  return {
    completion_ratio: completion,
    cache_ratio: maps.cacheRatio.get(model) ?? one,
    cache_creation_ratio: cacheWrite,
    cache_creation_ratio_1h: times(cacheWrite, longCacheFactor),
    image_ratio: maps.imageRatio.get(model) ?? one,
    audio_ratio: maps.audioRatio.get(model) ?? one,
    audio_completion_ratio: maps.audioCompletionRatio.get(model) ?? completion,
  }
}

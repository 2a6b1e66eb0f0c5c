/** What is written of a model's price, without the calls that read and write it. */
import type { components } from './schema.js'

export const figures = [
  'model_price',
  'model_ratio',
  'completion_ratio',
  'cache_ratio',
  'create_cache_ratio',
  'image_ratio',
  'audio_ratio',
  'audio_completion_ratio',
] as const
export type Figure = (typeof figures)[number]

type Schemas = components['schemas']

export type PriceRow = Schemas['PriceRow']

/** What a media task costs by what it is made of. Decimals are texts, and keep every digit. */
export type RateCard = Schemas['RateCard']

/** What is left out stays, null takes away. */
export type ModelChange = Readonly<Partial<Record<Figure, number | null>>> & {
  readonly free?: boolean
  readonly rate_card?: RateCard | null
}

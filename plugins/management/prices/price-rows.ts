/** Prices as the rows of an editor: all figures of a model in one place, null where none is written. */
import type { PriceChange, PriceFigure, Quote, WrittenCard } from '../../services/pricing/index.js'

export type PriceRow = { readonly model: string; readonly mode: Quote['mode'] } & Readonly<
  Record<PriceFigure, number | null>
> & { readonly rate_card: WrittenCard | null; readonly served: boolean }

export function priceRow({ model, mode, figures, card }: Quote, served: boolean): PriceRow {
  return {
    model,
    mode,
    model_price: figures.model_price ?? null,
    model_ratio: figures.model_ratio ?? null,
    completion_ratio: figures.completion_ratio ?? null,
    cache_ratio: figures.cache_ratio ?? null,
    create_cache_ratio: figures.create_cache_ratio ?? null,
    image_ratio: figures.image_ratio ?? null,
    audio_ratio: figures.audio_ratio ?? null,
    audio_completion_ratio: figures.audio_completion_ratio ?? null,
    rate_card: card ?? null,
    served,
  }
}

/** Null: there is no figure of the model. */
export function changeRow({ model, before, after }: PriceChange, served: boolean) {
  return {
    model,
    before: before === undefined ? null : priceRow(before, served),
    after: after === undefined ? null : priceRow(after, served),
  }
}

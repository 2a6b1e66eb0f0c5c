/** From the ratios of a model to prices: ratio 1 is two US dollars per million tokens, times the factor of the group. */
import type { PricedModel } from '../../api/pricing.js'
import type { Currency } from '../../ui/money.js'
import { ratesOf } from '../../ui/rate-card/card-text.js'

const usdOfRatioOne = 2
/** A write kept for an hour, over one kept for minutes. */
const hourFactor = 1.6

export const kinds = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'cacheWriteHour',
  'imageInput',
  'audioInput',
  'audioOutput',
] as const
export type Kind = (typeof kinds)[number]

/** US dollars per million tokens; only what the model has a figure for, and what follows from one. */
export type TokenPrices = Readonly<Partial<Record<Kind, number>>>

export function isFree(model: PricedModel): boolean {
  if (model.rate_card !== undefined)
    return ratesOf(model.rate_card).every(({ price }) => !(Number(price) > 0))
  return isPerCall(model) ? model.model_price === 0 : model.model_ratio === 0
}

/** Programs that know no rate cards take one for a price per call; this one does not. */
export function isPerCall({ quota_type, rate_card }: PricedModel): boolean {
  return quota_type === 1 && rate_card === undefined
}

/** As requests are charged: where one figure of audio is written, the other follows from it and the text's. */
export function tokenPrices(model: PricedModel, groupRatio: number): TokenPrices {
  const { audio_ratio, audio_completion_ratio, create_cache_ratio: write } = model
  const isAudio = audio_ratio !== undefined || audio_completion_ratio !== undefined
  const audioIn = isAudio ? (audio_ratio ?? 1) : undefined
  const audioOut = audio_completion_ratio ?? model.completion_ratio
  const factors: Readonly<Record<Kind, number | undefined>> = {
    input: 1,
    output: model.completion_ratio,
    cacheRead: model.cache_ratio,
    cacheWrite: write,
    cacheWriteHour: write && write * hourFactor,
    imageInput: model.image_ratio,
    audioInput: audioIn,
    audioOutput: audioIn && audioIn * audioOut,
  }
  const input = model.model_ratio * usdOfRatioOne * groupRatio
  const priced = kinds.flatMap((kind) => {
    const factor = factors[kind]
    return factor === undefined ? [] : [[kind, input * factor] as const]
  })
  return Object.fromEntries(priced)
}

export function callPrice({ model_price }: PricedModel, groupRatio: number): number {
  return model_price * groupRatio
}

/** The factor of a group; of no group in particular, the least of those that serve the model. */
export function ratioFor(
  { enable_groups }: PricedModel,
  ratios: Readonly<Record<string, number>>,
  group: string,
): number {
  if (group !== '') return ratios[group] ?? 1
  const found = enable_groups.flatMap((name) => ratios[name] ?? [])
  return found.length === 0 ? 1 : Math.min(...found)
}

export interface PriceLooks {
  readonly currency: Currency
  /** Quota of one US dollar. */
  readonly perUnit: number
  readonly locale: string
}

/** Of an amount in US dollars: `$0.15`, `¥1.095`, `75,000`. As many places as it needs, and no noise of binary fractions. */
export function priceText(usd: number, { currency, perUnit, locale }: PriceLooks): string {
  const amount = Number((usd * (currency.inUnits ? perUnit : currency.rate)).toPrecision(10))
  const places = currency.inUnits ? { maximumFractionDigits: 3 } : { minimumFractionDigits: 2 }
  const format = new Intl.NumberFormat(locale, { maximumFractionDigits: 8, ...places })
  return `${currency.symbol}${format.format(amount)}`
}

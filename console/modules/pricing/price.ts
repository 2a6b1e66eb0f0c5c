/** From the ratios of a model to prices: ratio 1 is two US dollars per million tokens, times the factor of the group. */
import type { PricedModel } from '../../api/pricing.js'
import type { Currency } from '../../ui/money.js'

const usdOfRatioOne = 2

export const kinds = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'imageInput',
  'audioInput',
  'audioOutput',
] as const
export type Kind = (typeof kinds)[number]

/** US dollars per million tokens; only what the model has a figure for. */
export type TokenPrices = Readonly<Partial<Record<Kind, number>>>

export function isFree(model: PricedModel): boolean {
  return isPerCall(model) ? model.model_price === 0 : model.model_ratio === 0
}

export function isPerCall({ quota_type }: PricedModel): boolean {
  return quota_type === 1
}

export function tokenPrices(model: PricedModel, groupRatio: number): TokenPrices {
  const input = model.model_ratio * usdOfRatioOne * groupRatio
  const { cache_ratio, create_cache_ratio, image_ratio, audio_ratio, audio_completion_ratio } =
    model
  const prices: Partial<Record<Kind, number>> = {
    input,
    output: input * model.completion_ratio,
  }
  const put = (kind: Kind, ratio: number | undefined) => {
    if (ratio !== undefined) prices[kind] = input * ratio
  }
  put('cacheRead', cache_ratio)
  put('cacheWrite', create_cache_ratio)
  put('imageInput', image_ratio)
  put('audioInput', audio_ratio)
  put('audioOutput', audio_completion_ratio && (audio_ratio ?? 1) * audio_completion_ratio)
  return prices
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

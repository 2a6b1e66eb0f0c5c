/** From the ratios of a model to prices: ratio 1 is two US dollars per million tokens, times the factor of the group. */
import type { PricedModel } from '../../api/pricing.js'
import {
  type Decimal,
  plainText,
  readDecimal,
  rounded,
  times,
  wholeNumber,
} from '../../ui/decimal.js'
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
export type TokenPrices = Readonly<Partial<Record<Kind, Decimal>>>

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
  const audioIn = isAudio ? [audio_ratio ?? 1] : undefined
  const audioOut = audio_completion_ratio ?? model.completion_ratio
  const factors: Readonly<Record<Kind, readonly (number | undefined)[] | undefined>> = {
    input: [],
    output: [model.completion_ratio],
    cacheRead: [model.cache_ratio],
    cacheWrite: [write],
    cacheWriteHour: [write, hourFactor],
    imageInput: [model.image_ratio],
    audioInput: audioIn,
    audioOutput: audioIn && [...audioIn, audioOut],
  }
  const base = [model.model_ratio, usdOfRatioOne, groupRatio]
  const priced = kinds.flatMap((kind) => {
    const own = factors[kind]
    if (own === undefined || own.includes(undefined)) return []
    return [[kind, product([...base, ...(own as readonly number[])])] as const]
  })
  return Object.fromEntries(priced)
}

export function callPrice({ model_price }: PricedModel, groupRatio: number): Decimal {
  return product([model_price, groupRatio])
}

/** Exact: each is the decimal it is written as. */
export function product(factors: readonly (number | string)[]): Decimal {
  return times(...factors.map((factor) => readDecimal(factor) ?? wholeNumber(0n)))
}

/** The factor of a group; where it does not serve the model, or none is named, the least of those that do. */
export function ratioFor(
  { enable_groups }: PricedModel,
  ratios: Readonly<Record<string, number>>,
  group: string,
): number {
  if (enable_groups.includes(group)) return ratios[group] ?? 1
  const found = enable_groups.flatMap((name) => ratios[name] ?? [])
  return found.length === 0 ? 1 : Math.min(...found)
}

export interface PriceLooks {
  readonly currency: Currency
  /** Quota of one US dollar. */
  readonly perUnit: number
  readonly locale: string
}

/** So many digits tell a price; those behind them come of ratios that are no round multiple, as 8.333333333333. */
const digitsMax = 10

/** Of an amount in US dollars: `$0.15`, `¥1.095`, `75,000`. As many places as it needs, and no noise of ratios. */
export function priceText(usd: Decimal, { currency, perUnit, locale }: PriceLooks): string {
  const rate = readDecimal(currency.inUnits ? perUnit : currency.rate) ?? wholeNumber(1n)
  const exact = times(usd, rate)
  const tooMany = String(exact.units).length - digitsMax
  const amount = tooMany > 0 ? rounded(exact, Math.max(0, exact.scale - tooMany)) : exact
  const places = currency.inUnits ? { maximumFractionDigits: 3 } : { minimumFractionDigits: 2 }
  const format = formatOf(locale, { maximumFractionDigits: 12, ...places })
  // `Intl` formats text without losing any digit.
  return `${currency.symbol}${format.format(plainText(amount) as unknown as number)}`
}

const formats = new Map<string, Intl.NumberFormat>()

/** Making one takes longer than many prices take to be written. */
function formatOf(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const kept = formats.get(key)
  if (kept !== undefined) return kept
  const made = new Intl.NumberFormat(locale, options)
  formats.set(key, made)
  return made
}

/** To put prices in order, not to show them. */
export function weightOf(model: PricedModel, ratio: number): number {
  if (isFree(model)) return 0
  if (isPerCall(model) || model.rate_card) return Number(plainText(callPrice(model, ratio)))
  return Number(plainText(product([model.model_ratio, usdOfRatioOne, ratio])))
}

/**
 * What a price consists of: which ratios weigh which count, and the figures of one model in one group. Counts are
 * disjoint, so each is charged once, by its own weight:
 *
 * | count                      | weight                                                        |
 * |----------------------------|---------------------------------------------------------------|
 * | input                      | 1                                                             |
 * | cacheRead                  | cache ratio                                                   |
 * | cacheWrite5m, cacheWrite1h | creation ratio; the same x 1.6                                |
 * | inputImage, inputAudio     | image ratio; audio ratio                                      |
 * | output, outputImage        | completion ratio                                              |
 * | outputAudio                | audio ratio x audio completion ratio                          |
 *
 * all x model ratio x group ratio. Generated images are priced as output: makers publish one price for image input
 * and another for what comes out.
 */
import type { Usage } from '../../../kernel/contract/event.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import { type Decimal, decimal } from './decimal.js'
import type { RateCard } from './rate-cards/rate-card.js'
import type { ToolPrice } from './tool-prices.js'

/** Quota of 1 USD. Ratio 1 is $2 per million tokens, so exactly 1 quota per token. */
export const quotaPerUnit = decimal('500000')

/** Price of a tool is per 1,000 calls: quota of one call = price x 500. */
export const quotaPerToolCall = decimal('500')

/** No single request is charged more; the largest whole number every JSON reader keeps exact. */
export const quotaMax = BigInt(Number.MAX_SAFE_INTEGER)

/** A write kept for an hour costs 1.6 times one kept for five minutes. */
export const longCacheFactor = decimal('1.6')

/** Named as in the snapshot and the log. */
export type RatioName =
  | 'completion_ratio'
  | 'cache_ratio'
  | 'cache_creation_ratio'
  | 'cache_creation_ratio_1h'
  | 'image_ratio'
  | 'audio_ratio'
  | 'audio_completion_ratio'

export type Ratios = Readonly<Record<RatioName, Decimal>>

/** The counts that are charged; `reasoning` is part of `output`. */
export type Part = Exclude<
  keyof Usage,
  'reasoning' | 'serverTools' | 'quantity' | 'dimensions' | 'counts'
>

/** Which ratios weigh a count. */
export const weightOf: Readonly<Record<Part, readonly RatioName[]>> = {
  input: [],
  cacheRead: ['cache_ratio'],
  cacheWrite5m: ['cache_creation_ratio'],
  cacheWrite1h: ['cache_creation_ratio_1h'],
  inputImage: ['image_ratio'],
  inputAudio: ['audio_ratio'],
  output: ['completion_ratio'],
  outputImage: ['completion_ratio'],
  outputAudio: ['audio_ratio', 'audio_completion_ratio'],
}

export const parts = Object.keys(weightOf) as readonly Part[]

export type Rate = PlainRate | CardRate

export type PlainRate =
  | { readonly mode: 'ratio'; readonly modelRatio: Decimal; readonly ratios: Ratios }
  /** USD per request. */
  | { readonly mode: 'price'; readonly modelPrice: Decimal }
  | { readonly mode: 'free' }

/** USD per unit of a media task, by what it is made of. */
export interface CardRate {
  readonly mode: 'card'
  readonly card: RateCard
}

export interface Terms<Of extends Rate = Rate> {
  readonly model: string
  readonly rate: Of
  readonly group: string
  readonly groupRatio: Decimal
  /** Set where a special ratio of this group stands in place of the answering group's own. */
  readonly userGroup?: string
  readonly toolPrice: ToolPrice
  /** No tool costs anything with this model. */
  readonly toolsFree: boolean
  /** Version of the price table. */
  readonly table: string
}

/** Whole, not negative, within sanity (M21). */
export function countOf(value: number | undefined): number {
  if (value === undefined) return 0
  if (Number.isInteger(value))
    return value > limits.tokensMax ? limits.tokensMax : Math.max(value, 0)
  return typeof value === 'number' && value > 0 ? Math.min(Math.round(value), limits.tokensMax) : 0
}

/**
 * How often a fixed price is due: once, unless the answer is paid by the piece. Hundredths at most. A media task counts
 * seconds as well, so its quantity counts here only where it says that it is of pieces.
 */
export function quantityOf({ quantity = 1, dimensions, counts }: Usage): number {
  const isOfPieces = dimensions === undefined || dimensions.unit === pieces
  const counted =
    counts === undefined ? (isOfPieces ? quantity : 1) : (countIn(counts, pieces) ?? 1)
  return Math.round(knownQuantity(counted) * 100) / 100
}

export function countIn(
  counts: Readonly<Record<string, number>>,
  unit: string,
): number | undefined {
  return Object.hasOwn(counts, unit) ? counts[unit] : undefined
}

/** What cannot be a quantity counts once, and one beyond reason as the most there can be (M21). */
export function knownQuantity(quantity: number, unit: string = pieces): number {
  const most = unit === tokens ? limits.tokensMax : quantityMax
  return Number.isFinite(quantity) && quantity >= 0 ? Math.min(quantity, most) : 1
}

const quantityMax = 10_000

/** The unit of makers that sell media by what the model wrote. */
const tokens = 'token'

/** The unit of what is made as a whole: pictures, clips, tracks. */
export const pieces = 'piece'

/** True when a count of tokens stands in the usage. */
export function anyToken(usage: Usage): boolean {
  return parts.some((part) => countOf(usage[part]) > 0)
}

/** True when anything was delivered that could be charged. */
export function anyCount(usage: Usage): boolean {
  return anyToken(usage) || anyCall(usage) || anyUnit(usage)
}

/** A media task that states no quantity, or none that can be, made one thing. */
function anyUnit({ quantity, dimensions, counts }: Usage): boolean {
  if (counts !== undefined) {
    const stated = Object.values(counts)
    return stated.length === 0 || stated.some((count) => count > 0)
  }
  return quantity !== undefined && quantity >= 0 ? quantity > 0 : dimensions !== undefined
}

function anyCall({ serverTools }: Usage): boolean {
  return serverTools !== undefined && Object.values(serverTools).some((calls) => countOf(calls) > 0)
}

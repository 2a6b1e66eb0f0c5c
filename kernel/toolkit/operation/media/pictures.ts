/**
 * What pictures come to, by the words of a request: tokens as the GPT Image models count them, and how often a fixed
 * price is due. The tables stand in `plugins/operations/images/README.md`, with their sources.
 */
import type { JsonObject } from '../../../contract/json.js'

type Shape = 'square' | 'portrait' | 'landscape'

const tokensByQuality: Readonly<
  Record<'low' | 'medium' | 'high', Readonly<Record<Shape, number>>>
> = {
  low: { square: 272, portrait: 408, landscape: 400 },
  medium: { square: 1056, portrait: 1584, landscape: 1568 },
  high: { square: 4160, portrait: 6240, landscape: 6208 },
}

/** A picture on the way to the finished one. */
const tokensPerPartial = 100

/** Output tokens of one picture. What the upstream may choose itself counts as the dearest it can choose. */
export function tokensPerPicture({ size, quality, partial_images: partials }: JsonObject): number {
  const table = tokensByQuality[qualityOf(quality)]
  const more = typeof partials === 'number' ? partials * tokensPerPartial : 0
  return table[shapeOf(size)] + more
}

function qualityOf(quality: JsonObject[string]): keyof typeof tokensByQuality {
  if (quality === 'low') return 'low'
  return quality === 'medium' || quality === 'standard' ? 'medium' : 'high'
}

/** Undefined sizes and `auto` count as portrait, which costs most. */
function shapeOf(size: JsonObject[string]): Shape {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(String(size)) ?? []
  if (width === undefined || height === undefined) return 'portrait'
  if (width === height) return 'square'
  return Number(width) > Number(height) ? 'landscape' : 'portrait'
}

const inputBase = 65
const inputPerTile = 129
const tileSide = 512
const inputSideMax = 2048
const fidelityTokens = { square: 4160, other: 6240 } as const

/** Input tokens of a picture sent along: tiles of it once its shorter side is 512 pixels. */
export function tokensOfInput(
  { width, height }: { readonly width: number; readonly height: number },
  fidelity: JsonObject[string],
): number {
  const fit = Math.min(1, inputSideMax / Math.max(width, height))
  const scale = fit * Math.min(1, tileSide / (Math.min(width, height) * fit))
  const tiles = Math.ceil((width * scale) / tileSide) * Math.ceil((height * scale) / tileSide)
  const more = width === height ? fidelityTokens.square : fidelityTokens.other
  return inputBase + inputPerTile * tiles + (fidelity === 'high' ? more : 0)
}

/** How often the fixed price of a model is due for one picture. Only DALL·E has prices by size and quality. */
export function priceFactor({ model, size, quality }: JsonObject): number {
  const version = /dall-?e(?:-?([23]))?/i.exec(String(model))
  if (version === null) return 1
  if (version[1] !== '3') return smallFactors[String(size)] ?? 1
  return (quality === 'hd' ? 2 : 1) + (isWide(size) ? 1 : 0)
}

const smallFactors: Readonly<Record<string, number>> = { '256x256': 0.8, '512x512': 0.9 }

function isWide(size: JsonObject[string]): boolean {
  return size === '1792x1024' || size === '1024x1792'
}

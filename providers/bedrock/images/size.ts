/** A size as a client writes it, as a model has it: both sides, or the shape. */
import type { Json } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import type { ImageModel, Sizes } from './facts.js'

export type Size = { readonly width: number; readonly height: number } | { readonly shape: string }

/** Undefined: the model's own. Throws `not_expressible` for a size the model does not have. */
export function sizeFor(size: Json | undefined, { sizes }: ImageModel): Size | undefined {
  if (size === undefined || size === null || size === 'auto' || size === '') return undefined
  if (sizes.kind === 'shapes' && sizes.shapes.includes(String(size))) return { shape: String(size) }
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(String(size)) ?? []
  if (width === undefined || height === undefined) throw notExpressible('size')
  const sides = { width: Number(width), height: Number(height) }
  if (sizes.kind === 'shapes') return shapeOf(sides, sizes.shapes)
  if (!isThere(sides, sizes)) throw notExpressible('size')
  return sides
}

interface Sides {
  readonly width: number
  readonly height: number
}

function isThere({ width, height }: Sides, sizes: Exclude<Sizes, { kind: 'shapes' }>): boolean {
  if (sizes.kind === 'listed') return sizes.sizes.includes(`${width}x${height}`)
  const { sideMin, sideMax, step, ratioMax, pixelsMax } = sizes
  const isSide = (side: number) => side >= sideMin && side <= sideMax && side % step === 0
  const ratio = Math.max(width, height) / Math.min(width, height)
  return isSide(width) && isSide(height) && ratio <= ratioMax && width * height < pixelsMax
}

/** Shapes this close are the same to the eye: 1792x1024 is 16:9. */
const tolerance = 0.02

function shapeOf({ width, height }: Sides, shapes: readonly string[]): Size {
  const shape = shapes.find((one) => {
    const [across, down] = one.split(':').map(Number)
    return Math.abs(width / height / (across! / down!) - 1) <= tolerance
  })
  if (shape === undefined) throw notExpressible('size')
  return { shape }
}

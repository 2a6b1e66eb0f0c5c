/**
 * This service refuses `size` and requires the shape of a picture and, of the larger ones, its resolution. A size that
 * comes to none of its shapes stays: the service then names it to the client.
 */
import type { JsonObject } from '../../kernel/contract/json.js'

const shapes: readonly (readonly [name: string, ratio: number])[] = [
  ['1:1', 1],
  ['3:2', 3 / 2],
  ['2:3', 2 / 3],
  ['4:3', 4 / 3],
  ['3:4', 3 / 4],
  ['16:9', 16 / 9],
  ['9:16', 9 / 16],
  ['2:1', 2],
  ['1:2', 1 / 2],
  ['20:9', 20 / 9],
  ['9:20', 9 / 20],
]

/** Sizes are rounded to what models paint: 1792x1024 is meant as 16:9. */
const tolerance = 0.02

/** The longer side from which on a picture is of the higher resolution. */
const highFrom = 2048

export function spellSize(wire: JsonObject): JsonObject {
  const { size, ...rest } = wire
  if (typeof size !== 'string') return wire
  if (size === 'auto' || rest.aspect_ratio !== undefined) return rest
  const [width = 0, height = 0] = /^\d{2,5}x\d{2,5}$/.test(size) ? size.split('x').map(Number) : []
  const shape = shapes.find(([, ratio]) => Math.abs(width / height / ratio - 1) < tolerance)
  if (shape === undefined) return wire
  const isHigh = rest.resolution === undefined && Math.max(width, height) >= highFrom
  return { ...rest, aspect_ratio: shape[0], ...(isHigh && { resolution: '2k' }) }
}

/** How large a value is, so that copies of copies cannot fill the memory. */
import type { Json } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'

/** Characters that operations may add to one body. */
export const growthMax = 16 * 1024 * 1024

/** Characters of the value, about; `Infinity` beyond the bound or deeper than a body may be. Looks no further than that. */
export function sizeOf(value: Json): number {
  const rest = left(value, growthMax, limits.jsonDepthMax)
  return rest < 0 ? Number.POSITIVE_INFINITY : growthMax - rest
}

/** What is left of `room` behind the value; below 0: it does not fit. */
function left(value: Json | undefined, room: number, depth: number): number {
  if (typeof value === 'string') return room - value.length - 2
  if (typeof value !== 'object' || value === null) return room - 8
  if (depth === 0) return -1
  let rest = room - 2
  for (const [key, item] of Object.entries(value)) {
    rest = left(item, rest - key.length - 4, depth - 1)
    if (rest < 0) return rest
  }
  return rest
}

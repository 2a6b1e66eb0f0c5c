/** Comparing signatures. */
import { createHash, timingSafeEqual } from 'node:crypto'

/** Whether two texts are equal, in a time that shows neither where they differ nor how long the expected one is. */
export function isEqualInConstantTime(one: string, other: string): boolean {
  return timingSafeEqual(hashed(one), hashed(other))
}

function hashed(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

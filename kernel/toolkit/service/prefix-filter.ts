/**
 * Finds in one pass where one of many known values may begin: a rolling hash over windows of six characters, looked up in
 * a filter of bits. What it finds may be none of them; what it passes over is none.
 */

/** Characters of a window; shorter values cannot be found. */
export const windowLength = 6

const base = 16_777_619
const outgoing = power(base, windowLength)
const bitMask = (1 << 20) - 1

export class PrefixFilter {
  private readonly bits = new Int32Array((bitMask + 1) / 32)

  /** @param hash of `hashAt`, where a known value begins */
  mark(hash: number): void {
    const bit = bitOf(hash)
    this.bits[bit >>> 5] = (this.bits[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }

  /** Where, from `from` on, the next value may begin; -1: none does. The hash rolls, so a step is a few operations. */
  next(line: string, from: number): number {
    if (line.length - from < windowLength) return -1
    let hash = hashAt(line, from)
    let start = from
    for (let next = from + windowLength; next < line.length; next += 1) {
      if (this.isMarked(hash)) return start
      hash = (Math.imul(hash, base) + line.charCodeAt(next)) | 0
      hash = (hash - Math.imul(line.charCodeAt(start), outgoing)) | 0
      start += 1
    }
    return this.isMarked(hash) ? start : -1
  }

  private isMarked(hash: number): boolean {
    const bit = bitOf(hash)
    return ((this.bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
  }
}

/** Of the window that begins at `start`. */
export function hashAt(text: string, start: number): number {
  let hash = 0
  for (let index = start; index < start + windowLength; index += 1) {
    hash = (Math.imul(hash, base) + text.charCodeAt(index)) | 0
  }
  return hash
}

function bitOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & bitMask
}

function power(number: number, exponent: number): number {
  let result = 1
  for (let step = 0; step < exponent; step += 1) result = Math.imul(result, number)
  return result | 0
}

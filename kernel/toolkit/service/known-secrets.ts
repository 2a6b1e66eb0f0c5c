/**
 * Finds known values in a line in one pass, however many are known: a rolling hash over windows of six characters
 * finds where one may begin, a comparison whether it does. Thousands of channel keys cost a line no more than one.
 */

/** Known values kept; the oldest goes first. Two spellings of each secret count. */
const valuesMax = 100_000
/** Shorter values are not masked: they could be any word. */
const secretLengthMin = 6

const base = 16_777_619
const outgoing = power(base, secretLengthMin)
const bitMask = (1 << 20) - 1

export interface KnownSecrets {
  add(value: string): void
  mask(line: string): string
}

export function createKnownSecrets(max = valuesMax): KnownSecrets {
  const values = new Set<string>()
  /** By the hash of their beginning, then by length: keys of one vendor begin alike, and have few lengths. */
  const byHash = new Map<number, Map<number, Set<string>>>()
  const filter = new Int32Array((bitMask + 1) / 32)

  function forget(value: string): void {
    values.delete(value)
    const hash = hashAt(value, 0)
    const lengths = byHash.get(hash)
    const alike = lengths?.get(value.length)
    alike?.delete(value)
    if (alike?.size === 0) lengths?.delete(value.length)
    if (lengths?.size === 0) byHash.delete(hash)
  }

  /** The longest known value that begins at `start`. */
  function at(line: string, start: number, escapes: Escapes): string | undefined {
    if (escapes.cover(start)) return undefined
    let found: string | undefined
    for (const [length, alike] of byHash.get(hashAt(line, start)) ?? []) {
      if (length <= (found?.length ?? 0)) continue
      const text = line.slice(start, start + length)
      if (alike.has(text)) found = text
    }
    return found
  }

  return {
    add(value) {
      if (value.length < secretLengthMin) return
      if (values.delete(value)) values.add(value)
      if (values.has(value)) return
      const [oldest] = values
      if (values.size >= max && oldest !== undefined) forget(oldest)
      values.add(value)
      const hash = hashAt(value, 0)
      const lengths = byHash.get(hash) ?? new Map<number, Set<string>>()
      const alike = lengths.get(value.length) ?? new Set()
      byHash.set(hash, lengths.set(value.length, alike.add(value)))
      mark(hash)
    },

    mask(line) {
      if (values.size === 0) return line
      let masked = ''
      let copied = 0
      const escapes = escapesOf(line)
      let hit = nextHit(line, 0)
      while (hit >= 0) {
        const value = at(line, hit, escapes)
        if (value === undefined) {
          hit = nextHit(line, hit + 1)
          continue
        }
        masked += `${line.slice(copied, hit)}***`
        copied = hit + value.length
        hit = nextHit(line, copied)
      }
      return copied === 0 ? line : masked + line.slice(copied)
    },
  }

  /** Where, from `from` on, the next value may begin; -1: none does. The hash rolls, so a step is a few operations. */
  function nextHit(line: string, from: number): number {
    if (line.length - from < secretLengthMin) return -1
    let hash = hashAt(line, from)
    let start = from
    for (let next = from + secretLengthMin; next < line.length; next += 1) {
      if (isMarked(hash)) return start
      hash = (Math.imul(hash, base) + line.charCodeAt(next)) | 0
      hash = (hash - Math.imul(line.charCodeAt(start), outgoing)) | 0
      start += 1
    }
    return isMarked(hash) ? start : -1
  }

  function mark(hash: number): void {
    const bit = bitOf(hash)
    filter[bit >>> 5] = (filter[bit >>> 5] ?? 0) | (1 << (bit & 31))
  }

  function isMarked(hash: number): boolean {
    const bit = bitOf(hash)
    return ((filter[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0
  }
}

interface Escapes {
  /** True inside an escape sequence, where a cut would leave half of one. Asked of places in ascending order. */
  cover(start: number): boolean
}

/** Reads each run of backslashes once, however many places in it are looked up. */
function escapesOf(line: string): Escapes {
  let requested = 0
  let backslashes = 0
  return {
    cover(start) {
      let run = start
      while (run > requested && line[run - 1] === '\\') run -= 1
      backslashes = run === requested ? backslashes + (start - run) : start - run
      requested = start
      return backslashes % 2 === 1
    },
  }
}

function hashAt(text: string, start: number): number {
  let hash = 0
  for (let index = start; index < start + secretLengthMin; index += 1) {
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

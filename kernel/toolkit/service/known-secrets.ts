/**
 * Finds known values in a line in one pass, however many are known: `PrefixFilter` finds where one may begin, a comparison
 * whether it does. Thousands of channel keys cost a line no more than one.
 */
import { hashAt, PrefixFilter, windowLength } from './prefix-filter.js'

/** Known values kept; the oldest goes first. Two spellings of each secret count. */
const valuesMax = 100_000

export interface KnownSecrets {
  add(value: string): void
  mask(line: string): string
}

export function createKnownSecrets(max = valuesMax): KnownSecrets {
  const values = new Set<string>()
  /** By the hash of their beginning, then by length: keys of one vendor begin alike, and have few lengths. */
  const byHash = new Map<number, Map<number, Set<string>>>()
  const beginnings = new PrefixFilter()

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
      // Shorter values could be any word.
      if (value.length < windowLength) return
      if (values.delete(value)) values.add(value)
      if (values.has(value)) return
      const [oldest] = values
      if (values.size >= max && oldest !== undefined) forget(oldest)
      values.add(value)
      const hash = hashAt(value, 0)
      const lengths = byHash.get(hash) ?? new Map<number, Set<string>>()
      const alike = lengths.get(value.length) ?? new Set()
      byHash.set(hash, lengths.set(value.length, alike.add(value)))
      beginnings.mark(hash)
    },

    mask(line) {
      if (values.size === 0) return line
      let masked = ''
      let copied = 0
      const escapes = escapesOf(line)
      let hit = beginnings.next(line, 0)
      while (hit >= 0) {
        const value = at(line, hit, escapes)
        if (value === undefined) {
          hit = beginnings.next(line, hit + 1)
          continue
        }
        masked += `${line.slice(copied, hit)}***`
        copied = hit + value.length
        hit = beginnings.next(line, copied)
      }
      return copied === 0 ? line : masked + line.slice(copied)
    },
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

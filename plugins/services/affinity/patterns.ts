/**
 * The regular expressions of affinity rules. They meet text that clients choose, so they run on an engine whose time
 * is linear in that text (X4), and the compiled ones are kept within a bound (ROUTE-16, P14).
 */
import { LRUCache } from 'lru-cache'
import { RE2JS, RE2JSSyntaxException } from 're2js'

export const compiledMax = 4096
export const patternCharactersMax = 1024
/** A longer text matches nothing. */
export const textCharactersMax = 4096
/** Counted repetition makes a short pattern large, and time grows with its size. */
const instructionsMax = 1024

export interface Pattern {
  readonly source: string
  readonly flags: number
  /** Tells patterns apart: flags and source. */
  readonly key: string
}

/** @param flags those of RE2JS */
export function patternOf(source: string, flags = 0): Pattern {
  return { source, flags, key: `${flags}/${source}` }
}

export class Patterns {
  private readonly compiled = new LRUCache<string, RE2JS>({ max: compiledMax })

  get size(): number {
    return this.compiled.size
  }

  /** Whether it matches anywhere in the text. */
  test(pattern: Pattern, text: string): boolean {
    return text.length <= textCharactersMax && this.expression(pattern).test(text)
  }

  /** The first group of the first match, or the whole match where no group took part; undefined: no match. */
  capture(pattern: Pattern, text: string): string | undefined {
    if (text.length > textCharactersMax) return undefined
    const matcher = this.expression(pattern).matcher(text)
    if (!matcher.find()) return undefined
    const group = matcher.groupCount() > 0 ? matcher.group(1) : null
    return group ?? matcher.group() ?? undefined
  }

  private expression({ source, flags, key }: Pattern): RE2JS {
    const found = this.compiled.get(key)
    if (found !== undefined) return found
    const made = RE2JS.compile(source, flags)
    this.compiled.set(key, made)
    return made
  }
}

/** Why a pattern cannot be used, as the end of a sentence; undefined: it can. */
export function faultOfPattern(source: string): string | undefined {
  if (source === '') return 'must not be empty'
  if (source.length > patternCharactersMax) {
    return `must have at most ${patternCharactersMax} characters`
  }
  try {
    const size = RE2JS.compile(source).programSize()
    return size <= instructionsMax ? undefined : 'repeats too much to be matched in good time'
  } catch (error) {
    const why = error instanceof RE2JSSyntaxException ? `: ${error.error}` : ''
    return `is no regular expression this gateway can use${why}`
  }
}

/**
 * Names of models in a route: exact, or `re:` and a regular expression that is found anywhere in the name, in the syntax of
 * Go and on an engine whose time is linear in the name (X4).
 */
import { RE2JS, RE2JSSyntaxException } from 're2js'

const patternCharactersMax = 1024
/** Counted repetition makes a short pattern large, and time and memory grow with its size. */
const instructionsMax = 512
/** Of all patterns of one document together: a name may be held against each of them. */
const documentInstructionsMax = 16_384

export type ModelTest = (model: string) => boolean

/** Compiles the patterns of one document, each once, and keeps count of their size. */
export class ModelPatterns {
  private instructions = 0

  /** An empty list is every model. Throws an `Error` that goes on after `models`. */
  testOf(entries: readonly string[]): ModelTest {
    if (entries.length === 0) return () => true
    const names = new Set<string>()
    const patterns: RE2JS[] = []
    for (const [index, entry] of entries.entries()) {
      if (entry === '') throw new Error(`[${index}] is empty`)
      if (entry.startsWith('re:')) patterns.push(this.pattern(entry.slice('re:'.length), index))
      else names.add(entry)
    }
    return (model) => names.has(model) || patterns.some((pattern) => pattern.test(model))
  }

  private pattern(source: string, index: number): RE2JS {
    if (source.length > patternCharactersMax) {
      throw new Error(`[${index}] is longer than ${patternCharactersMax} characters`)
    }
    const pattern = compiled(source, index)
    const size = pattern.programSize()
    if (size > instructionsMax || this.instructions + size > documentInstructionsMax) {
      throw new Error(`[${index}] repeats too much to be matched in good time`)
    }
    this.instructions += size
    return pattern
  }
}

function compiled(source: string, index: number): RE2JS {
  try {
    return RE2JS.compile(source)
  } catch (error) {
    const why = error instanceof RE2JSSyntaxException ? `: ${error.error}` : ''
    throw new Error(`[${index}] is no regular expression of Go${why}`)
  }
}

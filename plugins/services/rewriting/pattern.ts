/**
 * Regular expressions an operator writes and clients' texts are matched against: on an engine whose time is linear in
 * the text (X4), small, and never over more than a bounded amount of text.
 */
import { RE2JS, RE2JSSyntaxException } from 're2js'

const patternCharactersMax = 1024
/** Counted repetition makes a short pattern large, and time grows with its size. */
const instructionsMax = 512

/** Throws an `Error` whose message goes on after what it is the pattern of. */
export function compilePattern(source: string, letters: 'asWritten' | 'anyCase'): RE2JS {
  if (source === '') throw new Error('is empty')
  if (source.length > patternCharactersMax) {
    throw new Error(`is longer than ${patternCharactersMax} characters`)
  }
  const pattern = compiled(source, letters === 'anyCase' ? RE2JS.CASE_INSENSITIVE : 0)
  if (pattern.programSize() > instructionsMax) {
    throw new Error('repeats too much to be matched in good time')
  }
  return pattern
}

function compiled(source: string, flags: number): RE2JS {
  try {
    return RE2JS.compile(source, flags)
  } catch (error) {
    const why = error instanceof RE2JSSyntaxException ? `: ${error.error}` : ''
    throw new Error(`is no regular expression this gateway can use${why}`)
  }
}

/** A piece of a replacement: text, or what a group of the match holds. */
type Piece = string | number

export type Replacement = (groups: readonly (string | undefined)[]) => string

/**
 * `$1`, `${1}` and `${name}` stand for groups of the match, `$0` for all of it, `$$` for a dollar. Throws an `Error` as
 * above where there is no such group.
 */
export function readReplacement(text: string, pattern: RE2JS): Replacement {
  const groups = pattern.namedGroups()
  const pieces: Piece[] = []
  let from = 0
  for (const found of text.matchAll(/\$(?:\$|(\d{1,2})|\{(\w+)\})/g)) {
    pieces.push(text.slice(from, found.index))
    pieces.push(found[0] === '$$' ? '$' : groupOf(found[1] ?? found[2]!, groups, pattern))
    from = found.index + found[0].length
  }
  pieces.push(text.slice(from))
  return (values) =>
    pieces.map((piece) => (typeof piece === 'string' ? piece : (values[piece] ?? ''))).join('')
}

function groupOf(word: string, names: Readonly<Record<string, number>>, pattern: RE2JS): number {
  const number = /^\d+$/.test(word) ? Number(word) : Object.hasOwn(names, word) ? names[word] : -1
  if (number === undefined || number < 0 || number > pattern.groupCount()) {
    throw new Error(`names the group "${word}", which the pattern does not have`)
  }
  return number
}

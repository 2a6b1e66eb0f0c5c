/** Modes that change texts. What is no text stays as it is. */
import type { Members } from './members.js'
import { compilePattern, readReplacement } from './pattern.js'
import type { Act, Run } from './run.js'
import { editing } from './value-modes.js'

type Rewrite = (text: string, run: Run) => string

/** A longer text is left as it is by patterns. */
const matchedCharactersMax = 64 * 1024

export const textModes: Readonly<Record<string, (members: Members) => Act>> = {
  trim_prefix: (members) =>
    withWord(members, (text, word) => (text.startsWith(word) ? text.slice(word.length) : text)),
  trim_suffix: (members) =>
    withWord(members, (text, word) =>
      text.endsWith(word) ? text.slice(0, text.length - word.length) : text,
    ),
  ensure_prefix: (members) =>
    withWord(members, (text, word) => (text.startsWith(word) ? text : word + text)),
  ensure_suffix: (members) =>
    withWord(members, (text, word) => (text.endsWith(word) ? text : text + word)),
  trim_space: (members) => rewriting(members, (text) => text.trim()),
  to_lower: (members) => rewriting(members, (text) => text.toLowerCase()),
  to_upper: (members) => rewriting(members, (text) => text.toUpperCase()),
  replace: replacing,
  regex_replace: matching,
}

function rewriting(members: Members, rewrite: Rewrite): Act {
  return editing(members.path(), 'leave', (value, run) => {
    if (typeof value !== 'string') return value
    const after = rewrite(value, run)
    const growth = after.length - value.length
    return growth <= 0 || run.mayGrow(growth, members.mode) ? after : value
  })
}

function withWord(members: Members, rewrite: (text: string, word: string) => string): Act {
  const word = members.textValue()
  return rewriting(members, (text) => rewrite(text, word))
}

function replacing(members: Members): Act {
  const from = members.neededText('from')
  const to = members.text('to') ?? ''
  return rewriting(members, (text, run) => {
    const parts = text.split(from)
    const growth = (to.length - from.length) * (parts.length - 1)
    return run.fits(growth, members.mode) ? parts.join(to) : text
  })
}

function matching(members: Members): Act {
  const { pattern, replacement } = patternOf(members)
  const size = pattern.programSize()
  return rewriting(members, (text, run) => {
    if (text.length > matchedCharactersMax || !run.mayMatch(text.length * size)) {
      run.note(`skip ${members.mode}: the text is too long`)
      return text
    }
    let made = 0
    const after = pattern.matcher(text).replaceAll((...found) => {
      const part = made > madeMax ? '' : replacement(groupsOf(found, pattern.groupCount()))
      made += part.length
      return part
    })
    if (made <= madeMax) return after
    run.note(`skip ${members.mode}: the text would become too long`)
    return text
  })
}

/** What all matches of one text may become, in characters. */
const madeMax = 1024 * 1024

function patternOf(members: Members) {
  const source = members.neededText('from')
  const to = members.text('to') ?? ''
  try {
    const pattern = compilePattern(source, 'asWritten')
    return { pattern, replacement: readReplacement(to, pattern) }
  } catch (error) {
    throw members.fault(`whose pattern or replacement ${(error as Error).message}`)
  }
}

/** The match and its groups; behind them stand its place and the whole text. */
function groupsOf(found: readonly unknown[], count: number): readonly (string | undefined)[] {
  return found.slice(0, count + 1).map((group) => (typeof group === 'string' ? group : undefined))
}

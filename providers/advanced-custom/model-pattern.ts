/** Names of models in a route: exact, or `re:` and a pattern for the whole name. */
import { linearPattern } from './linear-pattern.js'

const patternCharactersMax = 200

/** What is wrong with an entry; undefined: nothing is. */
export function faultOfModel(entry: string): string | undefined {
  if (entry === '') return 'is empty'
  if (!isPattern(entry)) return undefined
  if (entry.length > patternCharactersMax)
    return `is longer than ${patternCharactersMax} characters`
  try {
    compiled(entry)
    return undefined
  } catch (error) {
    if (error instanceof SyntaxError) return error.message
    throw error
  }
}

export type ModelTest = (model: string) => boolean

/** Entries must be without fault. An empty list is every model. */
export function modelTest(entries: readonly string[]): ModelTest {
  if (entries.length === 0) return () => true
  const names = new Set(entries.filter((entry) => !isPattern(entry)))
  const patterns = entries.filter(isPattern).map(compiled)
  return (model) => names.has(model) || patterns.some((matches) => matches(model))
}

function isPattern(entry: string): boolean {
  return entry.startsWith('re:')
}

/** Patterns stand for the whole name whether or not they are anchored. */
function compiled(entry: string): ModelTest {
  return linearPattern(
    entry
      .slice('re:'.length)
      .replace(/^\^/, '')
      .replace(/(?<!\\)\$$/, ''),
  )
}

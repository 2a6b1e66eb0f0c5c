/** Answers and requests in which one member is something else, at every depth, so that each is once what nobody expects. */
import { isObject, type Json } from '../../kernel/contract/json.js'

export interface Mutated {
  /** The member and what it is now, for messages. */
  readonly where: string
  readonly value: Json
}

const hostile: readonly Json[] = [
  ...[null, true, false, 0, -1, 1e308, 1.5],
  ...[
    '',
    ' ',
    'NaN',
    '-5',
    '1e999',
    'javascript:alert(1)',
    'file:///etc/passwd',
    '\0',
    '9'.repeat(20_000),
  ],
  ...[[], {}, [null], [[]], [{}], { a: null }, [null, 1, 'x', {}]],
]

/** `value` with each of its members replaced by each hostile value in turn, and left out once. */
export function* mutated(value: Json): Generator<Mutated> {
  for (const path of pathsIn(value)) {
    for (const other of hostile) {
      const where = `${path.join('.')} is ${JSON.stringify(other).slice(0, 40)}`
      yield { where, value: replaced(value, path, other) }
    }
    yield { where: `${path.join('.')} is missing`, value: replaced(value, path, undefined) }
  }
}

/** With every text or number that is `from` as `to`. */
export function renamed(value: Json, from: string, to: string): Json {
  if (typeof value === 'string') return value === from ? to : value
  if (typeof value === 'number') return String(value) === from ? to : value
  if (Array.isArray(value)) return value.map((one) => renamed(one, from, to))
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, one]) => [name, renamed(one!, from, to)])
  return Object.fromEntries(members)
}

function pathsIn(value: Json, path: readonly string[] = []): (readonly string[])[] {
  const entries = Array.isArray(value) || isObject(value) ? Object.entries(value) : []
  const below = entries.flatMap(([name, one]) => pathsIn(one as Json, [...path, name]))
  return path.length === 0 ? below : [path, ...below]
}

function replaced(value: Json, [name, ...rest]: readonly string[], other: Json | undefined): Json {
  if (name === undefined) return other ?? null
  const isLast = rest.length === 0
  const change = (one: Json) => (isLast ? other : replaced(one, rest, other))
  if (Array.isArray(value)) {
    return value.flatMap((one, at) => {
      const next = String(at) === name ? change(one) : one
      return next === undefined ? [] : [next]
    })
  }
  const members = Object.entries(value as object).flatMap(([member, one]) => {
    const next = member === name ? change(one) : one
    return next === undefined ? [] : [[member, next]]
  })
  return Object.fromEntries(members)
}

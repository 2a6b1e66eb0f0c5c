/**
 * Inputs made by changing what is known to be good: most of it stays meaningful, so that the change reaches deep into a
 * parser. Every change is drawn by fast-check, which can take each back when it looks for the smallest input that fails.
 */
import fc from 'fast-check'
import type { Json } from '../../kernel/contract/json.js'

/** Written as Latin-1 text, one character a byte. */
export type Bytes = string

export function bufferOf(bytes: Bytes): Buffer {
  return Buffer.from(bytes, 'latin1')
}

export function bytesIn(text: string | Buffer): Bytes {
  return Buffer.from(text).toString('latin1')
}

/** Where an input is cut, in thousandths of its length. */
export const cuts = fc.array(fc.nat(1000), { maxLength: 8 })

export function piecesOf(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = places.map((one) => Math.floor((one * bytes.length) / 1000))
  sorted.sort((one, other) => one - other)
  return [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index]))
}

const usualTokens = [
  '\0',
  '\n',
  '\r\n',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '\u00ff',
  '\u00c3',
]

/** Bytes of the corpus with some taken out, doubled, overwritten or put in. */
export function mutatedBytes(
  corpus: readonly Bytes[],
  tokens: readonly string[] = [],
): fc.Arbitrary<Bytes> {
  const edit = fc.record({
    at: fc.nat(100_000),
    kind: fc.constantFrom('insert', 'overwrite', 'remove', 'double', 'end', 'byte'),
    token: fc.constantFrom(...tokens.map(bytesIn), ...usualTokens),
    size: fc.oneof(fc.nat(4), fc.nat(64)),
    byte: fc.nat(255),
  })
  const made = fc.tuple(fc.constantFrom(...corpus), fc.array(edit, { maxLength: 6 }))
  return made.map(([bytes, edits]) => {
    let changed = bytes
    for (const { at, kind, token, size, byte } of edits) {
      const from = at % (changed.length + 1)
      const [head, tail] = [changed.slice(0, from), changed.slice(from)]
      if (kind === 'insert') changed = head + token + tail
      else if (kind === 'overwrite') changed = head + token + tail.slice(token.length)
      else if (kind === 'remove') changed = head + tail.slice(size)
      else if (kind === 'double') changed = head + tail.slice(0, size) + tail
      else if (kind === 'byte') changed = head + String.fromCharCode(byte) + tail.slice(1)
      else changed = head
    }
    return changed
  })
}

/** A number beyond what a double holds cannot be written by `JSON.stringify`. */
const infinite = '\u0001infinite'

const hostile: readonly Json[] = [
  ...[null, true, false, 0, -1, 1.5, -0.5, 1e308, 2 ** 53, 2 ** 31, infinite, '', 'x', '0', '-1'],
  ...['\ud800', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'a'.repeat(300), '汉'],
  ...[
    'data:;base64,',
    'data:image/png;base64,@@',
    'https://a.example',
    '{"a":',
    '{}',
    '[]',
    'null',
  ],
  ...([[], {}, [null], [[]], [{}], { a: null }, [0], ['x'], [null, null]] as Json[]),
  JSON.parse('{"__proto__":{"a":1}}'),
  { length: 3 },
  { type: null },
  { type: 'text', text: null },
]

/** The text of JSON values that are changed in a few places. Keys are those the corpus knows, and a few that must not matter. */
export function mutatedJson(corpus: readonly Json[]): fc.Arbitrary<string> {
  const texts = corpus.map((value) => JSON.stringify(value))
  const known = [
    ...new Set(corpus.flatMap(keysIn)),
    '__proto__',
    'constructor',
    'toString',
    'length',
  ]
  const edit = fc.record({
    at: fc.nat(1_000_000),
    kind: fc.constantFrom(
      'put',
      'put',
      'put',
      'graft',
      'remove',
      'wrap',
      'double',
      'add',
      'rename',
    ),
    value: fc.oneof(
      fc.constantFrom(...hostile),
      fc.double({ noNaN: true }),
      fc.string(),
    ) as fc.Arbitrary<Json>,
    key: fc.constantFrom(...known),
    other: fc.nat(1_000_000),
  })
  const made = fc.tuple(fc.constantFrom(...texts), fc.array(edit, { maxLength: 5 }))
  return made.map(([text, edits]) => {
    const root = { whole: JSON.parse(text) as Json }
    for (const one of edits) apply(root, one)
    return JSON.stringify(root.whole, (_, value) =>
      value === Infinity || value === -Infinity ? infinite : value,
    ).replaceAll(JSON.stringify(infinite), '1e999')
  })
}

interface Edit {
  readonly at: number
  readonly kind: string
  readonly value: Json
  readonly key: string
  readonly other: number
}

type Holder = Record<string, Json>

function apply(root: { whole: Json }, { at, kind, value, key, other }: Edit): void {
  const places = placesIn(root as Holder)
  const [holder, name] = places[at % places.length]!
  const before = holder[name]!
  const inside = typeof before === 'object' && before !== null ? (before as Holder) : undefined
  if (kind === 'put') holder[name] = copy(value)
  else if (kind === 'graft') {
    const [from, its] = places[other % places.length]!
    holder[name] = copy(from[its]!)
  } else if (kind === 'wrap') holder[name] = [before]
  else if (kind === 'remove' && holder !== root) remove(holder, name)
  else if (kind === 'double' && Array.isArray(before)) holder[name] = [...before, ...copy(before)]
  else if (kind === 'add' && inside !== undefined) define(inside, key, copy(value))
  else if (kind === 'rename' && holder !== root && !Array.isArray(holder)) {
    remove(holder, name)
    define(holder, key, before)
  }
}

function copy<Value extends Json>(value: Value): Value {
  return JSON.parse(JSON.stringify(value))
}

/** An assignment would change what the object inherits. */
function define(holder: Holder, key: string, value: Json): void {
  if (Array.isArray(holder)) holder.push(value)
  else {
    const own = { configurable: true, enumerable: true, writable: true }
    Object.defineProperty(holder, key, { ...own, value })
  }
}

function remove(holder: Holder, name: string): void {
  if (Array.isArray(holder)) holder.splice(Number(name), 1)
  else delete holder[name]
}

function placesIn(root: Holder): readonly (readonly [Holder, string])[] {
  const places: (readonly [Holder, string])[] = []
  const open: Holder[] = [root]
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const name of Object.keys(holder)) {
      places.push([holder, name])
      const value = Object.getOwnPropertyDescriptor(holder, name)!.value
      if (typeof value === 'object' && value !== null && name !== '__proto__') open.push(value)
    }
    if (places.length > 5_000) break
  }
  return places
}

function keysIn(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap((one) => keysIn(one as Json))
  return Array.isArray(value) ? inner : [...Object.keys(value), ...inner]
}

/** Streams of server-sent events with whole events left out, doubled, put elsewhere or taken from another of them. */
export function mutatedEvents(corpus: readonly Bytes[]): fc.Arbitrary<Bytes> {
  const streams = corpus.map((stream) => stream.split(/(?<=\r?\n\r?\n)/))
  const events = streams.flat()
  const edit = fc.record({
    at: fc.nat(10_000),
    kind: fc.constantFrom('leave', 'double', 'move', 'graft'),
    other: fc.nat(100_000),
  })
  const made = fc.tuple(fc.constantFrom(...streams), fc.array(edit, { minLength: 1, maxLength: 5 }))
  return made.map(([stream, edits]) => {
    const changed = [...stream]
    for (const { at, kind, other } of edits) {
      const from = at % (changed.length + 1)
      const event = changed[from] ?? ''
      if (kind === 'leave') changed.splice(from, 1)
      else if (kind === 'double') changed.splice(from, 0, event)
      else if (kind === 'graft') changed.splice(from, 0, events[other % events.length]!)
      else changed.splice(other % (changed.length + 1), 0, ...changed.splice(from, 1))
    }
    return changed.join('')
  })
}

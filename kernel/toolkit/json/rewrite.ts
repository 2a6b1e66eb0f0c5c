/**
 * Writes a JSON value that was made out of another by copying along paths: what is still the very same value keeps its
 * source text, at any depth, so that numbers beyond 2^53 keep every digit (kernel/README.md section 5, X6).
 */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { BACKSLASH, QUOTE } from './scan.js'

/** A value and where it stands in the source text. */
interface Placed {
  readonly value: Json | undefined
  readonly start: number
  readonly end: number
}

/** Whether a member holds an object or array on both sides, yet another one: there digits inside are at stake. */
export function reachesDeep(value: JsonObject, original: JsonObject): boolean {
  for (const key in value) {
    const now = value[key]
    if (now !== original[key] && isContainer(now) && isContainer(original[key])) return true
  }
  return false
}

/** The bytes of `value`. `original.bytes` are the text of `original.value` and hold no key twice. */
export function deeplyRewritten(
  value: JsonObject,
  original: { readonly value: JsonObject; readonly bytes: Buffer },
): Buffer {
  const text = original.bytes.toString('utf8')
  const start = skipSpace(text, 0)
  const writer = new Writer(text)
  writer.write(value, { value: original.value, start, end: valueEnd(text, start) })
  return Buffer.from(writer.pieces.join(''))
}

class Writer {
  readonly pieces: string[] = []

  constructor(private readonly text: string) {}

  write(now: Json, before: Placed | undefined): void {
    if (before !== undefined && now === before.value) {
      this.pieces.push(this.text.slice(before.start, before.end))
    } else if (Array.isArray(now) && Array.isArray(before?.value)) {
      this.array(now, elementsOf(this.text, before.value, before.start))
    } else if (isObject(now) && isObject(before?.value)) {
      this.object(now, membersOf(this.text, before.value, before.start))
    } else {
      this.pieces.push(JSON.stringify(now))
    }
  }

  private object(now: JsonObject, before: ReadonlyMap<string, Placed>): void {
    let lead = '{'
    for (const key in now) {
      const value = now[key]
      if (value === undefined) continue
      this.pieces.push(`${lead}${JSON.stringify(key)}:`)
      this.write(value, before.get(key))
      lead = ','
    }
    this.pieces.push(lead === '{' ? '{}' : '}')
  }

  private array(now: readonly Json[], before: readonly Placed[]): void {
    const origins = originsOf(now, before)
    let lead = '['
    now.forEach((value, at) => {
      this.pieces.push(lead)
      this.write(value, origins[at])
      lead = ','
    })
    this.pieces.push(lead === '[' ? '[]' : ']')
  }
}

/**
 * Which element each one was. The same object is found wherever it went; another one is what stood in its place, counted
 * from the front or from the end, as long as that is not in doubt. Else none: the value is written anew.
 */
function originsOf(
  now: readonly Json[],
  before: readonly Placed[],
): readonly (Placed | undefined)[] {
  const shift = before.length - now.length
  const same = new Map(before.map((placed) => [placed.value, placed]))
  const kept = new Set(now.filter(isContainer))
  return now.map((value, at) => {
    const [front, back] = [before[at], before[at + shift]]
    if (!isContainer(value)) return [front, back].find((placed) => placed?.value === value)
    const places = [...new Set([front, back])]
    const open = places.filter((placed) => placed !== undefined && !kept.has(placed.value!))
    return same.get(value) ?? (open.length === 1 ? open[0] : undefined)
  })
}

function membersOf(text: string, object: JsonObject, start: number): ReadonlyMap<string, Placed> {
  const members = new Map<string, Placed>()
  let at = skipSpace(text, start + 1)
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at)
    const key = String(JSON.parse(text.slice(at, keyEnd)))
    const from = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = valueEnd(text, from)
    members.set(key, { value: object[key], start: from, end })
    at = skipComma(text, end)
  }
  return members
}

function elementsOf(text: string, array: readonly Json[], start: number): readonly Placed[] {
  let at = skipSpace(text, start + 1)
  return array.map((value) => {
    const from = at
    const end = valueEnd(text, from)
    at = skipComma(text, end)
    return { value, start: from, end }
  })
}

/** The place behind the value that begins at `from`. */
function valueEnd(text: string, from: number): number {
  const first = text[from]
  if (first === '"') return stringEnd(text, from)
  if (first !== '{' && first !== '[') {
    let at = from
    while (at < text.length && !',]} \t\r\n'.includes(text[at]!)) at += 1
    return at
  }
  let depth = 0
  let at = from
  do {
    const char = text[at]
    if (char === '"') {
      at = stringEnd(text, at)
      continue
    }
    if (char === '{' || char === '[') depth += 1
    else if (char === '}' || char === ']') depth -= 1
    at += 1
  } while (depth > 0 && at < text.length)
  return at
}

/** Steps walked between two searches: escaped quotes may stand so close that each search would find the next. */
const walkMax = 48

/** The place behind the closing quote of the string that opens at `open`. */
function stringEnd(text: string, open: number): number {
  let at = open + 1
  for (;;) {
    const walked = at + walkMax
    while (at < walked) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) return at + 1
      if (Number.isNaN(code)) return text.length
      at += code === BACKSLASH ? 2 : 1
    }
    const close = text.indexOf('"', at)
    if (close === -1) return text.length
    if (!isEscaped(text, at, close)) return close + 1
    at = close + 1
  }
}

/** `from` is no escaped character itself. */
function isEscaped(text: string, from: number, at: number): boolean {
  let first = at
  while (first > from && text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

function skipComma(text: string, from: number): number {
  const at = skipSpace(text, from)
  return text[at] === ',' ? skipSpace(text, at + 1) : at
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (' \t\r\n'.includes(text[at] ?? 'x')) at += 1
  return at
}

function isContainer(value: Json | undefined): boolean {
  return typeof value === 'object' && value !== null
}

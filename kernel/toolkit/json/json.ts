/**
 * Reads a JSON request body so that its text and its value cannot disagree: one cheap scan for depth and number of
 * keys, the engine's parser, and a walk that compares. Keys that stand twice, `__proto__`, numbers that are none, depth
 * without end and more than a request may hold are refused (S15, X5, X6, X7, decision 0050).
 */
import { isUtf8 } from 'node:buffer'
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { Refusal } from '../errors/refusal.js'
import { limits } from '../limits/limits.js'
import { atOnce, inTurns } from './in-turns.js'
import { type KeyRules, type Reading, readPieces } from './pieces.js'
import {
  BACKSLASH,
  builtBytes,
  isNumberPart,
  isSpace,
  JsonCounts,
  type JsonWeight,
  OPEN,
  over,
  QUOTE,
  requestBounds,
} from './scan.js'

/**
 * Throws `invalid_json`, `too_deep`, `json_too_large`, `duplicate_key` or `forbidden_key`. A large body was read ahead
 * where it came in; one that was not is read here and now.
 */
export function readJson(bytes: Buffer): JsonObject {
  const ahead = bytes.length > limits.unweighedJsonBytesMax ? readAhead.get(bytes) : undefined
  if (ahead === undefined) return isSmall(bytes) ? readSmall(bytes) : atOnce(large(bytes))
  if (ahead instanceof Refusal) throw ahead
  return ahead
}

/** The same with turns for others where the bytes are many: work for `inTurns`, or for `atOnce`. */
export function* jsonReading(bytes: Buffer): Reading<JsonObject> {
  return isSmall(bytes) ? readSmall(bytes) : yield* large(bytes)
}

/** What became of bodies that were read before their route needed them. */
const readAhead = new WeakMap<Buffer, JsonObject | Refusal>()

function isSmall(bytes: Buffer): boolean {
  return bytes.length <= limits.jsonAtOnceBytesMax
}

/**
 * Reads a body before its route needs it, so that what is built of it is held where the weight states; `readJson` then returns
 * what came of it, or throws it. A large body is read with turns for others in between, and waited for.
 */
export function readJsonAhead(bytes: Buffer, weight?: JsonWeight): Promise<void> | undefined {
  // Nothing so small can weigh much, and remembering it costs more than it is worth.
  if (bytes.length <= limits.unweighedJsonBytesMax) return undefined
  if (!isSmall(bytes)) return readLargeAhead(bytes, weight)
  try {
    readAhead.set(bytes, readSmall(bytes, weight))
  } catch (error) {
    keepRefusal(bytes, error)
  }
  return undefined
}

async function readLargeAhead(bytes: Buffer, weight: JsonWeight | undefined): Promise<void> {
  try {
    readAhead.set(bytes, await inTurns(large(bytes, weight)))
  } catch (error) {
    keepRefusal(bytes, error)
  }
}

function keepRefusal(bytes: Buffer, error: unknown): void {
  if (!(error instanceof Refusal)) throw error
  readAhead.set(bytes, error)
}

function readSmall(bytes: Buffer, weight?: JsonWeight): JsonObject {
  if (bytes.length === 0) throw invalid('it is empty')
  if (!isUtf8(bytes)) throw invalid('it is not UTF-8')
  const text = bytes.toString('utf8')
  const keysWritten = scan(text, weight)
  // So few bytes cannot hold too much of anything else.
  if (keysWritten > limits.jsonObjectMembersMax) {
    new JsonCounts(requestBounds).scan(bytes, 0, bytes.length)
  }
  const value = parse(text)
  if (!isObject(value)) throw invalid('it is not an object')
  compareKeys(value, keysWritten, text)
  return value
}

function compareKeys(value: Json, keysWritten: number, text: string): void {
  if (countKeys(value) !== keysWritten) throw twice(duplicateKey(text))
}

function* large(bytes: Buffer, weight?: JsonWeight): Reading<JsonObject> {
  if (bytes[0] !== OPEN && !isSpace(bytes[0])) throw invalid('it is not an object')
  if (!isUtf8(bytes)) throw invalid('it is not UTF-8')
  const value = yield* readPieces(bytes, { counts: new JsonCounts(requestBounds, weight), rules })
  if (!isObject(value)) throw invalid('it is not an object')
  return value
}

const rules: KeyRules = {
  parsed: compareKeys,
  twice(key) {
    throw twice(key)
  },
  broken: () => invalid('something unexpected stands in it, or it ends too early'),
}

/**
 * Counts the colons outside strings, which are the keys, and refuses depth; what else there is only counts as what it
 * weighs. Sound for valid JSON only.
 */
function scan(text: string, weight?: JsonWeight): number {
  let keys = 0
  let commas = 0
  let containers = 0
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = stringEnd(text, at)
    } else if (code === 0x3a) {
      keys += 1
    } else if (code === 0x2c) {
      commas += 1
    } else if (code === 0x7b || code === 0x5b) {
      containers += 1
      depth += 1
      if (depth > limits.jsonDepthMax) throw new Refusal('too_deep', { limit: limits.jsonDepthMax })
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1
    } else if (code >= 0x30 && code <= 0x39) {
      at = numberEnd(text, at)
    }
  }
  weight?.add(builtBytes({ values: commas + containers + 1, containers, members: keys }))
  return keys
}

/** Index of the last digit of a run of them; a number of too many is refused. */
function numberEnd(text: string, first: number): number {
  let at = first + 1
  while (isNumberPart(text.charCodeAt(at))) at += 1
  if (at - first > limits.jsonNumberCharsMax) {
    throw over('a number of too many characters', limits.jsonNumberCharsMax)
  }
  return at - 1
}

/** Index of the closing quote of the string that opens at `open`; the end of the text where none closes it. */
function stringEnd(text: string, open: number): number {
  let close = open
  do {
    close = text.indexOf('"', close + 1)
    if (close === -1) return text.length
  } while (isEscaped(text, close))
  return close
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1
  return (at - first) % 2 === 1
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalid(whereItBreaks(String(error)))
  }
}

/** The engine quotes the text in its message, so only the place is taken from it. */
function whereItBreaks(message: string): string {
  const place = /position (\d+)/.exec(message)?.[1]
  if (place !== undefined) return `something unexpected stands at character ${place}`
  return /end of JSON/.test(message) ? 'it ends too early' : 'something unexpected stands in it'
}

function countKeys(value: Json | undefined): number {
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return 0
    throw invalid('it holds a number that is too large')
  }
  if (typeof value !== 'object' || value === null) return 0
  let keys = 0
  if (Array.isArray(value)) {
    for (const item of value) keys += typeof item === 'string' ? 0 : countKeys(item)
    return keys
  }
  const object = value as JsonObject
  for (const key in object) {
    if (key === '__proto__') throw new Refusal('forbidden_key', { key, param: key })
    if (key.length > limits.jsonKeyCharsMax) {
      throw over('a key of too many characters', limits.jsonKeyCharsMax)
    }
    const item = object[key]
    if (typeof item === 'number' && !Number.isFinite(item)) throw tooLarge(key)
    keys += typeof item === 'string' ? 1 : 1 + countKeys(item)
  }
  return keys
}

/** The slow search, for bodies that are refused anyway: the first key that stands twice in its object. */
function duplicateKey(text: string): string {
  const open: Set<string>[] = []
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (char === '{' || char === '[') open.push(new Set())
    else if (char === '}' || char === ']') open.pop()
    if (char !== '"') continue
    const end = stringEnd(text, at)
    const key = keyAt(text, at, end)
    at = end
    if (key === undefined) continue
    const seen = open[open.length - 1]
    if (seen?.has(key)) return key
    seen?.add(key)
  }
  return ''
}

function keyAt(text: string, open: number, close: number): string | undefined {
  let next = close + 1
  while (' \t\r\n'.includes(text[next] ?? 'x')) next += 1
  return text[next] === ':' ? String(JSON.parse(text.slice(open, close + 1))) : undefined
}

function twice(key: string): Refusal {
  return new Refusal('duplicate_key', { key: shortened(key) })
}

function tooLarge(key: string): Refusal {
  const reason = `the number of "${shortened(key)}" is too large`
  return new Refusal('invalid_json', { reason, param: shortened(key) })
}

function shortened(key: string): string {
  return key.length > 64 ? `${key.slice(0, 64)}…` : key
}

function invalid(reason: string): Refusal {
  return new Refusal('invalid_json', { reason })
}

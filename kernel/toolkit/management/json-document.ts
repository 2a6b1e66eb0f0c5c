/**
 * JSON that an admin writes into a field, as a value or as its text: nothing ambiguous, nothing that PostgreSQL cannot
 * store, no key that reaches a prototype, and no more of it than is read in good time (X5, X6, X7).
 */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { forbiddenKeys } from '../json/path.js'
import { limits } from '../limits/limits.js'

const charactersMax = 512 * 1024
const keysMax = 10_000
/** A lone half of a surrogate pair, or NUL: what jsonb refuses. */
const unstorable = /\0|\p{Surrogate}/u

/** An empty text is the empty object. Throws an `Error` whose message goes on after the field's name. */
export function jsonObject(value: unknown): JsonObject {
  const document = jsonDocument(value)
  if (!isObject(document)) throw new Error('must be a JSON object')
  return document
}

/** The same where a list, or a single value, may do. */
export function jsonDocument(value: unknown): Json {
  if (typeof value !== 'string') {
    countKeys(value, 1)
    if (JSON.stringify(value).length > charactersMax) throw tooLong()
    return value as Json
  }
  if (value.length > charactersMax) throw tooLong()
  const parsed = parse(value)
  if (countWrittenKeys(value) !== countKeys(parsed, 1)) throw new Error('holds a key twice')
  return parsed as Json
}

function parse(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('is not valid JSON')
  }
}

/** Keys of a value at every depth, each checked on the way. */
function countKeys(value: unknown, depth: number, before = 0): number {
  if (depth > limits.jsonDepthMax) throw new Error(`is nested deeper than ${limits.jsonDepthMax}`)
  if (typeof value === 'string') checkText(value)
  if (typeof value === 'number') checkNumber(value)
  if (typeof value !== 'object' || value === null) return before
  if (Array.isArray(value)) {
    return value.reduce<number>((keys, item) => countKeys(item, depth + 1, keys), before)
  }
  let keys = before
  for (const [key, item] of Object.entries(value)) {
    if (forbiddenKeys.has(key)) throw new Error(`holds the key "${key}", which is not allowed`)
    checkText(key)
    keys = countKeys(item, depth + 1, keys + 1)
    if (keys > keysMax) throw new Error(`has more than ${keysMax} keys`)
  }
  return keys
}

/** Past 2^53 a whole number is read as its neighbour: what was saved would not be what was written (X6). */
function checkNumber(value: number): void {
  if (!Number.isFinite(value)) throw new Error('holds a number that is too large')
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new Error('holds a whole number too large to be kept to the digit; write it as a text')
  }
}

function checkText(text: string): void {
  if (unstorable.test(text)) throw new Error('holds a character that cannot be stored')
}

/** Keys as they stand in valid JSON text, those a parser would drop included: strings before a colon. */
function countWrittenKeys(text: string): number {
  let keys = 0
  for (const found of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)) {
    if (found[1] !== undefined) keys += 1
  }
  return keys
}

function tooLong(): Error {
  return new Error(`has more than ${charactersMax} characters`)
}

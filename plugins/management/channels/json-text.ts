/**
 * JSON that an admin writes into a channel, as an object or as text: nothing ambiguous, nothing that PostgreSQL cannot
 * store, no key that reaches a prototype (failures.md X5, X6).
 */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/limits.js'

const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype'])
/** A lone half of a surrogate pair, or NUL: what jsonb refuses. */
const unstorable = /\0|\p{Surrogate}/u

/** An empty text is the empty object. Throws an `Error` whose message goes on after the field's name. */
export function jsonObject(value: unknown): JsonObject {
  const parsed = typeof value === 'string' ? parse(value) : value
  if (!isObject(parsed)) throw new Error('must be a JSON object')
  const keys = countKeys(parsed, 1)
  if (typeof value === 'string' && countWrittenKeys(value) !== keys) {
    throw new Error('holds a key twice')
  }
  return parsed
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
function countKeys(value: unknown, depth: number): number {
  if (depth > limits.jsonDepthMax) throw new Error(`is nested deeper than ${limits.jsonDepthMax}`)
  if (typeof value === 'string') checkText(value)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error('holds a number that is too large')
  }
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return sum(value.map((item) => countKeys(item, depth + 1)))
  const entries = Object.entries(value)
  for (const [key] of entries) {
    if (forbiddenKeys.has(key)) throw new Error(`holds the key "${key}", which is not allowed`)
    checkText(key)
  }
  return entries.length + sum(entries.map(([, item]) => countKeys(item, depth + 1)))
}

function checkText(text: string): void {
  if (unstorable.test(text)) throw new Error('holds a character that cannot be stored')
}

/** Keys as they stand in valid JSON text, those a parser would drop included: strings before a colon. */
function countWrittenKeys(text: string): number {
  const strings = text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)
  return sum([...strings].map((found) => (found[1] === undefined ? 0 : 1)))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/**
 * Reads a JSON request body so that its text and its value cannot disagree: one cheap scan for depth and number of
 * keys, the engine's parser, and a walk that compares. Keys that stand twice, `__proto__`, numbers that are none and
 * depth without end are refused (failures.md S15, X5, X6, X7).
 */
import { isUtf8 } from 'node:buffer'
import { isObject, type Json, type JsonObject } from '../contract/json.js'
import { Refusal } from '../errors.js'
import { limits } from '../limits.js'

/** Throws `invalid_json`, `too_deep`, `duplicate_key` or `forbidden_key`. */
export function readJson(bytes: Buffer): JsonObject {
  if (bytes.length === 0) throw invalid('it is empty')
  if (!isUtf8(bytes)) throw invalid('it is not UTF-8')
  const text = bytes.toString('utf8')
  const keysWritten = scan(text)
  const value = parse(text)
  if (!isObject(value)) throw invalid('it is not an object')
  if (countKeys(value) !== keysWritten) {
    throw new Refusal('duplicate_key', { key: shortened(duplicateKey(text)) })
  }
  return value
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Counts the colons outside strings, which are the keys, and refuses depth. Sound for valid JSON only. */
function scan(text: string): number {
  let keys = 0
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = stringEnd(text, at)
    } else if (code === 0x3a) {
      keys += 1
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > limits.jsonDepthMax) throw new Refusal('too_deep', { limit: limits.jsonDepthMax })
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1
    }
  }
  return keys
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

/** Reads JSON of unknown types: each function returns a value of its type, or nothing. */

import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { limits } from '../limits/limits.js'
import { holdsTooMuch } from './scan.js'

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A string with something in it. */
export function someText(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

export function objectOf(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** The object without keys that hold nothing: omitted fields stay omitted (FMT-5). */
export function present<T extends object>(object: T): T {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as T
}

/** The same where `null` stands for a field that was not sent, as it does in every format (FMT-1). */
export function withoutNulls(object: JsonObject): JsonObject {
  const entries = Object.entries(object).filter(
    ([, value]) => value !== undefined && value !== null,
  )
  return Object.fromEntries(entries)
}

/** The object, or nothing where it has no key. */
export function unlessEmpty<T extends object>(object: T): T | undefined {
  return Object.keys(object).length === 0 ? undefined : object
}

/** The JSON object in a text; undefined where it holds none, or more than may be read at once. */
export function parsedObject(text: string): JsonObject | undefined {
  return objectOf(parsedText(text))
}

/** The JSON of a text; undefined where it is none, or more than may be read at once (decision 0065). */
export function parsedText(text: string): Json | undefined {
  try {
    return isTooMuch(text) ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

function isTooMuch(text: string): boolean {
  return text.length > limits.wholeEventBytesMax || holdsTooMuch(text)
}

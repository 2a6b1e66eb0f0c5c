/** Reading of JSON whose types nobody has promised, and objects without what holds nothing. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

export function booleanOf(value: Json | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

export function objectOf(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

export function objectsOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

/** Omitted fields stay omitted (FMT-5): an object without the keys that hold nothing. */
export function defined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

/** In this format `null` stands for a field that was not sent. */
export function withoutNulls(fields: JsonObject): JsonObject {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(kept)
}

/** The object, or nothing where it has no key. */
export function unlessEmpty<T extends object>(fields: T): T | undefined {
  return Object.keys(fields).length === 0 ? undefined : fields
}

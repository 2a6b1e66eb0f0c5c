/** Reading of JSON whose types nobody has promised: each function answers a value of its type, or nothing. */
import type { Only } from '../../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'

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

/** What is left of an object without the keys that are understood; nothing where nothing is left. */
export function leftOf(object: JsonObject, understood: readonly string[]): JsonObject | undefined {
  const entries = Object.entries(object).filter(([key]) => !understood.includes(key))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Leftovers at their level, ready to spread. */
export function onlyChat(left: JsonObject | undefined): { readonly only?: Only } {
  return left === undefined ? {} : { only: { chat: left } }
}

/** The object without keys that hold nothing. */
export function present<T extends object>(object: T): T {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as T
}

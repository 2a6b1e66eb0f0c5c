/** Reads JSON whose types are not certain: each function returns a value of its type, or undefined. */
import type { Only } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'

export {
  numberOf,
  objectOf,
  objectsOf,
  parsedObject,
  present,
  someText,
  textOf,
  unlessEmpty,
} from '../../../kernel/toolkit/json/index.js'

/**
 * What is left of an object without the keys that are understood and those that hold `null`; nothing where nothing is
 * left.
 */
export function leftOf(object: JsonObject, understood: readonly string[]): JsonObject | undefined {
  const entries = Object.entries(object).filter(
    ([key, value]) => value !== null && !understood.includes(key),
  )
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** Leftovers at their level, ready to spread. */
export function onlyChat(left: JsonObject | undefined): { readonly only?: Only } {
  return left === undefined ? {} : { only: { chat: left } }
}

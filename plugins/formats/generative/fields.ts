/** Reads JSON whose types are not certain: each function returns a value of its type, or undefined. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'

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

export function textsOf(value: Json | undefined): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter((item): item is string => typeof item === 'string')
}

/** What an object has beside the fields that are read; nothing where there is nothing. */
export function beside(object: JsonObject, read: ReadonlySet<string>): JsonObject | undefined {
  let left: Record<string, Json | undefined> | undefined
  for (const key in object) {
    // An assignment would change what the object inherits.
    if (read.has(key) || key === '__proto__') continue
    left ??= {}
    left[key] = object[key]
  }
  return left
}

/** Reading of JSON whose types nobody has promised, and objects without what holds nothing. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'

export {
  numberOf,
  objectOf,
  objectsOf,
  present as defined,
  textOf,
  unlessEmpty,
} from '../../../kernel/wire/fields.js'

export function booleanOf(value: Json | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

/** In this format `null` stands for a field that was not sent. */
export function withoutNulls(fields: JsonObject): JsonObject {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(kept)
}

/** Reads JSON whose types are not certain, and drops empty values from objects. */
import type { Json } from '../../../kernel/contract/json.js'

export {
  numberOf,
  objectOf,
  objectsOf,
  present as defined,
  textOf,
  unlessEmpty,
  withoutNulls,
} from '../../../kernel/toolkit/json/index.js'

export function booleanOf(value: Json | undefined): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined
}

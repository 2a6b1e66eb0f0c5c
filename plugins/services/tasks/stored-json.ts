/** JSON as a column takes it. */
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'

/** As JSON for a column: what no text of a database may hold is replaced, wherever it stands. */
export function storedJson(value: unknown): string {
  return JSON.stringify(value).replace(/\\(?:u0000|u[dD][89a-fA-F][0-9a-fA-F]{2}|.)/g, (found) =>
    found.length === unitEscapeLength ? '\\ufffd' : found,
  )
}

/** `\\u0000`: as JSON writes a character that is none. */
const unitEscapeLength = 6

const keepMax = 16_384

/** What an adapter keeps with a task, as JSON. Undefined: it is more than the contract allows, or nothing a row can hold. */
export function storedKeep(keep: JsonObject): string | undefined {
  try {
    const text = storedJson(keep)
    return isObject(keep) && text.length <= keepMax ? text : undefined
  } catch {
    return undefined
  }
}

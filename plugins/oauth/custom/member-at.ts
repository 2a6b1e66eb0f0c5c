/** Members of nested JSON by a path such as `data.user.id` or `emails.0.value`. */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'

/** A name with dots in it is looked for before it is taken for a path. */
export function memberAt(object: JsonObject, path: string): Json | undefined {
  if (path === '') return undefined
  if (Object.hasOwn(object, path)) return object[path]
  let at: Json | undefined = object
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as JsonObject)[name]
  }
  return at
}

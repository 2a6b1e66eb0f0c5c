/**
 * What only this format has stays in `only.generative`. Fields below `generationConfig` and `toolConfig` stand there
 * under their whole path, so that another format can name them one by one.
 */
import type { Only } from '../../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { present } from './fields.js'

/**
 * Leftovers at their level, ready to spread. Also where there are none: the empty object records that a client of this
 * format wrote this, and loses nothing.
 */
export function only(fields: JsonObject): { readonly only: Only } {
  return { only: { generative: fields } }
}

/** A client of this format wrote it, so it goes back as it came. */
export function isOwn(level: { readonly only?: Only }): boolean {
  return level.only?.generative !== undefined
}

/** The fields under their path. */
export function below(path: string, fields: JsonObject): JsonObject {
  const entries = Object.entries(present(fields)).map(([key, value]) => [`${path}.${key}`, value])
  return Object.fromEntries(entries)
}

const paths = /^(?:generationConfig|toolConfig)\./

/** The reverse of `below`, for all paths at once. */
export function nested(fields: JsonObject): JsonObject {
  const root: Record<string, Json | undefined> = {}
  for (const [key, value] of Object.entries(fields)) {
    const names = paths.test(key) ? key.split('.') : [key]
    let level = root
    for (const name of names.slice(0, -1)) {
      const found = level[name]
      const next = isObject(found) ? { ...found } : {}
      level[name] = next
      level = next
    }
    level[names.at(-1)!] = value
  }
  return root
}

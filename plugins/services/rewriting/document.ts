/**
 * What holds for every document before its words are read: a bounded size, finite numbers, no key that reaches a
 * prototype (X5, X7).
 */
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { forbiddenKeys } from '../../../kernel/toolkit/json/index.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'

const charactersMax = 256 * 1024

/** Throws an `Error` whose message goes on after the field's name. */
export function checkDocument(document: JsonObject): void {
  check(document, 1)
  if (JSON.stringify(document).length > charactersMax) {
    throw new Error(`has more than ${charactersMax} characters`)
  }
}

function check(value: Json | undefined, depth: number): void {
  if (depth > limits.jsonDepthMax) throw new Error(`is nested deeper than ${limits.jsonDepthMax}`)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new Error('holds a number that is too large')
  }
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    if (forbiddenKeys.has(key)) throw new Error(`holds the key "${key}", which is not allowed`)
    check(item, depth + 1)
  }
}

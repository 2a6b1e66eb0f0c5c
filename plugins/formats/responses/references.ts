/** What a later request may refer to: the items of an answer, each by its id, unless the client requested not to store it. */
import type { References } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { objectsOf } from './fields.js'

export const references: References = {
  wanted: ({ store }) => store !== false,
  parts: ({ output }) => objectsOf(output).flatMap(withId),
  named: ({ input }) =>
    Array.isArray(input) ? input.flatMap((item) => referredTo(item) ?? []) : [],
}

/** Undefined: the item is itself. */
export function referredTo(item: Json): string | undefined {
  if (!isObject(item) || item.type !== 'item_reference') return undefined
  return typeof item.id === 'string' ? item.id : undefined
}

function withId(item: JsonObject): (readonly [string, JsonObject])[] {
  return typeof item.id === 'string' ? [[item.id, item]] : []
}

/** What a later request may refer to: the items of an answer, each by its id, unless the client requested not to store it. */
import type { References } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { objectsOf } from './fields.js'

export const references: References = {
  wanted: ({ store }) => store !== false,
  parts: ({ output }) => objectsOf(output).flatMap(named),
}

function named(item: JsonObject): (readonly [string, JsonObject])[] {
  return typeof item.id === 'string' ? [[item.id, item]] : []
}

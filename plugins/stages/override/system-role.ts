/**
 * Instructions under the role every upstream knows: `developer` is a word of one vendor's, and most of those who speak its
 * formats refuse it. An adapter declares that its upstream documents it.
 */

import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { FormatName } from '../../../kernel/contract/names.js'

/** Where the turns stand in the formats that know the role. */
const turns: Readonly<Partial<Record<FormatName, string>>> = {
  chat: 'messages',
  responses: 'input',
}

/** The same object where no turn has the role. */
export function withSystemRole(format: FormatName, wire: JsonObject): JsonObject {
  const place = turns[format]
  const list = place === undefined ? undefined : wire[place]
  if (!Array.isArray(list) || !list.some(isDeveloper)) return wire
  const reported = list.map((turn: Json) =>
    isDeveloper(turn) ? { ...(turn as JsonObject), role: 'system' } : turn,
  )
  return { ...wire, [place!]: reported }
}

function isDeveloper(turn: Json): boolean {
  return isObject(turn) && turn.role === 'developer'
}

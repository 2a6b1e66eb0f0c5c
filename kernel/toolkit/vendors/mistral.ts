/** The chat format as Mistral's models take it, at their maker's and where else they are served. */
import type { JsonObject } from '../../contract/json.js'
import { effortLost, spellEffort } from './mistral-efforts.js'
import { spellFields } from './mistral-fields.js'
import { lateSystemLost, orderTurns } from './mistral-turns.js'

/** For `Adapter.refuses`. */
export function refusedByMistral(wire: JsonObject, model: string): readonly string[] {
  return [...effortLost(wire, model), ...lateSystemLost(wire)]
}

/** For `Adapter.adjust`. The same object where nothing changes. */
export function takenByMistral(wire: JsonObject): JsonObject {
  return orderTurns(spellEffort(spellFields(wire)))
}

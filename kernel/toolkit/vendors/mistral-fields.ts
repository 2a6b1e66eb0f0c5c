/**
 * Fields of a request in Mistral's spelling, wherever its models are served. It refuses what it does not know, so what others
 * take and no answer depends on is left out; what an answer depends on stays, and the service names it.
 */
import type { JsonObject } from '../../contract/json.js'

/** Fields with another name here; an older spelling beside the newer one gives way. */
const renamed: readonly (readonly [from: string, to: string])[] = [
  ['max_completion_tokens', 'max_tokens'],
  ['seed', 'random_seed'],
]

/** Nothing an answer depends on: whom it is for, what is stored, how usage is reported. */
const unknown = ['user', 'store', 'stream_options', 'safety_identifier', 'verbosity'] as const

export function spellFields(wire: JsonObject): JsonObject {
  const concerned =
    renamed.some(([from]) => wire[from] !== undefined) ||
    unknown.some((field) => wire[field] !== undefined)
  if (!concerned) return wire
  const next: Record<string, JsonObject[string]> = { ...wire }
  for (const [from, to] of renamed) {
    if (next[from] !== undefined) next[to] = next[from]
    delete next[from]
  }
  for (const field of unknown) delete next[field]
  return next
}

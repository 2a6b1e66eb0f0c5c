/** The bounds a chat request sets on the size of its answer (FMT-6). */
import type { Limits } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { numberOf, present } from './fields.js'

export function limits(wire: JsonObject): Limits {
  const limit = outputLimit(wire)
  return present({
    maxOutput: limit?.tokens,
    choices: numberOf(wire.n),
    // Several vendors limit by the older field what is written behind the reasoning only.
    reasoningApart: limit?.field === 'max_tokens' || undefined,
  })
}

/** One precedence for all channels: a nonzero newer field, else the older one, 0 included, else an explicit newer 0. */
export function outputLimit(wire: JsonObject) {
  const newer = numberOf(wire.max_completion_tokens)
  const older = numberOf(wire.max_tokens)
  if (newer !== undefined && (newer !== 0 || older === undefined)) {
    return { tokens: newer, field: 'max_completion_tokens' }
  }
  return older === undefined ? undefined : { tokens: older, field: 'max_tokens' }
}

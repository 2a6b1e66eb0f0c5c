/** Asks for usage in a stream (failures.md M12), keeping whatever else the client wants of its stream. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { objectOf } from './fields.js'

export function askUsage(wire: JsonObject): JsonObject {
  const options = objectOf(wire.stream_options)
  if (options?.include_usage === true) return wire
  return { ...wire, stream_options: { ...options, include_usage: true } }
}

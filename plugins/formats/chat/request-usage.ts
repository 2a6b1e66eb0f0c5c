/**
 * Asks for usage in a stream (M12) where the client said nothing about it, keeping whatever else it wants of
 * its stream. A client that wants none gets its wish: what it is charged is then counted here (FMT-5).
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { objectOf } from './fields.js'

export function requestUsage(wire: JsonObject): JsonObject {
  const options = objectOf(wire.stream_options)
  if ((options?.include_usage ?? null) !== null) return wire
  return { ...wire, stream_options: { ...options, include_usage: true } }
}

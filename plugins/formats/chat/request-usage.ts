/**
 * Requests usage in a stream (M12) where the client did not choose, keeping its other options for
 * the stream. A client that declined it gets none: what it is charged is then counted here (FMT-5).
 */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { objectOf } from './fields.js'

export function requestUsage(wire: JsonObject): JsonObject {
  const options = objectOf(wire.stream_options)
  if ((options?.include_usage ?? null) !== null) return wire
  return { ...wire, stream_options: { ...options, include_usage: true } }
}

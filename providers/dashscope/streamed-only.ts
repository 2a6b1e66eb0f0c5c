/**
 * Models that answer in a stream and no other way. A client that wants one piece gets it all the same: the stream is
 * requested here, and the gateway makes one answer of it.
 */
import type { JsonObject } from '../../kernel/contract/json.js'

export function streamedOnly(wire: JsonObject): JsonObject {
  const { model, stream } = wire
  if (stream === true || typeof model !== 'string' || !streams.test(model)) return wire
  return { ...wire, stream: true, stream_options: { include_usage: true } }
}

/** QwQ, QVQ and Qwen-Omni (README, Streams). */
const streams = /^(?:qwq|qvq|qwen[\d.]*-omni)/

/** What a count of tokens in the messages format does not take (platform.claude.com/docs/en/api/messages/count_tokens, read 2026-11-27). */
import type { JsonObject } from '../../contract/json.js'

const unknown = [
  ...['max_tokens', 'metadata', 'service_tier', 'stop_sequences', 'stream', 'temperature'],
  ...['top_k', 'top_p', 'container', 'inference_geo'],
]

/** Members of a request that its count goes without. */
export function uncountedFields(wire: JsonObject): readonly string[] {
  return unknown.filter((name) => name in wire)
}

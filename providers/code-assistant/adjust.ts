/**
 * A responses request as this service takes it: always streamed, never stored, with instructions and a list of items,
 * and without the fields it refuses although the format has them. A request of its own client stays as it is.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'

/**
 * Refused with "Unsupported parameter" (seen 2025-12 to 2026-09). None changes the meaning; what does, such as
 * `previous_response_id`, is left for the service to refuse.
 */
const unsupported = [
  'max_output_tokens',
  'max_tool_calls',
  'temperature',
  'top_p',
  'top_logprobs',
  'truncation',
  'metadata',
  'user',
  'safety_identifier',
  'prompt_cache_retention',
  'prompt_cache_options',
] as const

/** What these say is so without them. */
const defaults: JsonObject = { temperature: 1, top_p: 1, truncation: 'disabled', user: '' }

/** The names of what is lost: all that is refused and asks for something, and answers that were to be stored. */
export function refused(wire: JsonObject): readonly string[] {
  const lost = unsupported.filter((field) => {
    const value = wire[field]
    return value !== undefined && value !== null && value !== defaults[field]
  })
  return wire.store === true ? [...lost, 'store'] : lost
}

/** Some text is required; this one means nothing. */
const plainInstructions = 'You are a helpful assistant.'

export function adjustRequest(wire: JsonObject): JsonObject {
  const changes: Record<string, Json | undefined> = {}
  for (const field of [...unsupported, 'stream_options'])
    if (wire[field] !== undefined) changes[field] = undefined
  if (wire.stream !== true) changes.stream = true
  if (wire.store !== false) changes.store = false
  if (!wire.instructions) changes.instructions = plainInstructions
  const input = itemsOf(wire.input)
  if (input !== wire.input) changes.input = input
  return Object.keys(changes).length === 0 ? wire : without({ ...wire, ...changes })
}

/** A text is the user's message, and the system's is sent as the developer's. */
function itemsOf(input: Json | undefined): Json | undefined {
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }]
  if (!Array.isArray(input) || !input.some(isSystem)) return input
  return input.map((item) =>
    isSystem(item) ? { ...(item as JsonObject), role: 'developer' } : item,
  )
}

function isSystem(item: Json): boolean {
  return isObject(item) && item.role === 'system'
}

function without(wire: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== undefined))
}

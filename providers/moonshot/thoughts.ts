/**
 * A model that thinks wants the thoughts behind its tool calls back. Clients of the chat format often drop them; a
 * placeholder keeps the conversation going where the request would be refused.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'

/** The least that counts as a thought; an empty one has been taken for a missing one. */
const placeholder = '.'

export function keepThoughts(wire: JsonObject): JsonObject {
  const { messages, model, thinking } = wire
  if (!Array.isArray(messages) || typeof model !== 'string' || !thinks.test(model)) return wire
  if (isObject(thinking) && thinking.type === 'disabled') return wire
  if (!messages.some(lacksThoughts)) return wire
  return {
    ...wire,
    messages: messages.map((message) =>
      lacksThoughts(message) ? { ...message, reasoning_content: placeholder } : message,
    ),
  }
}

/** The models named after Kimi; the older moonshot-v1 do not think. */
const thinks = /(?:^|\/)kimi/i

function lacksThoughts(message: Json): message is JsonObject {
  return (
    isObject(message) &&
    message.role === 'assistant' &&
    Array.isArray(message.tool_calls) &&
    typeof message.reasoning_content !== 'string'
  )
}

/**
 * Thinking in this service's words. With tools in play every answer in the history must carry `reasoning_content`, an
 * empty one too, or the request is refused; without tools it is ignored. No thinking at all is a switch, not an effort.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'

export function adjustThinking(wire: JsonObject): JsonObject {
  return withReasoning(switchedOff(wire))
}

/** `none` is an effort of the chat format that this service spells as its switch. */
function switchedOff(wire: JsonObject): JsonObject {
  if (wire.reasoning_effort !== 'none') return wire
  const { reasoning_effort: _, ...rest } = wire
  return { ...rest, thinking: wire.thinking ?? { type: 'disabled' } }
}

function withReasoning(wire: JsonObject): JsonObject {
  const { messages, tools, thinking } = wire
  if (!Array.isArray(messages) || (isObject(thinking) && thinking.type === 'disabled')) return wire
  const hasTools = Array.isArray(tools) && tools.length > 0
  const lacks = (message: Json): message is JsonObject => lacksReasoning(message, hasTools)
  if (!messages.some(lacks)) return wire
  return {
    ...wire,
    messages: messages.map((message) =>
      lacks(message) ? { ...message, reasoning_content: '' } : message,
    ),
  }
}

function lacksReasoning(message: Json, hasTools: boolean): boolean {
  if (!isObject(message) || message.role !== 'assistant') return false
  const concerned = hasTools || Array.isArray(message.tool_calls)
  return concerned && typeof message.reasoning_content !== 'string'
}

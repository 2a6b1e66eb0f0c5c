/**
 * Turns as this service accepts them: tool calls named by nine letters and digits, no user right behind a tool's result,
 * a last answer that is to be continued marked as such, no role and no fields it does not know.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { mintId } from '../../kernel/toolkit/format/index.js'

export function orderTurns(wire: JsonObject): JsonObject {
  const { messages } = wire
  if (!Array.isArray(messages)) return wire
  const turns: Json[] = []
  let changed = false
  messages.forEach((message: Json, index) => {
    const previous = messages[index - 1]
    if (roleOf(message) === 'user' && roleOf(previous) === 'tool') turns.push(bridge)
    const turn = isObject(message) ? spelled(message, index === messages.length - 1) : message
    changed ||= turn !== message
    turns.push(turn)
  })
  return changed || turns.length > messages.length ? { ...wire, messages: turns } : wire
}

/** Between a tool's result and the user's next word there has to be an answer. */
const bridge: JsonObject = { role: 'assistant', content: 'OK.' }

function spelled(message: JsonObject, isLast: boolean): JsonObject {
  switch (message.role) {
    case 'tool':
      return withShortId(message, 'tool_call_id')
    case 'assistant':
      return assistant(message, isLast)
    default:
      return message
  }
}

/** Thoughts, refusals and sounds of other services' answers. */
const foreign = ['reasoning_content', 'reasoning', 'refusal', 'audio', 'annotations'] as const

function assistant(message: JsonObject, isLast: boolean): JsonObject {
  const { tool_calls: calls } = message
  const shortened = Array.isArray(calls) ? shortIds(calls) : calls
  const isForeign = foreign.some((field) => message[field] !== undefined)
  const continues = isLast && message.prefix === undefined && !hasCalls(calls)
  if (shortened === calls && !isForeign && !continues) return message
  const next: Record<string, JsonObject[string]> = { ...message }
  for (const field of foreign) delete next[field]
  if (shortened !== undefined) next.tool_calls = shortened
  if (continues) next.prefix = true
  return next
}

function hasCalls(calls: Json | undefined): boolean {
  return Array.isArray(calls) && calls.length > 0
}

function shortIds(calls: readonly Json[]): readonly Json[] {
  const short = calls.map((call) => (isObject(call) ? withShortId(call, 'id') : call))
  return short.every((call, index) => call === calls[index]) ? calls : short
}

/** The same id becomes the same name wherever it stands, in every request. */
function withShortId(holder: JsonObject, field: 'id' | 'tool_call_id'): JsonObject {
  const id = holder[field]
  if (typeof id !== 'string' || /^[a-zA-Z0-9]{9}$/.test(id)) return holder
  return { ...holder, [field]: mintId('', id).slice(0, 9) }
}

function roleOf(message: Json | undefined): Json | undefined {
  return isObject(message) ? message.role : undefined
}

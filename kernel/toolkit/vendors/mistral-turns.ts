/**
 * Turns as Mistral's models accept them, wherever they are served: tool calls named by nine letters and digits, no user
 * right behind a tool's result and no instructions right behind a result or an answer, a last answer that is to be
 * continued marked as such, no fields they do not know (github.com/mistralai/mistral-common, protocol/instruct/validator.py,
 * read 2026-11-27).
 */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { mintId } from '../format/index.js'

export function orderTurns(wire: JsonObject): JsonObject {
  const { messages } = wire
  if (!Array.isArray(messages)) return wire
  const turns: Json[] = []
  let changed = false
  messages.forEach((message: Json, index) => {
    const previous = messages[index - 1]
    const said = isLate(message, previous) ? { ...(message as JsonObject), role: 'user' } : message
    if (roleOf(said) === 'user' && roleOf(previous) === 'tool') turns.push(bridge)
    const turn = isObject(said) ? spelled(said, index === messages.length - 1) : said
    changed ||= turn !== message
    turns.push(turn)
  })
  return changed || turns.length > messages.length ? { ...wire, messages: turns } : wire
}

/** Instructions that go out as the user's, for `Adapter.refuses`. */
export function lateSystemLost({ messages }: JsonObject): readonly string[] {
  if (!Array.isArray(messages)) return []
  const isLost = messages.some((message: Json, at) => isLate(message, messages[at - 1]))
  return isLost ? ['messages.role'] : []
}

function isLate(message: Json, previous: Json | undefined): boolean {
  const role = roleOf(message)
  if (role !== 'system' && role !== 'developer') return false
  return roleOf(previous) === 'tool' || roleOf(previous) === 'assistant'
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

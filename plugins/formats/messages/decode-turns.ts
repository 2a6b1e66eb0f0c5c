/**
 * Messages as canonical turns. A user message with results of tool calls becomes one `tool` turn per result and a `user`
 * turn for the rest of it, in their order; encoding puts them together again.
 */
import type { Part, Turn } from '../../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { decodeContent } from './decode-content.js'
import { unlessEmpty, withoutNulls } from './defined.js'

export function decodeMessages(messages: Json | undefined): Turn[] {
  return Array.isArray(messages) ? messages.filter(isObject).flatMap(decodeMessage) : []
}

function decodeMessage({ role, content, ...rest }: JsonObject): Turn[] {
  const parts = decodeContent(content)
  const leftover = unlessEmpty(withoutNulls(rest))
  const only = leftover === undefined ? {} : { only: { messages: leftover } }
  if (role === 'assistant') return [{ role, parts, ...only }]
  if (role === 'system') return [{ role, parts, only: { messages: { ...rest, role } } }]
  return userTurns(parts).map((turn) => ({ ...turn, ...only }))
}

function userTurns(parts: readonly Part[]): Turn[] {
  const turns: { role: 'user' | 'tool'; parts: Part[] }[] = []
  for (const part of parts) {
    const last = turns.at(-1)
    if (part.kind === 'toolResult') turns.push({ role: 'tool', parts: [part] })
    else if (last?.role === 'user') last.parts.push(part)
    else turns.push({ role: 'user', parts: [part] })
  }
  return turns
}

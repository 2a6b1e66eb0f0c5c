/**
 * User and assistant must take turns here. Neighbours of one role become one message, with nothing lost: texts are set
 * apart by a blank line, parts follow each other.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'

export function alternate(wire: JsonObject): JsonObject {
  const { messages } = wire
  if (!Array.isArray(messages)) return wire
  const turns: Json[] = []
  for (const turn of messages as readonly Json[]) {
    const joined = join(turns.at(-1), turn)
    if (joined === undefined) turns.push(turn)
    else turns[turns.length - 1] = joined
  }
  const same = turns.length === messages.length && turns.every((turn, at) => turn === messages[at])
  return same ? wire : { ...wire, messages: turns }
}

/** One message out of two of the same speaker; undefined where they do not belong together. */
function join(one: Json | undefined, other: Json): JsonObject | undefined {
  if (!isObject(one) || !isObject(other) || one.role !== other.role) return undefined
  if (one.role !== 'user' && one.role !== 'assistant') return undefined
  return { ...one, ...other, content: joinedContent(one.content, other.content) }
}

function joinedContent(one: Json | undefined, other: Json | undefined): Json {
  if (typeof one === 'string' && typeof other === 'string') return `${one}\n\n${other}`
  return [...partsOf(one), ...partsOf(other)]
}

function partsOf(content: Json | undefined): readonly Json[] {
  if (Array.isArray(content)) return content
  return typeof content === 'string' ? [{ type: 'text', text: content }] : []
}

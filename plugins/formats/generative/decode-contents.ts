/**
 * Contents of a request as canonical turns. Neighbouring contents of the model are one turn: clients keep what a stream
 * brought as a content per chunk.
 */
import type { Part, Turn } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { Calls, decodeParts, joinThoughts } from './decode-part.js'
import { objectOf, objectsOf } from './fields.js'
import { only } from './leftovers.js'
import { camel } from './names.js'

export function decodeContents(contents: Json | undefined): Turn[] {
  const calls = new Calls()
  const turns: Turn[] = []
  for (const content of objectsOf(contents)) {
    const turn = decodeContent(content, calls)
    const last = turns.at(-1)
    if (last !== undefined && mayJoin(last, turn)) {
      turns[turns.length - 1] = { ...last, parts: [...last.parts, ...turn.parts] }
    } else turns.push(turn)
  }
  return turns.map((turn) => ({ ...turn, parts: joinThoughts(turn.parts) }))
}

/** Instructions. The role named as their author is ignored. */
export function decodeInstruction(instruction: Json | undefined): Turn[] {
  if (typeof instruction === 'string') {
    return [{ role: 'system', parts: [{ kind: 'text', text: instruction }], ...only({}) }]
  }
  const content = objectOf(instruction)
  if (content === undefined) return []
  const { role, parts, ...rest } = camel(content)
  return [{ role: 'system', parts: decodeParts(parts, new Calls()), ...only(rest) }]
}

function decodeContent(content: JsonObject, calls: Calls): Turn {
  const { role, parts: wire, ...rest } = camel(content)
  const parts = decodeParts(wire, calls)
  if (role === 'model') return { role: 'assistant', parts, ...only(rest) }
  const strange = role === undefined || role === 'user' || role === '' ? {} : { role }
  return { role: answersTools(parts) ? 'tool' : 'user', parts, ...only({ ...rest, ...strange }) }
}

function answersTools(parts: readonly Part[]): boolean {
  return parts.length > 0 && parts.every(({ kind }) => kind === 'toolResult')
}

function mayJoin(last: Turn, next: Turn): boolean {
  const plain = ({ role, only }: Turn) =>
    role === 'assistant' && Object.keys(only?.generative ?? {}).length === 0
  return plain(last) && plain(next)
}

/** Canonical turns as instructions and input items. Parts of a turn that are no content are items of their own. */
import type { Part, Turn } from '../../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { inputContent, outputContent, shorthand } from './encode-content.js'
import { defined, objectOf, objectsOf } from './fields.js'
import { openSeal } from './seal.js'

export interface EncodedInput {
  readonly instructions?: string
  readonly input?: string | readonly JsonObject[]
}

/** `own`: a client of this format wrote the call, and its short spellings stay. */
export function encodeInput(turns: readonly Turn[], own: boolean): EncodedInput {
  const instructions = instructionsOf(turns, own)
  const given = instructions === undefined ? turns : turns.slice(1)
  const input = own ? bareInput(given) : undefined
  return defined({ instructions, input: input ?? itemsOf(given, own) })
}

/** Items that only declare tools, back in the places where they stood. */
export function withDeclarations(
  encoded: EncodedInput,
  declarations: Json | undefined,
): EncodedInput {
  if (declarations === undefined || typeof encoded.input === 'string') return encoded
  const input = [...(encoded.input ?? [])]
  for (const { index, item } of objectsOf(declarations)) {
    if (typeof index === 'number' && isObject(item)) input.splice(index, 0, item)
  }
  return { ...encoded, input }
}

/** The first system turn, as long as it is plain text and not all there is. */
function instructionsOf([first, ...rest]: readonly Turn[], own: boolean): string | undefined {
  if (first?.role !== 'system' || first.only?.responses !== undefined) return undefined
  if (rest.length === 0 && !own) return undefined
  const texts = first.parts.map((part) => (part.kind === 'text' ? part.text : undefined))
  return texts.includes(undefined) ? undefined : texts.join('\n\n')
}

function bareInput(turns: readonly Turn[]): string | undefined {
  const [turn] = turns
  if (turns.length !== 1 || turn?.role !== 'user' || turn.only !== undefined) return undefined
  const [part] = turn.parts
  return turn.parts.length === 1 && part?.kind === 'text' ? part.text : undefined
}

/** A request that goes on from a stored answer, or from a template, may have no input. */
function itemsOf(turns: readonly Turn[], own: boolean): readonly JsonObject[] | undefined {
  return turns.length === 0 && own ? undefined : turns.flatMap(encodeTurn)
}

interface Message {
  readonly left: JsonObject
  readonly contents: JsonObject[]
}

function encodeTurn(turn: Turn): JsonObject[] {
  const items: JsonObject[] = []
  // The fields of an answer's messages stand with their parts, since a turn may hold several.
  const ofTurn = (turn.role === 'assistant' ? undefined : turn.only?.responses) ?? {}
  let open: Message | undefined
  const close = () => {
    if (open !== undefined) items.push(messageItem(turn, open))
    open = undefined
  }
  for (const part of turn.parts) {
    const content = contentOf(part, turn)
    const item = content === undefined ? itemOf(part) : undefined
    const left = leftovers(part, turn)
    if (item !== undefined || left !== undefined) close()
    if (item !== undefined) items.push(item)
    if (content === undefined) continue
    open ??= { left: left ?? ofTurn, contents: [] }
    open.contents.push(content)
  }
  close()
  return items
}

function contentOf(part: Part, { role }: Turn): JsonObject | undefined {
  if (role === 'assistant') return outputContent(part)
  // What stands in no message is an item.
  return role === 'tool' && part.kind === 'opaque' ? undefined : inputContent(part)
}

/** Where fields of a message stand with a part of an answer, a message begins. */
function leftovers({ kind, only }: Part, { role }: Turn): JsonObject | undefined {
  if (role !== 'assistant' || (kind !== 'text' && kind !== 'refusal')) return undefined
  const { content, ...left } = only?.responses ?? {}
  return Object.keys(left).length === 0 ? undefined : left
}

function messageItem({ role }: Turn, { left, contents }: Message): JsonObject {
  const bare = Object.keys(left).length === 0
  return {
    ...left,
    type: 'message',
    role: role === 'tool' ? 'user' : role,
    content: bare ? shorthand(contents) : contents,
  }
}

type Of<K extends Part['kind']> = Extract<Part, { kind: K }>

function itemOf(part: Part): JsonObject | undefined {
  const left = part.only?.responses
  switch (part.kind) {
    case 'toolCall':
      return objectOf(left?.item) ?? functionCall(part)
    case 'toolResult':
      return objectOf(left?.item) ?? functionOutput(part)
    case 'reasoning':
      return reasoningItem(part)
    case 'serverTool':
      return part.of === 'responses' ? left : undefined
    case 'opaque':
      return part.of === 'responses' && isObject(part.value) ? part.value : undefined
    default:
      return undefined
  }
}

function functionCall({ id, name, input, only }: Of<'toolCall'>): JsonObject {
  return { ...only?.responses, type: 'function_call', call_id: id, name, arguments: input }
}

function functionOutput({ callId, parts, only }: Of<'toolResult'>): JsonObject {
  const contents = parts.map(inputContent).filter((content) => content !== undefined)
  const output = contents.length === 0 ? '' : shorthand(contents)
  return { ...only?.responses, type: 'function_call_output', call_id: callId, output }
}

/**
 * Reasoning goes back to its issuer only: as sealed here, or as a client of this format received it. Encrypted
 * reasoning is refused under any id but its own.
 */
function reasoningItem(part: Of<'reasoning'>): JsonObject | undefined {
  const { seal, text, summary } = part
  const own = part.only?.responses
  const opened = seal && openSeal(seal)
  if (seal === undefined ? own === undefined : opened === undefined) return undefined
  const reported = own?.content === undefined ? (summary ?? text) : summary
  return defined<JsonObject>({
    ...own,
    type: 'reasoning',
    id: opened?.id ?? own?.id,
    summary:
      own?.summary ?? (reported === undefined ? [] : [{ type: 'summary_text', text: reported }]),
    encrypted_content: opened?.encrypted,
  })
}

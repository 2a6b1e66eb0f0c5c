/**
 * Turns as messages: text beside a list of images, thoughts in a field of their own, arguments of tools as objects. A result
 * names its tool, since calls have no ids here.
 */
import type { Part, Turn } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { toolInput } from '../../../kernel/toolkit/format/index.js'
import { present, unlessEmpty } from '../../../kernel/toolkit/json/index.js'

type Of<K extends Part['kind']> = Extract<Part, { readonly kind: K }>

export function encodeTurns(turns: readonly Turn[]): JsonObject[] {
  const names = toolNames(turns)
  return turns.flatMap((turn) => (turn.role === 'assistant' ? answered(turn) : given(turn, names)))
}

/** Names of the tools that were called, by the id of the call. */
function toolNames(turns: readonly Turn[]): ReadonlyMap<string, string> {
  const calls = turns.flatMap(({ parts }) => parts.filter((part) => part.kind === 'toolCall'))
  return new Map(calls.map(({ id, name }) => [id, name]))
}

const roles: Readonly<Partial<Record<Turn['role'], string>>> = {
  system: 'system',
  developer: 'system',
}

/** What the model was sent: results of tools, each a message, and whatever stands between them. */
function given({ role: speaker, parts }: Turn, names: ReadonlyMap<string, string>): JsonObject[] {
  const role = roles[speaker] ?? 'user'
  const messages: JsonObject[] = []
  let open: Part[] = []
  const close = () => {
    if (open.length > 0) messages.push(said(role, open))
    open = []
  }
  for (const part of parts) {
    if (part.kind === 'toolResult') {
      close()
      messages.push(toolResult(part, names))
    } else open.push(part)
  }
  close()
  return messages
}

function said(role: string, parts: readonly Part[]): JsonObject {
  return present<JsonObject>({ role, content: textIn(parts), images: imagesIn(parts) })
}

function answered({ parts }: Turn): JsonObject[] {
  const calls = parts.filter((part) => part.kind === 'toolCall').map(toolCall)
  const content = textIn(parts)
  if (calls.length === 0 && content === '') return []
  return [
    present<JsonObject>({
      role: 'assistant',
      content,
      thinking: thoughtsIn(parts),
      tool_calls: calls.length === 0 ? undefined : calls,
    }),
  ]
}

function toolCall({ name, input }: Of<'toolCall'>): JsonObject {
  return { function: { name, arguments: toolInput(input) ?? {} } }
}

function toolResult(
  { callId, name, parts }: Of<'toolResult'>,
  names: ReadonlyMap<string, string>,
): JsonObject {
  const tool_name = name ?? names.get(callId)
  return present<JsonObject>({ role: 'tool', tool_name, content: textIn(parts) })
}

function textIn(parts: readonly Part[]): string {
  return parts
    .flatMap((part) => (part.kind === 'text' || part.kind === 'refusal' ? [part.text] : []))
    .join('\n')
}

function thoughtsIn(parts: readonly Part[]): string | undefined {
  const thoughts = parts
    .filter((part) => part.kind === 'reasoning')
    .map(({ text, summary }) => text ?? summary ?? '')
    .join('')
  return thoughts === '' ? undefined : thoughts
}

/** By their bytes alone; others were refused by name before. */
function imagesIn(parts: readonly Part[]): readonly string[] | undefined {
  const images = parts.flatMap((part) =>
    part.kind === 'media' && 'base64' in part.source ? [part.source.base64] : [],
  )
  return unlessEmpty(images)
}

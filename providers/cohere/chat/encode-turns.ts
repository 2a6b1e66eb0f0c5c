/**
 * Turns as messages. Each result of a tool is a message of its own; what a model thought before it called tools is
 * its plan, what it thought before it answered is not sent back.
 */
import type { Part, Turn } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { defined, type Of } from './parts.js'

export function encodeTurns(turns: readonly Turn[]): JsonObject[] {
  return turns.flatMap((turn) => (turn.role === 'assistant' ? assistant(turn) : given(turn)))
}

const roles: Readonly<Partial<Record<Turn['role'], string>>> = {
  system: 'system',
  developer: 'system',
}

/** What the model was sent: results, and whatever stands between them. */
function given({ role: speaker, parts }: Turn): JsonObject[] {
  const role = roles[speaker] ?? 'user'
  const messages: JsonObject[] = []
  let content: JsonObject[] = []
  const close = () => {
    if (content.length > 0) messages.push({ role, content: simplest(content) })
    content = []
  }
  for (const part of parts) {
    if (part.kind === 'toolResult') {
      close()
      messages.push(toolResult(part))
    } else content.push(...contentOf(part))
  }
  close()
  return messages
}

function assistant({ parts }: Turn): JsonObject[] {
  const calls = parts.filter((part) => part.kind === 'toolCall').map(toolCall)
  const content = parts.flatMap(contentOf)
  if (calls.length === 0 && content.length === 0) return []
  return [
    defined({
      role: 'assistant',
      tool_plan: calls.length === 0 ? undefined : planIn(parts),
      tool_calls: calls.length === 0 ? undefined : calls,
      content: content.length === 0 ? undefined : simplest(content),
    }),
  ]
}

function planIn(parts: readonly Part[]): string | undefined {
  const plan = parts
    .filter((part) => part.kind === 'reasoning')
    .map(({ text, summary }) => text ?? summary ?? '')
    .join('')
  return plan === '' ? undefined : plan
}

function toolCall({ id, name, input }: Of<'toolCall'>): JsonObject {
  return {
    id,
    type: 'function',
    function: { name, arguments: input.trim() === '' ? '{}' : input },
  }
}

function toolResult({ callId, parts }: Of<'toolResult'>): JsonObject {
  return { role: 'tool', tool_call_id: callId, content: simplest(parts.flatMap(contentOf)) }
}

/** What cannot be expressed here was refused by name before. */
function contentOf(part: Part): JsonObject[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }]
    case 'media':
      return [image(part)]
    default:
      return []
  }
}

function image({ source, detail }: Of<'media'>): JsonObject {
  const url =
    'base64' in source
      ? `data:${source.mime};base64,${source.base64}`
      : 'url' in source
        ? source.url
        : ''
  return { type: 'image_url', image_url: defined({ url, detail }) }
}

/** One text goes as it is, nothing as an empty one. */
function simplest(content: readonly JsonObject[]): string | readonly JsonObject[] {
  const [first, ...more] = content
  if (first === undefined) return ''
  return more.length === 0 && typeof first.text === 'string' ? first.text : content
}

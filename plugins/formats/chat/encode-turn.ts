/** One turn as chat messages: a turn that carries tool results becomes several, the results first. */
import type { Part, Turn } from '../../../kernel/contract/call.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { writeDataUrl } from './data-url.js'
import { present } from './fields.js'
import { reasoningExtra, type SealedStretch, toolExtra } from './seals.js'

type PartOf<Kind extends Part['kind']> = Extract<Part, { readonly kind: Kind }>

export function encodeTurn(turn: Turn): JsonObject[] {
  if (turn.role === 'assistant') return [assistantMessage(turn)]
  const results = turn.parts.filter(isKind('toolResult'))
  const messages = results.map((result) => resultMessage(result, turn))
  // Media inside a result cannot stand in a tool message; it follows as the user's.
  const media = results.flatMap(({ parts }) => parts.filter(isKind('media')))
  const rest = [...media, ...turn.parts.filter(({ kind }) => kind !== 'toolResult')]
  const legacy = turn.parts.flatMap((part) => (turn.role === 'tool' ? ownMessage(part) : []))
  if (legacy.length > 0) return legacy
  if (rest.length === 0 && results.length > 0) return messages
  const role = turn.role === 'tool' ? 'user' : turn.role
  const only = results.length === 0 ? turn.only?.chat : undefined
  const name = turn.name
  return [...messages, present<JsonObject>({ role, name, content: content(rest), ...only })]
}

/** A whole message of this format that the canonical form could not hold. */
function ownMessage(part: Part): JsonObject[] {
  return part.kind === 'opaque' && part.of === 'chat' ? [part.value as JsonObject] : []
}

function resultMessage(result: PartOf<'toolResult'>, turn: Turn): JsonObject {
  const given = result.parts.filter(({ kind }) => kind !== 'media')
  return present<JsonObject>({
    role: 'tool',
    tool_call_id: result.callId,
    content: content(given),
    ...(turn.role === 'tool' && turn.only?.chat),
  })
}

function assistantMessage(turn: Turn): JsonObject {
  const { parts } = turn
  const calls = parts.filter(isKind('toolCall'))
  const refusals = parts.filter(isKind('refusal'))
  const reasoning = parts.filter(isKind('reasoning'))
  const texts = parts.filter(isKind('text'))
  const spoken = parts.filter(isKind('media')).find(({ source }) => 'id' in source)
  return present<JsonObject>({
    role: 'assistant',
    name: turn.name,
    content: texts.length === 0 ? emptyContent(parts) : joined(texts),
    refusal: refusals.length === 0 ? undefined : joined(refusals),
    reasoning_content: reasoning.some(hasText) ? joined(reasoning) : undefined,
    audio: spoken && 'id' in spoken.source ? { id: spoken.source.id } : undefined,
    tool_calls: calls.length === 0 ? undefined : calls.map(toolCall),
    extra_content: reasoningExtra(stretchesOf(reasoning)),
    ...turn.only?.chat,
  })
}

/** A message that only calls tools has no content; one that is just empty has the empty string. */
function emptyContent(parts: readonly Part[]): string | null {
  return parts.some(({ kind }) => kind === 'toolCall' || kind === 'refusal') ? null : ''
}

function hasText({ text }: { readonly text?: string }): boolean {
  return text !== undefined && text !== ''
}

function joined(parts: readonly { readonly text?: string }[]): string {
  return parts.map(({ text }) => text ?? '').join('')
}

/** Seals go back to their issuer only: to an upstream of this format, and only the ones it issued. */
function stretchesOf(reasoning: readonly PartOf<'reasoning'>[]): SealedStretch[] {
  return reasoning.flatMap(({ text = '', seal }) =>
    seal?.by === 'chat' ? [{ chars: text.length, seal }] : [],
  )
}

function toolCall(call: PartOf<'toolCall'>): JsonObject {
  return {
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: call.input },
    ...toolExtra(call.seal?.by === 'chat' ? call.seal : undefined),
    ...call.only?.chat,
  }
}

function content(parts: readonly Part[]): string | readonly JsonObject[] {
  const [first] = parts
  if (first === undefined) return ''
  if (parts.length === 1 && first.kind === 'text' && first.only?.chat === undefined)
    return first.text
  return parts.flatMap(encodePart)
}

function encodePart(part: Part): JsonObject[] {
  const only = part.only?.chat
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text, ...only }]
    case 'refusal':
      return [{ type: 'refusal', refusal: part.text, ...only }]
    case 'media':
      return [{ ...encodeMedia(part), ...only }]
    case 'opaque':
      return part.of === 'chat' ? [part.value as JsonObject] : []
    default:
      return []
  }
}

function encodeMedia({ type, source, detail, name }: PartOf<'media'>): JsonObject {
  if (type === 'image' || type === 'video') {
    const url = 'base64' in source ? writeDataUrl(source) : 'url' in source ? source.url : ''
    return { type: `${type}_url`, [`${type}_url`]: present({ url, detail }) }
  }
  if (type === 'audio' && 'base64' in source) {
    const format = source.mime.replace(/^audio\/(x-)?/, '').replace('mpeg', 'mp3')
    return { type: 'input_audio', input_audio: { data: source.base64, format } }
  }
  if ('id' in source) return { type: 'file', file: { file_id: source.id } }
  const data = 'base64' in source ? writeDataUrl(source) : undefined
  return { type: 'file', file: present({ filename: name, file_data: data }) }
}

function isKind<Kind extends Part['kind']>(kind: Kind) {
  return (part: Part): part is PartOf<Kind> => part.kind === kind
}

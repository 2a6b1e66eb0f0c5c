/** One message of a chat request as a turn: its text and media, its reasoning with seals, its tool calls and results. */
import type { MediaSource, Part, Turn } from '../../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { dataUrl } from './data-url.js'
import { leftOf, objectOf, objectsOf, onlyChat, present, someText, textOf } from './fields.js'
import { sealedStretches, toolSeal } from './seals.js'

export function decodeTurn(message: JsonObject): Turn {
  switch (message.role) {
    case 'assistant':
      return assistantTurn(message)
    case 'tool':
      return toolTurn(message)
    case 'function':
      return { role: 'tool', parts: [{ kind: 'opaque', of: 'chat', value: message }] }
    default:
      return present<Turn>({
        role: message.role as 'system' | 'developer' | 'user',
        name: textOf(message.name),
        parts: decodeContent(message.content),
        ...onlyChat(leftOf(message, ['role', 'name', 'content'])),
      })
  }
}

function assistantTurn(message: JsonObject): Turn {
  const stretches = sealedStretches(message.extra_content)
  const known = ['role', 'name', 'content', 'refusal', 'audio', 'tool_calls', 'reasoning_content']
  if (stretches.length > 0) known.push('extra_content')
  const refusal = someText(message.refusal)
  const audio = textOf(objectOf(message.audio)?.id)
  const parts: Part[] = [
    ...decodeReasoning(someText(message.reasoning_content), stretches),
    ...decodeContent(message.content),
    ...(refusal === undefined ? [] : [{ kind: 'refusal', text: refusal } as const]),
    ...(audio === undefined ? [] : [spokenBefore(audio)]),
    ...objectsOf(message.tool_calls).map(decodeToolCall),
  ]
  return present<Turn>({
    role: 'assistant',
    name: textOf(message.name),
    parts,
    ...onlyChat(leftOf(message, known)),
  })
}

/** One part per sealed stretch; where the lengths do not add up, the text was edited and the seals are void. */
function decodeReasoning(
  text: string | undefined,
  stretches: ReturnType<typeof sealedStretches>,
): Part[] {
  const sealedChars = stretches.reduce((sum, { chars }) => sum + chars, 0)
  if (stretches.length === 0 || sealedChars > (text ?? '').length) {
    return text === undefined ? [] : [{ kind: 'reasoning', text }]
  }
  let from = 0
  const parts: Part[] = stretches.map(({ chars, seal }) => {
    const stretch = (text ?? '').slice(from, from + chars)
    from += chars
    return stretch === '' ? { kind: 'reasoning', seal } : { kind: 'reasoning', text: stretch, seal }
  })
  const rest = (text ?? '').slice(from)
  return rest === '' ? parts : [...parts, { kind: 'reasoning', text: rest }]
}

function spokenBefore(id: string): Part {
  return { kind: 'media', type: 'audio', source: { id, of: 'chat' } }
}

function decodeToolCall(call: JsonObject): Part {
  const called = objectOf(call.function)
  if (called === undefined) return { kind: 'opaque', of: 'chat', value: call }
  return present<Part>({
    kind: 'toolCall',
    id: textOf(call.id) ?? '',
    name: textOf(called.name) ?? '',
    input: textOf(called.arguments) ?? '',
    seal: toolSeal(call.extra_content),
    ...onlyChat(leftOf(call, ['id', 'type', 'index', 'function', 'extra_content'])),
  })
}

function toolTurn(message: JsonObject): Turn {
  const known = ['role', 'tool_call_id', 'name', 'content']
  const result = present<Part>({
    kind: 'toolResult',
    callId: textOf(message.tool_call_id) ?? '',
    name: textOf(message.name),
    parts: decodeContent(message.content),
  })
  return { role: 'tool', parts: [result], ...onlyChat(leftOf(message, known)) }
}

function decodeContent(content: Json | undefined): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return objectsOf(content).map(decodePart)
}

function decodePart(part: JsonObject): Part {
  const cache = cacheMark(part.cache_control)
  const known = ['type', textOf(part.type) ?? '', ...(cache === undefined ? [] : ['cache_control'])]
  const decoded = decodeKind(part)
  if (decoded === undefined) return { kind: 'opaque', of: 'chat', value: part }
  return present<Part>({ ...decoded, cache, ...onlyChat(leftOf(part, known)) })
}

/** `cache_control` stands on parts and tools of upstreams that take it. */
export function cacheMark(control: Json | undefined) {
  if (!isObject(control)) return undefined
  return present({ ttl: textOf(control.ttl) })
}

function decodeKind(part: JsonObject): Part | undefined {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: textOf(part.text) ?? '' }
    case 'refusal':
      return { kind: 'refusal', text: textOf(part.refusal) ?? '' }
    case 'image_url':
      return addressed('image', part.image_url)
    case 'video_url':
      return addressed('video', part.video_url)
    case 'input_audio':
      return audioPart(objectOf(part.input_audio))
    case 'file':
      return filePart(objectOf(part.file))
    default:
      return undefined
  }
}

function addressed(type: 'image' | 'video', value: Json | undefined): Part | undefined {
  const holder = isObject(value) ? value : { url: value }
  const url = textOf(holder.url)
  if (url === undefined || leftOf(holder, ['url', 'detail']) !== undefined) return undefined
  const source: MediaSource = dataUrl(url) ?? { url }
  return present<Part>({ kind: 'media', type, source, detail: textOf(holder.detail) })
}

function audioPart(audio: JsonObject | undefined): Part | undefined {
  const data = textOf(audio?.data)
  const format = textOf(audio?.format)
  if (data === undefined || format === undefined) return undefined
  return { kind: 'media', type: 'audio', source: { base64: data, mime: `audio/${format}` } }
}

function filePart(file: JsonObject | undefined): Part | undefined {
  if (file === undefined) return undefined
  const id = textOf(file.file_id)
  const data = textOf(file.file_data)
  const source: MediaSource | undefined =
    id !== undefined ? { id, of: 'chat' } : data === undefined ? undefined : dataUrl(data)
  if (source === undefined) return undefined
  return present<Part>({ kind: 'media', type: 'file', source, name: textOf(file.filename) })
}

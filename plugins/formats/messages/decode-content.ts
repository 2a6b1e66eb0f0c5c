/**
 * Content blocks of a messages request as canonical parts. What a block has beyond its known fields stays with the
 * part under `only.messages`; a block of unknown kind, or of known kind with a shape of its own, stays whole.
 */
import type { CacheMark, MediaSource, Part, PartExtras } from '../../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { defined, unlessEmpty, withoutNulls } from './defined.js'
import { readSeal, sealOfRedacted } from './seal.js'

/** A string is shorthand for one text block. */
export function decodeContent(content: Json | undefined): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isObject).map(decodeBlock)
}

function decodeBlock(block: JsonObject): Part {
  const read = typeof block.type === 'string' ? readers.get(block.type) : undefined
  return read?.(block) ?? { kind: 'opaque', of: 'messages', value: block }
}

type Reader = (block: JsonObject) => Part | undefined

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['text', readText],
  ['image', (block) => readMedia('image', block)],
  ['document', (block) => readMedia('file', block)],
  ['tool_use', readToolUse],
  ['tool_result', readToolResult],
  ['thinking', readThinking],
  ['redacted_thinking', readRedacted],
  ['server_tool_use', readServerTool],
])

function readText({ type, text, citations, ...rest }: JsonObject): Part | undefined {
  if (typeof text !== 'string') return undefined
  const cited = Array.isArray(citations) ? { citations } : {}
  return { kind: 'text', text, ...cited, ...extras(rest) }
}

function readMedia(type: 'image' | 'file', block: JsonObject): Part | undefined {
  const { type: _, source, title, ...rest } = block
  const read = readSource(source)
  if (read === undefined) return undefined
  const name = typeof title === 'string' ? { name: title } : {}
  return { kind: 'media', type, source: read, ...name, ...extras(rest) }
}

function readSource(source: Json | undefined): MediaSource | undefined {
  if (!isObject(source)) return undefined
  const { type, media_type: mime, data, url, file_id: id } = source
  if (type === 'url' && typeof url === 'string') return { url }
  if (type === 'file' && typeof id === 'string') return { id, of: 'messages' }
  if (typeof data !== 'string' || typeof mime !== 'string') return undefined
  if (type === 'base64') return { base64: data, mime }
  if (type === 'text') return { base64: Buffer.from(data, 'utf8').toString('base64'), mime }
  return undefined
}

function readToolUse({ type, id, name, input, ...rest }: JsonObject): Part | undefined {
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  return { kind: 'toolCall', id, name, input: JSON.stringify(input ?? {}), ...extras(rest) }
}

function readToolResult(block: JsonObject): Part | undefined {
  const { type, tool_use_id: callId, content, is_error: failed, ...rest } = block
  if (typeof callId !== 'string') return undefined
  return {
    kind: 'toolResult',
    callId,
    parts: decodeContent(content),
    ...(typeof failed === 'boolean' ? { failed } : {}),
    ...extras(rest),
  }
}

/** An empty signature is what this gateway writes for unsealed reasoning. */
function readThinking({ type, thinking, signature, ...rest }: JsonObject): Part | undefined {
  if (typeof thinking !== 'string') return undefined
  return defined<Part>({
    kind: 'reasoning',
    text: thinking === '' ? undefined : thinking,
    seal: typeof signature === 'string' && signature !== '' ? readSeal(signature) : undefined,
    ...extras(rest),
  })
}

function readRedacted({ type, data, ...rest }: JsonObject): Part | undefined {
  if (typeof data !== 'string') return undefined
  return { kind: 'reasoning', seal: sealOfRedacted(data), ...extras(rest) }
}

function readServerTool({ type, id, name, input, ...rest }: JsonObject): Part | undefined {
  if (typeof id !== 'string' || typeof name !== 'string') return undefined
  return { kind: 'serverTool', id, name, input: input ?? {}, of: 'messages', ...extras(rest) }
}

function extras(rest: JsonObject): PartExtras {
  const { cache_control: mark, ...others } = rest
  const only = unlessEmpty(withoutNulls(others))
  return defined({ cache: readCache(mark), only: only && { messages: only } })
}

export function readCache(mark: Json | undefined): CacheMark | undefined {
  if (!isObject(mark)) return undefined
  return typeof mark.ttl === 'string' ? { ttl: mark.ttl } : {}
}

/**
 * Canonical parts as content blocks of a messages request. A part this format has no block for is left out here; the
 * table of unsupported fields names it before it comes to that.
 */
import type { MediaSource, Part, PartExtras } from '../../../kernel/contract/call.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { toolInput } from '../../../kernel/toolkit/format/index.js'
import { defined } from './defined.js'
import { redactedData, writeSeal } from './seal.js'

export function encodeParts(parts: readonly Part[]): JsonObject[] {
  return parts.map(encodePart).filter((block) => block !== undefined)
}

function encodePart(part: Part): JsonObject | undefined {
  switch (part.kind) {
    case 'text':
      return textBlock(part.text, part)
    case 'refusal':
      return textBlock(part.text, part)
    case 'media':
      return mediaBlock(part)
    case 'toolCall':
      return toolUse(part)
    case 'toolResult':
      return toolResult(part)
    case 'reasoning':
      return reasoningBlock(part)
    case 'serverTool':
      return serverTool(part)
    case 'opaque':
      return part.of === 'messages' && isObject(part.value) ? part.value : undefined
  }
}

type Of<K extends Part['kind']> = Extract<Part, { kind: K }>

/** The upstream refuses blank text, and blank text means nothing. */
function textBlock(text: string, part: Part): JsonObject | undefined {
  if (text.trim() === '') return undefined
  const citations = 'citations' in part ? part.citations?.filter(isOwnCitation) : undefined
  const cited = citations === undefined || citations.length === 0 ? {} : { citations }
  return { ...leftovers(part), type: 'text', text, ...cited, ...cacheMark(part) }
}

const citationTypes = new Set<Json | undefined>([
  'char_location',
  'page_location',
  'content_block_location',
  'web_search_result_location',
  'search_result_location',
])

export function isOwnCitation(citation: Json): boolean {
  return isObject(citation) && citationTypes.has(citation.type)
}

function mediaBlock(part: Of<'media'>): JsonObject | undefined {
  const source = writeSource(part)
  if (source === undefined) return undefined
  const type = part.type === 'image' ? 'image' : 'document'
  const title = part.type === 'file' && part.name !== undefined ? { title: part.name } : {}
  return { ...leftovers(part), type, source, ...title, ...cacheMark(part) }
}

/** The source in this format's words; undefined where it has none (audio, video, foreign files, other documents). */
export function writeSource({ type, source }: Of<'media'>): JsonObject | undefined {
  if (type !== 'image' && type !== 'file') return undefined
  if ('url' in source) return { type: 'url', url: source.url }
  if ('id' in source) {
    return source.of === 'messages' ? { type: 'file', file_id: source.id } : undefined
  }
  return type === 'image' ? base64Source(source) : documentSource(source)
}

type Base64 = Extract<MediaSource, { base64: string }>

function base64Source({ base64, mime }: Base64): JsonObject {
  return { type: 'base64', media_type: mime, data: base64 }
}

function documentSource(source: Base64): JsonObject | undefined {
  if (source.mime === 'application/pdf') return base64Source(source)
  if (!source.mime.startsWith('text/')) return undefined
  const data = Buffer.from(source.base64, 'base64').toString('utf8')
  return { type: 'text', media_type: 'text/plain', data }
}

function toolUse(part: Of<'toolCall'>): JsonObject {
  return {
    ...leftovers(part),
    type: 'tool_use',
    id: toolId(part.id),
    name: part.name,
    input: toolInput(part.input) ?? {},
    ...cacheMark(part),
  }
}

function toolResult(part: Of<'toolResult'>): JsonObject {
  const content = encodeParts(part.parts)
  return {
    ...leftovers(part),
    type: 'tool_result',
    tool_use_id: toolId(part.callId),
    ...(content.length === 0 ? {} : { content: shorthand(content) }),
    ...defined({ is_error: part.failed }),
    ...cacheMark(part),
  }
}

/** Only its own seals verify; reasoning without one is refused by the upstream. */
function reasoningBlock(part: Of<'reasoning'>): JsonObject | undefined {
  const { seal, text = '' } = part
  if (seal?.by !== 'messages') return undefined
  const data = redactedData(seal)
  if (data !== undefined) return { ...leftovers(part), type: 'redacted_thinking', data }
  return { ...leftovers(part), type: 'thinking', thinking: text, signature: writeSeal(seal) }
}

function serverTool(part: Of<'serverTool'>): JsonObject | undefined {
  if (part.of !== 'messages') return undefined
  const { id, name, input = {} } = part
  return { ...leftovers(part), type: 'server_tool_use', id, name, input, ...cacheMark(part) }
}

/**
 * The upstream takes letters, digits, `_` and `-` in a tool id; some chat services use more. The same id always comes
 * out the same, so calls and results still meet.
 */
function toolId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, '_')
}

/** One bare text block in its short spelling. */
export function shorthand(blocks: readonly JsonObject[]): string | readonly JsonObject[] {
  const [first] = blocks
  if (blocks.length !== 1 || first?.type !== 'text' || typeof first.text !== 'string') return blocks
  return Object.keys(first).length === 2 ? first.text : blocks
}

function leftovers({ only }: PartExtras): JsonObject {
  return only?.messages ?? {}
}

export function cacheMark({ cache }: Pick<PartExtras, 'cache'>): JsonObject {
  return cache === undefined ? {} : { cache_control: { type: 'ephemeral', ...cache } }
}

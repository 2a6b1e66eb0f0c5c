/**
 * What stands inside a message or a tool's output, as canonical parts. Fields the call has no word for stay with the
 * part under `only.responses`; content of unknown kind, or of known kind with a shape of its own, stays whole.
 */
import type { MediaSource, Part, PartExtras } from '../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { readAnnotation } from './citations.js'
import { dataUrl } from './data-url.js'
import { defined, objectOf, objectsOf, textOf, unlessEmpty, withoutNulls } from './fields.js'

/** A string is shorthand for one text. */
export function decodeContent(content: Json | undefined): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return objectsOf(content).map(decodePart)
}

function decodePart(content: JsonObject): Part {
  const read = typeof content.type === 'string' ? readers.get(content.type) : undefined
  return read?.(content) ?? { kind: 'opaque', of: 'responses', value: content }
}

type Reader = (content: JsonObject) => Part | undefined

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['input_text', readText],
  ['output_text', readText],
  ['text', readText],
  ['refusal', readRefusal],
  ['input_image', readImage],
  ['input_file', readFile],
  ['input_audio', readAudio],
])

function readText({ type, text, annotations, ...rest }: JsonObject): Part | undefined {
  if (typeof text !== 'string') return undefined
  const { logprobs, ...others } = rest
  const reported = Array.isArray(logprobs) && logprobs.length > 0 ? { ...others, logprobs } : others
  const cited = Array.isArray(annotations) ? annotations : []
  const citations = cited.length === 0 ? {} : { citations: cited.map(readAnnotation) }
  return { kind: 'text', text, ...citations, ...extras(reported) }
}

function readRefusal({ type, refusal, ...rest }: JsonObject): Part | undefined {
  return typeof refusal === 'string'
    ? { kind: 'refusal', text: refusal, ...extras(rest) }
    : undefined
}

function readImage({ type, image_url, file_id, detail, ...rest }: JsonObject): Part | undefined {
  const url = textOf(image_url)
  const id = textOf(file_id)
  if (url === undefined && id === undefined) return undefined
  const source: MediaSource =
    url === undefined ? { id: id!, of: 'responses' } : (dataUrl(url) ?? { url })
  return defined<Part>({
    kind: 'media',
    type: 'image',
    source,
    detail: textOf(detail),
    ...extras(rest),
  })
}

function readFile(content: JsonObject): Part | undefined {
  const { type, file_data, file_url, file_id, filename, detail, ...rest } = content
  const source = fileSource(textOf(file_data), textOf(file_url), textOf(file_id))
  if (source === undefined) return undefined
  const name = textOf(filename)
  // Present, be it empty: a file that came without a name from here needs none.
  const only = name === undefined ? { only: { responses: withoutNulls(rest) } } : extras(rest)
  return defined<Part>({
    kind: 'media',
    type: 'file',
    source,
    detail: textOf(detail),
    name,
    ...only,
  })
}

function fileSource(data?: string, url?: string, id?: string): MediaSource | undefined {
  if (data !== undefined) return dataUrl(data)
  if (url !== undefined) return { url }
  return id === undefined ? undefined : { id, of: 'responses' }
}

function readAudio({ type, input_audio, ...rest }: JsonObject): Part | undefined {
  const { data, format } = objectOf(input_audio) ?? {}
  if (typeof data !== 'string' || typeof format !== 'string') return undefined
  const source = { base64: data, mime: `audio/${format}` }
  return { kind: 'media', type: 'audio', source, ...extras(rest) }
}

function extras(rest: JsonObject): PartExtras {
  const left = unlessEmpty(withoutNulls(rest))
  return left === undefined ? {} : { only: { responses: left } }
}

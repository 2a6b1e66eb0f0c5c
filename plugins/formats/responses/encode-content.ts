/**
 * Canonical parts as content of a message or of a tool's output. A part this format has no content for is left out
 * here; the table of unsupported fields names it before it comes to that.
 */
import type { MediaSource, Part } from '../../../kernel/contract/call.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import { writeAnnotation } from './citations.js'
import { writeDataUrl } from './data-url.js'
import { defined, objectOf } from './fields.js'

type Of<K extends Part['kind']> = Extract<Part, { kind: K }>

/** Content of the user, an instruction or a tool. */
export function inputContent(part: Part): JsonObject | undefined {
  const left = part.only?.responses
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return { ...left, type: 'input_text', text: part.text }
    case 'media': {
      const media = mediaContent(part)
      return media && { ...left, ...media }
    }
    case 'opaque':
      return part.of === 'responses' && isObject(part.value) ? part.value : undefined
    default:
      return undefined
  }
}

/** Content of the assistant. */
export function outputContent(part: Part): JsonObject | undefined {
  const left = objectOf(part.only?.responses?.content)
  if (part.kind === 'refusal') return { ...left, type: 'refusal', refusal: part.text }
  if (part.kind !== 'text') return undefined
  const annotations = (part.citations ?? []).map(writeAnnotation).filter((one) => one !== undefined)
  return { ...left, type: 'output_text', text: part.text, annotations }
}

/** One bare text in its short spelling. */
export function shorthand(contents: readonly JsonObject[]): string | readonly JsonObject[] {
  const [first] = contents
  if (contents.length !== 1 || first === undefined || typeof first.text !== 'string')
    return contents
  const { type, text, annotations, ...left } = first
  const cited = Array.isArray(annotations) && annotations.length > 0
  return cited || Object.keys(left).length > 0 ? contents : first.text
}

/** The media in this format's words; undefined where it has none (video, foreign files, audio by address). */
export function mediaContent(part: Of<'media'>): JsonObject | undefined {
  switch (part.type) {
    case 'image':
      return imageContent(part)
    case 'file':
      return fileContent(part)
    case 'audio':
      return audioContent(part.source)
    case 'video':
      return undefined
  }
}

function imageContent({ source, detail }: Of<'media'>): JsonObject | undefined {
  const type = 'input_image'
  if (!('id' in source)) return defined({ type, image_url: addressOf(source), detail })
  return source.of === 'responses' ? defined({ type, file_id: source.id, detail }) : undefined
}

type Addressed = Exclude<MediaSource, { readonly id: string }>

function addressOf(source: Addressed): string {
  return 'base64' in source ? writeDataUrl(source) : source.url
}

/** The upstream takes the bytes of a file under a name only. */
function fileContent({ source, detail, name, only }: Of<'media'>): JsonObject | undefined {
  const type = 'input_file'
  if ('id' in source) {
    if (source.of !== 'responses') return undefined
    return defined({ type, file_id: source.id, filename: name, detail })
  }
  if ('url' in source) return defined({ type, file_url: source.url, filename: name, detail })
  const filename = name ?? (only?.responses === undefined ? nameFor(source.mime) : undefined)
  return defined({ type, filename, file_data: writeDataUrl(source), detail })
}

function nameFor(mime: string): string {
  return mime === 'application/pdf' ? 'document.pdf' : 'document.txt'
}

function audioContent(source: MediaSource): JsonObject | undefined {
  if (!('base64' in source)) return undefined
  const format = source.mime.replace(/^audio\/(x-)?/, '').replace('mpeg', 'mp3')
  return { type: 'input_audio', input_audio: { data: source.base64, format } }
}

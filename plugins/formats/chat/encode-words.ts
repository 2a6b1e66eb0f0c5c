/** Words of the chat format that both its bodies and its streams are written with. */
import type { Stop } from '../../../kernel/contract/event.js'
import type { Reader } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { mintId } from '../../../kernel/toolkit/format/index.js'
import { writeDataUrl } from './data-url.js'

const finishReasons: Readonly<Record<Stop, string>> = {
  end: 'stop',
  stopSequence: 'stop',
  length: 'length',
  tool: 'tool_calls',
  refusal: 'content_filter',
  filter: 'content_filter',
  pause: 'stop',
  context: 'length',
  malformedTool: 'stop',
  other: 'stop',
}

export function finishReason(reason: Stop): string {
  return finishReasons[reason]
}

/** The id of an answer whose upstream gave it none. */
export function answerId(id: string | undefined, { model, requestId = '' }: Answering): string {
  return id ?? mintId('chatcmpl-', model, requestId)
}

/** The unique part of the id of an answer. */
export type Answering = Pick<Reader, 'model' | 'requestId'>

/** An image as clients of this format know it from vendors that draw. */
export function imageEntry(
  source: { base64: string; mime?: string } | { url: string },
): JsonObject {
  const url =
    'url' in source
      ? source.url
      : writeDataUrl({ base64: source.base64, mime: source.mime ?? 'image/png' })
  return { type: 'image_url', image_url: { url } }
}

/** Citations pass where they are already in this format's shape. */
export function annotation(citation: Json): JsonObject | undefined {
  return isObject(citation) && citation.type === 'url_citation' ? citation : undefined
}

/** The address of an image that came as one. */
export function urlIn(whole: Json | undefined): string | undefined {
  return isObject(whole) && typeof whole.url === 'string' ? whole.url : undefined
}

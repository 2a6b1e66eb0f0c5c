/** Speech as this service takes it: two containers, voices of its own, nothing said of how to speak. */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { garbled, notExpressible } from '../../kernel/toolkit/errors/index.js'
import { present } from '../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../kernel/toolkit/operation/index.js'

/** Containers and the media type each is sent as. */
const types: Readonly<Record<string, string>> = { wav: 'audio/wav', pcm: 'audio/pcm' }
/** Names of another service, which clients send because their SDK wants one; this service's default speaks for them. */
const foreignVoices: ReadonlySet<Json> = new Set([
  ...['alloy', 'ash', 'ballad', 'cedar', 'coral', 'echo', 'fable'],
  ...['marin', 'nova', 'onyx', 'sage', 'shimmer', 'verse'],
])
const usualVoice = 'tongtong'

/** Throws `not_expressible`, naming the field. */
export function shapeSpeech(body: Body): Body {
  const { voice, response_format: format, instructions, stream_format, ...rest } = jsonOf(body)
  if (typeof instructions === 'string' && instructions !== '') throw notExpressible('instructions')
  if (stream_format === 'sse') throw notExpressible('stream_format')
  const value: JsonObject = {
    ...rest,
    voice: voice === undefined || foreignVoices.has(voice) ? usualVoice : voice,
    response_format: formatOf(format),
    stream: false,
  }
  return { kind: 'json', value: present(value) }
}

export function readSpeech(
  { headers, body }: WholeAnswer,
  requested: Body,
): Answered | { readonly failure: Failure } {
  const stated = String(headers['content-type'] ?? '')
  if (body.length === 0 || !/^(?:audio\/|application\/octet-stream)/.test(stated)) {
    return { failure: garbled() }
  }
  const format = formatOf(jsonOf(requested).response_format)
  return { bytes: body, type: stated.startsWith('audio/') ? stated : types[format]! }
}

/** A client that names none gets a file that any player opens, and not this service's bare samples. */
function formatOf(format: Json | undefined): string {
  if (format === undefined || format === null || format === '') return 'wav'
  if (typeof format !== 'string' || !Object.hasOwn(types, format)) {
    throw notExpressible('response_format')
  }
  return format
}

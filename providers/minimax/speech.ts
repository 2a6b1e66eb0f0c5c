/**
 * Speech by T2A v2: the text and the voice in fields of this service's own, the audio back as hexadecimal text. Fields a
 * client sends in this service's words pass as they are.
 */

import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { failureOfError, notExpressible } from '../../kernel/toolkit/errors/index.js'
import { replyObject } from '../../kernel/toolkit/json/index.js'
import { errorOf } from './codes.js'

/** Containers and the media type each is sent as. */
const types: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  pcm: 'audio/pcm',
}

export function shape(body: Body): Body {
  const { input, voice, speed, response_format, instructions, stream_format, ...rest } =
    fieldsOf(body)
  if (typeof instructions === 'string' && instructions !== '') throw notExpressible('instructions')
  if (stream_format === 'sse') throw notExpressible('stream_format')
  const format = formatOf(response_format)
  return {
    kind: 'json',
    value: {
      ...rest,
      text: input,
      stream: false,
      output_format: 'hex',
      voice_setting: { ...voiceOf(voice), ...defined({ speed }), ...objectOf(rest.voice_setting) },
      audio_setting: { ...defined({ format }), ...objectOf(rest.audio_setting) },
    },
  }
}

export function answer(
  { body }: WholeAnswer,
  requested: Body,
): Answered | { readonly failure: Failure } {
  const reported = replyObject(body) ?? {}
  const error = errorOf(reported)
  if (error !== undefined) return { failure: failureOfError(error, error.status ?? 502) }
  const audio = objectOf(reported.data)?.audio
  if (typeof audio !== 'string' || !isHex(audio)) return { failure: failureOfError({}, 502) }
  const info = objectOf(reported.extra_info) ?? {}
  const format = String(info.audio_format ?? fieldsOf(requested).response_format ?? 'mp3')
  const characters = info.usage_characters
  return {
    bytes: Buffer.from(audio, 'hex'),
    type: types[format] ?? 'audio/mpeg',
    // Paid by the character, as the service counts them.
    ...(typeof characters === 'number' && { usage: { input: characters, output: 0 } }),
  }
}

function formatOf(format: Json | undefined): string | undefined {
  if (format === undefined || format === null || format === '') return undefined
  if (typeof format !== 'string' || !Object.hasOwn(types, format)) {
    throw notExpressible('response_format')
  }
  return format
}

/** A voice is named, or given as an object with its id. */
function voiceOf(voice: Json | undefined): JsonObject {
  return defined({ voice_id: isObject(voice) ? voice.id : voice })
}

function isHex(text: string): boolean {
  return text !== '' && text.length % 2 === 0 && /^[0-9a-f]+$/i.test(text)
}

function fieldsOf(body: Body): JsonObject {
  return body.kind === 'json' ? body.value : {}
}

function objectOf(value: Json | undefined): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

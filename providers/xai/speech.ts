/** Speech by `/v1/tts`, which names no model, requires a language and knows no instructions. */
import type { Body } from '../../kernel/contract/body.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { garbled, notExpressible } from '../../kernel/toolkit/errors/index.js'
import { present, someText } from '../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../kernel/toolkit/operation/index.js'
import { bearerRequest, upstreamUrl } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'
import { voiceOf } from './voices.js'

export const speech: OwnOperationAdapter = {
  format: 'own',
  shape: (body: Body) => ({ kind: 'json', value: request(jsonOf(body)) }),
  refuses: ({ instructions }) => (instructions === undefined ? [] : ['instructions']),
  address: (_wire, { baseUrl }, credentials, context) =>
    bearerRequest(upstreamUrl(baseUrl, '/v1/tts'), credentials, context, { accept: '*/*' }),
  answer({ headers, body }) {
    const type = headers['content-type'] ?? 'audio/mpeg'
    const isSound = /^(?:audio\/|application\/octet-stream)/.test(type) && body.length > 0
    return isSound ? { bytes: body, type } : { failure: garbled() }
  },
  fail,
}

/** Fields of its own that a client who knows the service may send along. */
const ownFields = ['optimize_streaming_latency', 'text_normalization', 'replace'] as const

function request(requested: JsonObject): JsonObject {
  const { input, voice, language, output_format: own, instructions } = requested
  if (requested.stream_format === 'sse') throw notExpressible('stream_format')
  return present<JsonObject>({
    text: input,
    voice_id: voiceOf(voice),
    language: someText(language) ?? 'auto',
    output_format: own ?? { codec: codecOf(requested.response_format) },
    speed: speedOf(requested.speed),
    instructions: someText(instructions),
    ...Object.fromEntries(ownFields.map((name) => [name, requested[name]])),
  })
}

const codecs: ReadonlySet<Json | undefined> = new Set(['mp3', 'wav', 'pcm', 'mulaw', 'alaw'])

/** MP3 where none is named, as OpenAI has it; plain samples have the same rate on both sides. */
function codecOf(format: Json | undefined): Json {
  if (format === undefined || format === null || format === '') return 'mp3'
  if (!codecs.has(format)) throw notExpressible('response_format')
  return format
}

const slowest = 0.7
const fastest = 1.5

function speedOf(speed: Json | undefined): Json | undefined {
  if (speed === undefined || speed === null) return undefined
  if (typeof speed !== 'number' || speed < slowest || speed > fastest) throw notExpressible('speed')
  return speed
}

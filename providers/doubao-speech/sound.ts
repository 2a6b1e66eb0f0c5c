/** The form of the sound: what the service makes of a requested format, and what becomes of it for the client. */
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { numberOf, objectOf } from '../../kernel/toolkit/json/index.js'

interface Sound {
  /** In the words of the service. It writes a header with every piece of a WAV file, so that is put together here. */
  readonly format: 'mp3' | 'ogg_opus' | 'pcm'
  /** Media type. */
  readonly type: string
}

const sounds: ReadonlyMap<Json | undefined, Sound> = new Map<Json | undefined, Sound>([
  ['mp3', { format: 'mp3', type: 'audio/mpeg' }],
  ['opus', { format: 'ogg_opus', type: 'audio/ogg' }],
  ['pcm', { format: 'pcm', type: 'audio/pcm' }],
  ['wav', { format: 'pcm', type: 'audio/wav' }],
])

/** Throws `not_expressible` for a format nothing here makes. */
export function soundOf({ response_format: format }: JsonObject): Sound {
  const sound = sounds.get(format || 'mp3')
  if (sound === undefined) throw notExpressible('response_format')
  return sound
}

/** Samples a second: what the client asks for in the words of the service, else what OpenAI's samples have. */
export function rateOf({ audio_params: own }: JsonObject): number {
  return numberOf(objectOf(own)?.sample_rate) ?? 24_000
}

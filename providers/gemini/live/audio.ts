/** The two directions of a session's audio, in the object's present shape and in the one before. */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import { spokenRate } from './facts.js'

export interface Side {
  /** Hertz. */
  readonly rate: number
  readonly transcribes: boolean
  /** Undefined: not stated. Null: the client says when the user has finished. */
  readonly detection: Json | undefined
  readonly voice: string | undefined
}

const inputMembers: ReadonlySet<string> = new Set(['format', 'transcription', 'turn_detection'])
const outputMembers: ReadonlySet<string> = new Set(['format', 'voice'])

export function inputOf(session: JsonObject): Side {
  const { members, place } = sideOf(session, 'input', inputMembers)
  const format = members.format ?? session.input_audio_format
  const transcription = members.transcription ?? session.input_audio_transcription
  const detection =
    members.turn_detection === undefined ? session.turn_detection : members.turn_detection
  const rate = rateOf(
    format,
    members.format === undefined ? 'session.input_audio_format' : `${place}.format`,
  )
  return { rate, transcribes: isObject(transcription), detection, voice: undefined }
}

export function outputOf(session: JsonObject): Side {
  const { members, place } = sideOf(session, 'output', outputMembers)
  const name = members.format === undefined ? 'session.output_audio_format' : `${place}.format`
  const rate = rateOf(members.format ?? session.output_audio_format, name)
  if (rate !== spokenRate) throw notExpressible(name)
  const voice = members.voice ?? session.voice ?? undefined
  if (voice !== undefined && typeof voice !== 'string') throw notExpressible(`${place}.voice`)
  return { rate, transcribes: true, detection: undefined, voice }
}

/** Members of this direction. Those that are neither read nor without effect are refused. */
function sideOf({ audio }: JsonObject, side: 'input' | 'output', read: ReadonlySet<string>) {
  const place = `session.audio.${side}`
  const found = isObject(audio) ? audio[side] : undefined
  const members = isObject(found) ? found : {}
  for (const [name, value] of Object.entries(members)) {
    const isWithoutEffect = value === null || (name === 'speed' && value === 1)
    if (!read.has(name) && !isWithoutEffect) throw notExpressible(`${place}.${name}`)
  }
  return { members, place }
}

/** Samples of 16 bits, of whatever rate: the service converts what it is told the rate of. */
function rateOf(format: Json | undefined, name: string): number {
  if (format === undefined || format === null || format === 'pcm16') return spokenRate
  if (!isObject(format) || format.type !== 'audio/pcm') throw notExpressible(name)
  const { rate = spokenRate } = format
  if (typeof rate !== 'number' || !Number.isInteger(rate) || rate < 8_000 || rate > 48_000)
    throw notExpressible(`${name}.rate`)
  return rate
}

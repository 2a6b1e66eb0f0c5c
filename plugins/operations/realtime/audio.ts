/**
 * How much audio there is in so many bytes, and what it counts as: speech going in is one token per 100 ms, speech
 * coming out one per 50 ms (https://developers.openai.com/api/docs/guides/realtime-costs).
 */
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'

const inputPerSecond = 10
const outputPerSecond = 20

/** PCM of 16 bits at 24 kHz, which is what a session uses until it sets another. */
const pcmBytesPerSecond = 48_000
const telephoneBytesPerSecond = 8_000

export function inputTokens(seconds: number): number {
  return Math.round(seconds * inputPerSecond)
}

export function outputTokens(seconds: number): number {
  return Math.round(seconds * outputPerSecond)
}

/** Bytes behind a text of base64. */
export function decodedLength(characters: number): number {
  return Math.floor((Math.max(characters, 0) * 3) / 4)
}

/** Bytes per second of each direction, and whether answers are spoken, as a session object sets it. */
export interface AudioOptions {
  readonly input: number
  readonly output: number
  readonly spoken: boolean
}

export const firstTerms: AudioOptions = {
  input: pcmBytesPerSecond,
  output: pcmBytesPerSecond,
  spoken: true,
}

/** Both shapes of the session object are read: formats under `audio`, and the older ones beside it. */
export function audioTerms(session: JsonObject, before: AudioOptions): AudioOptions {
  const modalities = session.output_modalities ?? session.modalities
  return {
    input: rateOf(formatOf(session, 'input')) ?? before.input,
    output: rateOf(formatOf(session, 'output')) ?? before.output,
    spoken: Array.isArray(modalities) ? modalities.includes('audio') : before.spoken,
  }
}

function formatOf(session: JsonObject, side: 'input' | 'output'): Json | undefined {
  const audio = isObject(session.audio) ? session.audio[side] : undefined
  return isObject(audio) ? audio.format : session[`${side}_audio_format`]
}

function rateOf(format: Json | undefined): number | undefined {
  const name = isObject(format) ? format.type : format
  if (typeof name !== 'string') return undefined
  if (/pcmu|pcma|g711/.test(name)) return telephoneBytesPerSecond
  const rate = isObject(format) ? format.rate : undefined
  const sane = typeof rate === 'number' && rate >= 8_000 && rate <= 48_000
  return /pcm/.test(name) ? (sane ? rate * 2 : pcmBytesPerSecond) : undefined
}

/** A request for speech in the words of the service. What a client sends in those (`audio_params`, `additions`) stands beside it. */
import type { Body } from '../../kernel/contract/body.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import {
  numberOf,
  objectOf,
  parsedObject,
  present,
  someText,
} from '../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../kernel/toolkit/operation/index.js'
import { rateOf, soundOf } from './sound.js'
import { obeys, speakerOf } from './voices.js'

export function shapeSpeech(body: Body, _channel: unknown, model: string): Body {
  const requested = jsonOf(body)
  if (requested.stream_format === 'sse') throw notExpressible('stream_format')
  const { input, voice, speed } = requested
  const value: JsonObject = {
    req_params: present({
      text: input,
      speaker: speakerOf(voice, model),
      audio_params: present({
        speech_rate: speechRate(speed),
        ...objectOf(requested.audio_params),
        format: soundOf(requested).format,
        sample_rate: rateOf(requested),
      }),
      additions: additionsOf(requested, model),
    }),
  }
  return { kind: 'json', value }
}

/** Hundredths faster than usual: -50 is half the pace, 100 twice the pace. */
function speechRate(speed: Json | undefined): number | undefined {
  const pace = numberOf(speed) ?? 1
  if (pace === 1) return undefined
  if (pace < 0.5 || pace > 2) throw notExpressible('speed')
  return Math.round((pace - 1) * 100)
}

/** They travel as a text of JSON. */
function additionsOf({ additions, instructions }: JsonObject, model: string): string | undefined {
  const said = someText(instructions)
  if (said !== undefined && !obeys(model)) throw notExpressible('instructions')
  const given = typeof additions === 'string' ? parsedObject(additions) : objectOf(additions)
  if (given === undefined && said === undefined) return someText(additions)
  return JSON.stringify({ ...given, ...(said !== undefined && { context_texts: [said] }) })
}

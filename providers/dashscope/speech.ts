/** Speech by Qwen-TTS: the text and the voice as input, the address of a WAV file back. */
import type { Body } from '../../kernel/contract/body.js'
import type { Usage } from '../../kernel/contract/event.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { failureOfError, notExpressible } from '../../kernel/toolkit/errors/index.js'
import {
  numberOf,
  objectOf,
  present,
  replyObject,
  someText,
} from '../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../kernel/toolkit/operation/index.js'
import { pick } from './fail.js'
import { voiceName } from './voices.js'

/** Those that are asked by HTTP; the others are sockets. */
export function isSpeechModel(model: string): boolean {
  return /^qwen3?-tts/.test(model) && !model.includes('realtime')
}

export function shapeSpeech(body: Body, _channel: unknown, model: string): Body {
  const requested = jsonOf(body)
  refuseUnheard(requested, model)
  const { input, voice, language_type, instructions, optimize_instructions } = requested
  const said = someText(instructions)
  const value: JsonObject = {
    model: requested.model,
    input: present({
      ...{ text: input, voice: voiceName(voice), language_type },
      ...(said !== undefined && { instructions: said, optimize_instructions }),
    }),
  }
  return { kind: 'json', value }
}

export function readSpeech({ body }: WholeAnswer): Answered | { readonly failure: Failure } {
  const reported = replyObject(body) ?? {}
  const url = someText(objectOf(objectOf(reported.output)?.audio)?.url)
  if (url === undefined) return { failure: failureOfError(pick(reported) ?? {}, 502) }
  const usage = usageOf(objectOf(reported.usage) ?? {})
  return { url, type: 'audio/wav', ...(usage !== undefined && { usage }) }
}

const containers: ReadonlySet<Json | undefined> = new Set([undefined, null, '', 'wav'])

function refuseUnheard(requested: JsonObject, model: string): void {
  const { response_format, speed, stream_format, instructions } = requested
  if (!containers.has(response_format)) throw notExpressible('response_format')
  if (stream_format === 'sse') throw notExpressible('stream_format')
  if ((speed ?? 1) !== 1) throw notExpressible('speed')
  const isObedient = model.includes('-instruct')
  if (someText(instructions) !== undefined && !isObedient) throw notExpressible('instructions')
}

/** The third generation counts characters of the text; the models before it tokens of text and of sound. */
function usageOf(reported: JsonObject): Usage | undefined {
  const characters = numberOf(reported.characters) ?? 0
  if (characters > 0) return { input: characters, output: 0 }
  const input = numberOf(reported.input_tokens)
  const outputAudio = numberOf(reported.output_tokens)
  return input === undefined || outputAudio === undefined
    ? undefined
    : { input, output: 0, outputAudio }
}

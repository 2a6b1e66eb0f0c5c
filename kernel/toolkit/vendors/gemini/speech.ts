/**
 * Speech by the models that answer in audio. They write samples; clients get those, or the same in a WAV container. Nothing
 * here compresses, so a compressed format cannot be requested.
 */
import type { Body } from '../../../contract/body.js'
import type { Usage } from '../../../contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../contract/json.js'
import type { WholeAnswer } from '../../../contract/operation.js'
import { notExpressible } from '../../errors/refusal.js'
import { someText } from '../../json/fields.js'
import { jsonOf } from '../../operation/operation-body.js'
import { isWav, samplesIn, wav } from '../../operation/wav.js'
import { type Blob, blobsIn, bodyOf, count, emptyAnswer, type Outcome } from './reading.js'
import { takesOrders } from './speech-facts.js'
import { voiceName } from './voices.js'

export function geminiSpeech(body: Body, model: string): JsonObject {
  const requested = jsonOf(body)
  refuseCompressed(requested)
  const { voice } = requested
  const speechConfig = { voiceConfig: { prebuiltVoiceConfig: { voiceName: voiceName(voice) } } }
  return {
    contents: [{ role: 'user', parts: [textIn(requested, model)] }],
    generationConfig: { responseModalities: ['AUDIO'], speechConfig },
  }
}

function textIn({ input, instructions }: JsonObject, model: string): JsonObject {
  const style = someText(instructions)
  if (style === undefined) return { text: input }
  return takesOrders(model)
    ? { text: `${style}: ${input}` }
    : { text: input, speechMetadata: { style } }
}

const containers: ReadonlySet<Json | undefined> = new Set([undefined, null, '', 'wav', 'pcm'])

function refuseCompressed({ response_format, speed, stream_format }: JsonObject): void {
  if (!containers.has(response_format)) throw notExpressible('response_format')
  if (speed !== undefined && speed !== null && speed !== 1) throw notExpressible('speed')
  if (stream_format === 'sse') throw notExpressible('stream_format')
}

export function readGeminiSpeech(whole: WholeAnswer, sent: Body): Outcome {
  const body = bodyOf(whole)
  const [blob] = blobsIn(body, 'audio')
  if (blob === undefined) return { failure: emptyAnswer(body) }
  const isPlain = jsonOf(sent).response_format === 'pcm'
  const type = isPlain ? 'audio/pcm' : 'audio/wav'
  return { bytes: soundOf(blob, isPlain), type, usage: usageOf(body) }
}

/** The earlier models return bare samples, those after them a whole file. */
function soundOf({ mime, base64 }: Blob, isPlain: boolean): Buffer {
  const sound = Buffer.from(base64, 'base64')
  if (isWav(sound)) return isPlain ? samplesIn(sound) : sound
  return isPlain ? sound : wav(sound, rateOf(mime))
}

/** As in `audio/L16;codec=pcm;rate=24000`. */
function rateOf(mime: string): number {
  return Number(/;\s*rate=(\d{4,6})/.exec(mime)?.[1] ?? 24_000)
}

function usageOf({ usageMetadata }: JsonObject): Usage | undefined {
  if (!isObject(usageMetadata)) return undefined
  const input = count(usageMetadata.promptTokenCount)
  const outputAudio = count(usageMetadata.candidatesTokenCount)
  if (input === undefined || outputAudio === undefined) return undefined
  return { input, outputAudio }
}

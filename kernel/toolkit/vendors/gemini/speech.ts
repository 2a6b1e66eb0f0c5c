/**
 * Speech by the models that answer in audio. They write plain samples; clients get those, or the same in a WAV
 * container. Nothing here compresses, so a compressed format cannot be requested.
 */
import type { Body } from '../../../contract/body.js'
import type { Usage } from '../../../contract/event.js'
import { isObject, type Json, type JsonObject } from '../../../contract/json.js'
import type { WholeAnswer } from '../../../contract/operation.js'
import { notExpressible } from '../../errors/refusal.js'
import { jsonOf } from '../../operation/operation-body.js'
import { blobsIn, bodyOf, count, emptyAnswer, type Outcome } from './reading.js'
import { voiceName } from './voices.js'
import { wav } from './wav.js'

/** The style stands before the text, as the service's guide has it. */
export function geminiSpeech(body: Body): JsonObject {
  const requested = jsonOf(body)
  refuseCompressed(requested)
  const { input, voice, instructions } = requested
  const text =
    typeof instructions === 'string' && instructions !== '' ? `${instructions}: ${input}` : input
  const speechConfig = { voiceConfig: { prebuiltVoiceConfig: { voiceName: voiceName(voice) } } }
  return {
    contents: [{ role: 'user', parts: [{ text }] }],
    generationConfig: { responseModalities: ['AUDIO'], speechConfig },
  }
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
  const samples = Buffer.from(blob.base64, 'base64')
  const usage = usageOf(body)
  const isPlain = jsonOf(sent).response_format === 'pcm'
  return isPlain
    ? { bytes: samples, type: 'audio/pcm', usage }
    : { bytes: wav(samples, rateOf(blob.mime)), type: 'audio/wav', usage }
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

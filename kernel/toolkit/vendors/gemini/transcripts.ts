/**
 * Text out of a recording, by the models that understand sound: it goes along with the request to write down what is said.
 * There is no verb for it, hence no times and no streams.
 */
import type { Body } from '../../../contract/body.js'
import { isObject, type Json, type JsonObject } from '../../../contract/json.js'
import type { WholeAnswer } from '../../../contract/operation.js'
import { notExpressible } from '../../errors/refusal.js'
import { objectsOf, present } from '../../json/fields.js'
import { jsonOf } from '../../operation/operation-body.js'
import { bodyOf, count, emptyAnswer, modality, type Outcome, text } from './reading.js'
import { type RecordingKinds, recordingIn } from './recording.js'

/** @param otherwise kinds of recordings that the service calls otherwise than Gemini's own does */
export function geminiTranscript(body: Body, otherwise: RecordingKinds = {}): JsonObject {
  const requested = jsonOf(body)
  refuseTimes(requested)
  const temperature = Number.parseFloat(text(requested.temperature))
  const parts = [{ text: instructionsFor(requested) }, recordingIn(body, otherwise)]
  return {
    contents: [{ role: 'user', parts }],
    ...(Number.isFinite(temperature) && { generationConfig: { temperature } }),
  }
}

const formats: ReadonlySet<Json | undefined> = new Set([undefined, '', 'json', 'text'])

function refuseTimes(requested: JsonObject): void {
  if (!formats.has(requested.response_format)) throw notExpressible('response_format')
  if (requested.stream === true || requested.stream === 'true') throw notExpressible('stream')
  for (const field of ['timestamp_granularities[]', 'include[]']) {
    if (requested[field] !== undefined) throw notExpressible(field)
  }
}

/** What the client knows of the recording is quoted, lest it be taken for a part of the task. */
function instructionsFor({ language, prompt }: JsonObject): string {
  const lines = [
    'Write down what is said in this recording, word for word and in the language it is said in.',
    'Answer with these words alone: no times, no names of speakers, no remarks.',
  ]
  if (text(language) !== '') lines.push(`Its language has the code ${JSON.stringify(language)}.`)
  if (text(prompt) !== '') {
    lines.push(`Spell names and continue in the style of this text: ${JSON.stringify(prompt)}`)
  }
  return lines.join('\n')
}

export function readGeminiTranscript(whole: WholeAnswer, sent: Body): Outcome {
  const body = bodyOf(whole)
  const [first = {}] = objectsOf(body.candidates)
  const words = isObject(first.content) ? wordsIn(first.content) : ''
  // Nobody speaks in some recordings.
  if (words === '' && first.finishReason !== 'STOP') return { failure: emptyAnswer(body) }
  if (jsonOf(sent).response_format === 'text') {
    return { bytes: Buffer.from(`${words}\n`), type: 'text/plain; charset=utf-8', ...spent(body) }
  }
  return { json: present<JsonObject>({ text: words, usage: usageOf(body) }) }
}

function wordsIn({ parts }: JsonObject): string {
  const spoken = objectsOf(parts).filter(({ thought }) => thought !== true)
  return spoken
    .map((part) => text(part.text))
    .join('')
    .trim()
}

interface Counts {
  readonly input: number
  readonly audio: number
  readonly output: number
}

/** What it thought before it wrote costs the same as what it wrote. */
function countsIn({ usageMetadata: counts }: JsonObject): Counts | undefined {
  if (!isObject(counts)) return undefined
  const input = count(counts.promptTokenCount)
  if (input === undefined) return undefined
  const audio = Math.min(modality(counts.promptTokensDetails, 'AUDIO') ?? input, input)
  const output = (count(counts.candidatesTokenCount) ?? 0) + (count(counts.thoughtsTokenCount) ?? 0)
  return { input, audio, output }
}

function usageOf(body: JsonObject): JsonObject | undefined {
  const counts = countsIn(body)
  return (
    counts && {
      type: 'tokens',
      input_tokens: counts.input,
      input_token_details: { text_tokens: counts.input - counts.audio, audio_tokens: counts.audio },
      output_tokens: counts.output,
      total_tokens: counts.input + counts.output,
    }
  )
}

function spent(body: JsonObject) {
  const counts = countsIn(body)
  if (counts === undefined) return {}
  const { input, audio, output } = counts
  return { usage: { input: input - audio, inputAudio: audio, output } }
}

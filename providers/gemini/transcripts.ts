/**
 * Text out of a recording, by the models that understand sound: it goes along with the request to write down what is said.
 * There is no verb for it, hence no times and no streams.
 */
import type { Body } from '../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { Settings } from '../../kernel/contract/kit.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { present } from '../../kernel/toolkit/json/index.js'
import { bareName, modelCall } from './address.js'
import { fail } from './fail.js'
import {
  bodyOf,
  count,
  emptyAnswer,
  fieldsOf,
  modality,
  type Outcome,
  objects,
  text,
} from './reading.js'
import type { Safety } from './safety.js'
import { readEnding, type Thinking, withThinking } from './thinking-suffix.js'

export function transcriptAdapter(settings: Settings, safety: Safety): OwnOperationAdapter {
  const thinkingOf = (model: string): Thinking =>
    settings.boolean('thinking_suffixes') ? readEnding(bareName(model)) : { model: bareName(model) }
  return {
    format: 'own',
    serves: (_channel, model) => !deaf.test(model),
    shape(body, _channel, name) {
      const { model, config } = thinkingOf(name)
      return { kind: 'json', value: withThinking(safety(request(body), model), config) }
    },
    address: (_wire, channel, credentials, context) =>
      modelCall(
        { model: thinkingOf(context.model).model, verb: 'generateContent' },
        channel,
        credentials,
        { stream: false },
      ),
    answer,
    fail,
  }
}

/** They speak, draw, or embed. */
const deaf = /tts|image|banana|embedding|veo|lyria/

function request(body: Body): JsonObject {
  const requested = fieldsOf(body)
  refuseTimes(requested)
  const temperature = Number.parseFloat(text(requested.temperature))
  return {
    contents: [{ role: 'user', parts: [{ text: instructionsFor(requested) }, recordingIn(body)] }],
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

function recordingIn(body: Body): JsonObject {
  const files = body.kind === 'form' ? body.files : []
  const recording = files.find(({ field }) => field === 'file')
  if (recording === undefined) throw notExpressible('file')
  const { mime, filename, bytes } = recording
  return { inlineData: { mimeType: kindOf(mime, filename), data: bytes.toString('base64') } }
}

/** The service knows six kinds, some of them by another name than clients use; others are left for it to judge. */
const kinds: Readonly<Record<string, string>> = {
  'audio/mpeg': 'audio/mp3',
  'audio/mpga': 'audio/mp3',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-aiff': 'audio/aiff',
  'audio/x-flac': 'audio/flac',
  'audio/x-aac': 'audio/aac',
}

const endings: Readonly<Record<string, string>> = {
  mp3: 'audio/mp3',
  mpga: 'audio/mp3',
  mpeg: 'audio/mp3',
  wav: 'audio/wav',
  aif: 'audio/aiff',
  aiff: 'audio/aiff',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  oga: 'audio/ogg',
  flac: 'audio/flac',
  m4a: 'audio/m4a',
  mp4: 'audio/mp4',
  webm: 'audio/webm',
}

/** Many clients call every file plain bytes. */
function kindOf(mime: string, filename: string): string {
  const [essence = ''] = mime.toLowerCase().split(';')
  const named = essence.trim()
  if (named.startsWith('audio/') || named.startsWith('video/')) return kinds[named] ?? named
  const ending = /\.([a-z0-9]{1,5})$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(endings, ending) ? endings[ending]! : 'audio/mp3'
}

function answer(whole: WholeAnswer, sent: Body): Outcome {
  const body = bodyOf(whole)
  const [first = {}] = objects(body.candidates)
  const words = isObject(first.content) ? wordsIn(first.content) : ''
  // Nobody speaks in some recordings.
  if (words === '' && first.finishReason !== 'STOP') return { failure: emptyAnswer(body) }
  if (fieldsOf(sent).response_format === 'text') {
    return { bytes: Buffer.from(`${words}\n`), type: 'text/plain; charset=utf-8', ...spent(body) }
  }
  return { json: present<JsonObject>({ text: words, usage: usageOf(body) }) }
}

function wordsIn({ parts }: JsonObject): string {
  const spoken = objects(parts).filter(({ thought }) => thought !== true)
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

/** Text out of a recording by `/v1/stt`: a form whose file stands last, and words with their times back. */
import type { Body } from '../../kernel/contract/body.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { garbled, notExpressible } from '../../kernel/toolkit/errors/index.js'
import {
  numberOf,
  objectsOf,
  present,
  replyObject,
  someText,
} from '../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../kernel/toolkit/operation/index.js'
import { bearerCall } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'

export const transcriptions: OwnOperationAdapter = {
  format: 'own',
  shape,
  refuses: (fields) => hints.filter((name) => fields[name] !== undefined),
  address: bearerCall('/v1/stt'),
  answer,
  fail,
}

/** What a client may want of the wording, and this service has no word for. */
const hints = ['prompt', 'temperature'] as const

const ownFields = [
  ...['format', 'audio_format', 'sample_rate', 'multichannel', 'channels', 'diarize'],
  ...['keyterm', 'filler_words'],
]

const formats: ReadonlySet<Json | undefined> = new Set([
  ...[undefined, '', 'json', 'verbose_json', 'text'],
])

function shape(body: Body): Body {
  const requested = jsonOf(body)
  const files = body.kind === 'form' ? body.files.filter(({ field }) => field === 'file') : []
  if (!formats.has(requested.response_format)) throw notExpressible('response_format')
  if (requested.stream === 'true' || requested.stream === true) throw notExpressible('stream')
  if (granularities(requested).includes('segment')) {
    throw notExpressible('timestamp_granularities[]')
  }
  const language = someText(requested.language)
  const fields = present<JsonObject>({
    model: requested.model,
    language,
    // Without it the language changes nothing; with it numbers come written as OpenAI's do.
    format: language === undefined ? undefined : 'true',
    ...picked(requested, [...ownFields, ...hints]),
  })
  return { kind: 'form', fields, files }
}

function picked(requested: JsonObject, names: readonly string[]): JsonObject {
  const found = names.filter((name) => requested[name] !== undefined)
  return Object.fromEntries(found.map((name) => [name, requested[name]]))
}

function granularities(requested: JsonObject): readonly Json[] {
  const wanted = requested['timestamp_granularities[]'] ?? []
  return Array.isArray(wanted) ? wanted : [wanted]
}

function answer({ body }: WholeAnswer, sent: Body) {
  const reported = replyObject(body)
  const text = reported?.text
  if (reported === undefined || typeof text !== 'string') return { failure: garbled() }
  const requested = jsonOf(sent)
  switch (requested.response_format) {
    case 'text':
      return { bytes: Buffer.from(`${text}\n`), type: 'text/plain; charset=utf-8' }
    case 'verbose_json':
      return { json: verbose(reported, requested) }
    default:
      return { json: { text, ...usageOf(reported) } }
  }
}

function verbose(reported: JsonObject, requested: JsonObject): JsonObject {
  const wantsWords = granularities(requested).includes('word')
  return present<JsonObject>({
    task: 'transcribe',
    language: someText(reported.language) ?? someText(requested.language),
    duration: numberOf(reported.duration),
    text: reported.text,
    words: wantsWords ? objectsOf(reported.words).map(wordOf) : undefined,
    ...usageOf(reported),
  })
}

function wordOf({ text, ...times }: JsonObject): JsonObject {
  return { word: text, ...times }
}

function usageOf({ duration }: JsonObject): JsonObject {
  const seconds = numberOf(duration)
  return seconds === undefined ? {} : { usage: { type: 'duration', seconds } }
}

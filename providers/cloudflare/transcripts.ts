/** Text out of a recording, by the one model that takes it as base64; in its own language, or in English. */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { numberOf, objectOf, objectsOf, present } from '../../kernel/toolkit/json/index.js'
import { fieldsOf, jsonOf } from '../../kernel/toolkit/operation/index.js'
import { failureOf, resultOf, run } from './run.js'

type Task = 'transcribe' | 'translate'

export function transcripts(task: Task): OwnOperationAdapter {
  return {
    format: 'own',
    serves: (_channel, model) => isTranscriber(model),
    shape: (body) => ({ kind: 'json', value: inputOf(body, task) }),
    ...run,
    answer: (whole, body) => read(whole, body, task),
  }
}

/** The smaller Whisper models take the bytes as a list of numbers, several times their size. */
export function isTranscriber(model: string): boolean {
  return /\/whisper-large-v3-turbo$/.test(model)
}

const formats: ReadonlySet<Json | undefined> = new Set([
  ...[undefined, '', 'json', 'verbose_json', 'text', 'vtt'],
])

function inputOf(body: Body, task: Task): JsonObject {
  const files = body.kind === 'form' ? body.files : []
  const { language, prompt, response_format: format, stream } = fieldsOf(body, { stream: 'flag' })
  if (stream === true) throw notExpressible('stream')
  if (!formats.has(format)) throw notExpressible('response_format')
  const audio = files.find(({ field }) => field === 'file')?.bytes.toString('base64')
  return present({ audio, task, language, initial_prompt: prompt })
}

function read(
  whole: WholeAnswer,
  body: Body,
  task: Task,
): Answered | { readonly failure: Failure } {
  const result = resultOf(whole)
  if (typeof result?.text !== 'string') return { failure: failureOf(whole) }
  const requested = jsonOf(body)
  switch (requested.response_format) {
    case 'text':
      return { bytes: Buffer.from(`${result.text.trim()}\n`), type: 'text/plain; charset=utf-8' }
    case 'vtt':
      return typeof result.vtt === 'string'
        ? { bytes: Buffer.from(result.vtt), type: 'text/vtt; charset=utf-8' }
        : { failure: failureOf(whole) }
    case 'verbose_json':
      return { json: { task, ...verbose(result, requested) } }
    default:
      return { json: brief(result) }
  }
}

function brief({ text, transcription_info: info }: JsonObject): JsonObject {
  const seconds = numberOf(objectOf(info)?.duration)
  return { text, ...(seconds !== undefined && { usage: { type: 'duration', seconds } }) }
}

function verbose(result: JsonObject, requested: JsonObject): JsonObject {
  const { language, duration } = objectOf(result.transcription_info) ?? {}
  const parts = objectsOf(result.segments)
  const granularities = requested['timestamp_granularities[]'] ?? 'segment'
  const wanted = Array.isArray(granularities) ? granularities : [granularities]
  const segments = parts.map(({ words: _, ...segment }, id) => ({ id, ...segment }))
  return present({
    language,
    duration,
    text: result.text,
    segments: wanted.includes('segment') ? segments : undefined,
    words: wanted.includes('word') ? parts.flatMap(({ words }) => objectsOf(words)) : undefined,
  })
}

/**
 * The operation that makes text of a recording: `transcriptions` and `translations`. Billed by the upstream's count, or by
 * the length of the recording, as its answer or the file states it.
 */

import type { Body, FormFile } from '../../../contract/body.js'
import type { Usage } from '../../../contract/event.js'
import type { ReplyReading } from '../../../contract/format.js'
import type { Json, JsonObject } from '../../../contract/json.js'
import type { Operation } from '../../../contract/operation.js'
import { TokenCounter } from '../../format/token-estimate.js'
import { audioSeconds } from '../audio-length.js'
import {
  checkFields,
  invalidField,
  isBoolean,
  isText,
  isTextOrTexts,
  numberFrom,
  type Rule,
} from '../checks.js'
import { countOf, failureIn, garbled, objectOf, uncounted } from '../operation-answer.js'
import { modelNamed } from '../operation-body.js'
import { BytesWatch } from './bytes-watch.js'
import { type EventKind, type EventReader, EventWatch } from './event-watch.js'
import { fieldsOf, type Kinds, modelOf } from './fields.js'

/**
 * What a minute is worth where seconds are all that is known. $6 per million tokens make $0.006 a minute then: the list
 * price of whisper-1, and what the newer models come to by their own count.
 */
const tokensPerMinute = 1000

const fallback = 'whisper-1'

const kinds: Kinds = { temperature: 'number', stream: 'flag' }

const rules: Readonly<Record<string, Rule>> = {
  language: isText,
  prompt: isText,
  response_format: isText,
  temperature: numberFrom(0, 1),
  stream: isBoolean,
  'timestamp_granularities[]': isTextOrTexts,
  'include[]': isTextOrTexts,
}

export function transcriptOperation(name: 'transcriptions' | 'translations'): Operation {
  return {
    name,
    check(body) {
      const recording = recordingOf(body)
      if (recording.bytes.length === 0) throw invalidField('file', 'is empty')
      const fields = fieldsOf(body, kinds)
      const model = modelOf(fields, fallback)
      checkFields(fields, rules)
      return { model, stream: fields.stream === true, wantsUsage: true }
    },
    named: modelNamed,
    limits: () => ({}),
    estimate: (wire) => ({
      inputAudio: tokensOf(audioSeconds(recordingOf(wire).bytes)),
      output: 0,
    }),
    readReply,
    watch: (type) =>
      type.startsWith('text/event-stream')
        ? new EventWatch(new TranscriptReader())
        : new BytesWatch(type, true),
  }
}

/** The one file a transcript is made of. */
function recordingOf(body: Body): FormFile {
  const files = body.kind === 'form' ? body.files.filter(({ field }) => field === 'file') : []
  const [recording] = files
  if (recording === undefined) throw invalidField('file', 'must be uploaded in a multipart form')
  if (files.length > 1) throw invalidField('file', 'must be one file')
  return recording
}

function tokensOf(seconds: number): number {
  return Math.ceil((seconds * tokensPerMinute) / 60)
}

function readReply(body: JsonObject): ReplyReading {
  const failure = failureIn(body) ?? (isTranscript(body) ? undefined : garbled())
  if (failure !== undefined) return { estimatedTokens: 0, failure }
  const raw = objectOf(body.usage)
  return { usage: usageOf(raw, body.duration) ?? uncounted, raw, estimatedTokens: 0 }
}

function isTranscript({ text, segments, words }: JsonObject): boolean {
  return typeof text === 'string' || Array.isArray(segments) || Array.isArray(words)
}

/** By tokens where the upstream counts them, else by the seconds it reports. */
function usageOf(raw: JsonObject | undefined, duration?: Json): Usage | undefined {
  const total = countOf(raw?.input_tokens) ?? countOf(raw?.prompt_tokens)
  const seconds =
    countOf(raw?.seconds) ?? countOf(raw?.prompt_audio_seconds) ?? reportedSeconds(duration)
  if (raw !== undefined && total !== undefined && raw.prompt_audio_seconds === undefined) {
    return tokenUsage(raw, total)
  }
  return seconds === undefined ? undefined : { inputAudio: tokensOf(seconds), output: 0 }
}

/** Input that is not reported by kind is audio: a prompt is a few words at most. */
function tokenUsage(raw: JsonObject, total: number): Usage {
  const details = objectOf(raw.input_token_details ?? raw.prompt_tokens_details) ?? {}
  const text = Math.min(Math.max(countOf(details.text_tokens) ?? 0, 0), total)
  const inputAudio = countOf(details.audio_tokens) ?? total - text
  const output = countOf(raw.output_tokens) ?? countOf(raw.completion_tokens) ?? 0
  return { input: text, inputAudio, output }
}

/** Some upstreams write the duration of a verbose answer as text. */
function reportedSeconds(duration: Json | undefined): number | undefined {
  const seconds = typeof duration === 'string' ? Number.parseFloat(duration) : countOf(duration)
  return seconds !== undefined && seconds > 0 ? seconds : undefined
}

class TranscriptReader implements EventReader {
  usage: Usage | undefined
  raw: JsonObject | undefined
  private readonly text = new TokenCounter()

  get estimatedTokens(): number {
    return this.text.estimatedTokens
  }

  kindOf(type: string): EventKind {
    if (type === 'transcript.text.done') return 'last'
    return type === 'transcript.text.delta' || type === 'transcript.text.segment'
      ? 'content'
      : 'other'
  }

  content({ delta }: JsonObject): void {
    if (typeof delta === 'string') this.text.add(delta)
  }

  last({ usage }: JsonObject): void {
    this.raw = objectOf(usage)
    this.usage = usageOf(this.raw)
  }
}

/** Text out of a recording by Qwen3-ASR-Flash: the recording as base64 in a message, hints on it in front. */
import type { Body, FormFile } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { failureOfError, notExpressible } from '../../kernel/toolkit/errors/index.js'
import {
  numberOf,
  objectOf,
  objectsOf,
  present,
  replyObject,
  someText,
} from '../../kernel/toolkit/json/index.js'
import { fieldsOf, jsonOf } from '../../kernel/toolkit/operation/index.js'
import { pick } from './fail.js'

/** Those that answer at once; `filetrans` is a task, `realtime` a socket. */
export function isTranscriber(model: string): boolean {
  return /^qwen3-asr-flash(?!-(?:filetrans|realtime))/.test(model)
}

/** The service has no word for these; the text is made without them. */
const unknown = ['temperature'] as const

export function unknownOf(wire: JsonObject): readonly string[] {
  return unknown.filter((name) => wire[name] !== undefined)
}

const formats: ReadonlySet<Json | undefined> = new Set([undefined, '', 'json', 'text'])

export function shapeTranscript(body: Body): Body {
  const { model, prompt, language, temperature, enable_itn, ...requested } = fieldsOf(body, kinds)
  if (requested.stream === true) throw notExpressible('stream')
  if (!formats.has(requested.response_format)) throw notExpressible('response_format')
  const hint = someText(prompt)
  const options = present({ language: someText(language), enable_itn })
  const value: JsonObject = present({
    model,
    input: {
      messages: [
        ...(hint === undefined ? [] : [{ role: 'system', content: [{ text: hint }] }]),
        { role: 'user', content: [{ audio: recordingOf(body) }] },
      ],
    },
    ...(Object.keys(options).length > 0 && { parameters: { asr_options: options } }),
    temperature,
  })
  return { kind: 'json', value }
}

const kinds = { stream: 'flag', enable_itn: 'flag' } as const

export function readTranscript(
  { body }: WholeAnswer,
  requested: Body,
): Answered | { readonly failure: Failure } {
  const reported = replyObject(body) ?? {}
  const text = textIn(reported)
  if (text === undefined) return { failure: failureOfError(pick(reported) ?? {}, 502) }
  if (jsonOf(requested).response_format === 'text') {
    return { bytes: Buffer.from(`${text}\n`), type: 'text/plain; charset=utf-8' }
  }
  const seconds = numberOf(objectOf(reported.usage)?.seconds)
  return { json: { text, ...(seconds !== undefined && { usage: { type: 'duration', seconds } }) } }
}

/** A recording without speech has no text, which is an answer too. */
function textIn({ output }: JsonObject): string | undefined {
  const [choice] = objectsOf(objectOf(output)?.choices)
  const content = objectOf(choice?.message)?.content
  if (!Array.isArray(content)) return undefined
  return objectsOf(content)
    .map(({ text }) => someText(text) ?? '')
    .join('')
}

function recordingOf(body: Body): string {
  const files = body.kind === 'form' ? body.files : []
  const file = files.find(({ field }) => field === 'file')
  if (file === undefined) throw notExpressible('file')
  return `data:${typeOf(file)};base64,${file.bytes.toString('base64')}`
}

/** Clients often name no type but that of any bytes. */
function typeOf({ mime, filename }: FormFile): string {
  if (/^(?:audio|video)\//.test(mime)) return mime
  const [, ending = ''] = /\.([a-z0-9]{2,4})$/i.exec(filename) ?? []
  return types[ending.toLowerCase()] ?? 'audio/mpeg'
}

const types: Readonly<Record<string, string>> = {
  ...{ wav: 'audio/wav', m4a: 'audio/mp4', mp4: 'audio/mp4', ogg: 'audio/ogg', opus: 'audio/ogg' },
  ...{ flac: 'audio/flac', webm: 'audio/webm', aac: 'audio/aac', amr: 'audio/amr' },
}

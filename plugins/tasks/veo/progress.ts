/** Operations as both services report them: done or not, and then with clips, an error, or what a filter kept back. */

import type { Body } from '../../../kernel/contract/body.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import type { Progress, Submission, TaskRef, TaskResult } from '../../../kernel/contract/task.js'
import { failureOfError, garbled, nestedError } from '../../../kernel/toolkit/errors/index.js'
import { objectsOf, present, replyObject } from '../../../kernel/toolkit/json/index.js'
import {
  answerObject,
  listAt,
  numberAt,
  objectAt,
  textAt,
} from '../../../kernel/toolkit/task/index.js'
import { masked } from './fail.js'
import { secondsIn } from './quantities.js'

/** The length of a clip is kept: the service does not report it, and filtered clips cost nothing. */
export function submitted(
  answer: WholeAnswer,
  wire: Body,
): Submission | { readonly failure: Failure } {
  const body = answerObject(answer)
  const ref = textAt(body, 'name')
  if (ref === undefined || !isOperation(ref)) return { failure: failureIn(body) }
  return { ref, keep: { seconds: secondsIn(wire) } }
}

/** It becomes a part of addresses. */
function isOperation(name: string): boolean {
  return (
    /^(?:[\w.:@-]+\/)*operations\/[\w.:@-]+$/.test(name) && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(name)
  )
}

export function read(
  answer: WholeAnswer,
  refs: readonly TaskRef[],
  channel: ChannelView,
): readonly Progress[] | { readonly failure: Failure } {
  // With clips as bytes in it, it is larger than other answers.
  const body = replyObject(answer.body) ?? {}
  const name = textAt(body, 'name')
  if (name === undefined) return { failure: failureIn(body) }
  const task = refs.find(({ ref }) => ref === name)
  return task === undefined ? [] : [progressOf(body, task, channel)]
}

function failureIn(body: JsonObject): Failure {
  return isObject(body.error)
    ? failureOfError({ ...nestedError(body), blame: 'upstream' }, 200)
    : garbled()
}

function progressOf(raw: JsonObject, task: TaskRef, channel: ChannelView): Progress {
  const { ref } = task
  if (raw.done !== true) return { ref, state: 'running', raw }
  if (isObject(raw.error)) {
    return { ref, state: 'failed', reason: masked(errorIn(raw)), percent: 100, raw }
  }
  // Gemini has one more room around the same.
  const inner = objectAt(raw, 'response.generateVideoResponse')
  const response = Object.keys(inner).length > 0 ? inner : objectAt(raw, 'response')
  const results = [...listAt(response, 'generatedSamples'), ...listAt(response, 'videos')].flatMap(
    (sample) => clipOf(sample, channel),
  )
  if (results.length === 0) {
    return { ref, state: 'failed', reason: filteredIn(response), percent: 100, raw }
  }
  const made = madeOf(results.length, task)
  return present({ ref, state: 'succeeded', percent: 100, results, made, raw: shown(raw) })
}

/** Without the bucket, which is the operator's. */
function shown(raw: JsonObject): JsonObject {
  if (!isObject(raw.response)) return raw
  const { response } = raw
  const lists = (['generatedSamples', 'videos'] as const).flatMap((name) =>
    Array.isArray(response[name]) ? [[name, response[name].map(withoutPlace)] as const] : [],
  )
  return { ...raw, response: { ...response, ...Object.fromEntries(lists) } }
}

function withoutPlace(sample: Json): Json {
  if (!isObject(sample)) return sample
  const { gcsUri: _, video, ...rest } = sample
  return video === undefined ? rest : { ...rest, video: withoutPlace(video) }
}

function errorIn(raw: JsonObject): string {
  return (
    textAt(raw, 'error.message') ?? textAt(raw, 'error.status') ?? 'The upstream gave no reason.'
  )
}

function filteredIn(response: JsonObject): string {
  const reasons = listAt(response, 'raiMediaFilteredReasons').filter(
    (reason) => typeof reason === 'string',
  )
  return reasons.length > 0 ? reasons.join(' ') : 'The upstream made no clip.'
}

function madeOf(piece: number, { keep }: TaskRef) {
  const seconds = numberAt(keep, 'seconds')
  return { counts: { piece, ...(seconds !== undefined && { second: seconds * piece }) } }
}

/** `{video: {uri}}` of Gemini; `{gcsUri}` or bytes of Vertex AI. */
function clipOf(sample: Json, channel: ChannelView): readonly TaskResult[] {
  if (!isObject(sample)) return []
  const [video = sample] = objectsOf([sample.video ?? null])
  const bytes = textAt(video, 'bytesBase64Encoded') ?? textAt(video, 'encodedVideo')
  const mime = textAt(video, 'mimeType') ?? textAt(video, 'encoding') ?? 'video/mp4'
  if (bytes !== undefined) {
    const type = /^video\/[\w.+-]+$/.test(mime) ? mime : 'video/mp4'
    return [{ type: 'video', data: `data:${type};base64,${bytes}` }]
  }
  const stored = objectUrl(textAt(video, 'gcsUri') ?? '')
  if (stored !== undefined) return [{ type: 'video', url: stored, keyed: true }]
  const url = textAt(video, 'uri')
  if (url === undefined || !/^https?:/i.test(url) || !URL.canParse(url)) return []
  return [{ type: 'video', url, ...(isFile(url, channel) && { keyed: true }) }]
}

/** `gs://bucket/object` by the address it is downloaded at. */
function objectUrl(gcsUri: string): string | undefined {
  const [, bucket, object] = /^gs:\/\/([a-z0-9][\w.-]{1,221})\/(.+)$/.exec(gcsUri) ?? []
  if (bucket === undefined || object === undefined) return undefined
  return `https://storage.googleapis.com/storage/v1/b/${bucket}/o/${encodeURIComponent(object)}?alt=media`
}

const filesHost = 'generativelanguage.googleapis.com'

function isFile(url: string, { baseUrl }: ChannelView): boolean {
  const { hostname } = new URL(url)
  return hostname === filesHost || (URL.canParse(baseUrl) && hostname === new URL(baseUrl).hostname)
}

/** What the answers to operations have in common: parts that hold media, counts, and reasons why there are none. */
import type { Failure } from '../../../contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../../contract/json.js'
import type { Answered, WholeAnswer } from '../../../contract/operation.js'
import { failureOfError } from '../../errors/upstream-failure.js'
import { objectsOf } from '../../json/fields.js'
import { replyObject } from '../../json/reply.js'

export type Outcome = Answered | { readonly failure: Failure }

export interface Blob {
  readonly mime: string
  readonly base64: string
}

export function bodyOf({ body }: WholeAnswer): JsonObject {
  return replyObject(body) ?? {}
}

/** Media of one kind in the order it came; drafts inside thoughts are none. */
export function blobsIn(body: JsonObject, kind: 'image' | 'audio'): Blob[] {
  return objectsOf(body.candidates)
    .flatMap(({ content }) => (isObject(content) ? objectsOf(content.parts) : []))
    .filter(({ thought }) => thought !== true)
    .map(({ inlineData }) => inlineData)
    .filter(isObject)
    .map(({ mimeType, data }) => ({ mime: text(mimeType), base64: text(data) }))
    .filter(({ mime, base64 }) => mime.startsWith(`${kind}/`) && base64 !== '')
}

/** Finish reasons that are no word about the prompt. */
const unblamed: ReadonlySet<string> = new Set(['', 'STOP', 'MAX_TOKENS', 'OTHER'])

/**
 * Why a 200 holds nothing: a blocked prompt or a filtered answer is the request's fault, anything else the upstream's.
 */
export function emptyAnswer(body: JsonObject): Failure {
  const { promptFeedback, candidates } = body
  const feedback = isObject(promptFeedback) ? promptFeedback : {}
  const [first = {}] = objectsOf(candidates)
  const word = text(feedback.blockReason) || text(first.finishReason)
  if (unblamed.has(word)) return failureOfError({}, 200)
  return failureOfError({ message: `it was blocked (${word}).`, blame: 'client' }, 400)
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Tokens of one kind among `promptTokensDetails` or `candidatesTokensDetails`. */
export function modality(details: Json | undefined, name: string): number | undefined {
  return count(objectsOf(details).find((one) => one.modality === name)?.tokenCount)
}

/** What the answers to operations have in common: parts that hold media, counts, and reasons why there are none. */

import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import { failureOfError } from '../../kernel/toolkit/errors/index.js'
import { replyObject } from '../../kernel/toolkit/json/index.js'

export type Outcome = ReturnType<NonNullable<Adapter['answer']>>

export interface Blob {
  readonly mime: string
  readonly base64: string
}

/** The client's request, in either kind of body. */
export function fieldsOf(body: Body): JsonObject {
  if (body.kind === 'none') return {}
  return body.kind === 'json' ? body.value : body.fields
}

export function bodyOf({ body }: WholeAnswer): JsonObject {
  return replyObject(body) ?? {}
}

/** Media of one kind in the order it came; drafts inside thoughts are none. */
export function blobsIn(body: JsonObject, kind: 'image' | 'audio'): Blob[] {
  return objects(body.candidates)
    .flatMap(({ content }) => (isObject(content) ? objects(content.parts) : []))
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
  const [first = {}] = objects(candidates)
  const word = text(feedback.blockReason) || text(first.finishReason)
  if (unblamed.has(word)) return failureOfError({}, 200)
  return failureOfError({ message: `it was blocked (${word}).`, blame: 'client' }, 400)
}

export function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

export function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

export function count(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Tokens of one kind among `promptTokensDetails` or `candidatesTokensDetails`. */
export function modality(details: Json | undefined, name: string): number | undefined {
  return count(objects(details).find((one) => one.modality === name)?.tokenCount)
}

/** Pictures in the form clients know, and why there is none: what was asked for, or what came of it, was held back. */
import type { Body } from '../../../kernel/contract/body.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../../kernel/contract/operation.js'
import { failureOfError } from '../../../kernel/toolkit/errors/index.js'
import { objectOf, replyObject, someText } from '../../../kernel/toolkit/json/index.js'
import { createdAt, garbled, imageKind, jsonOf } from '../../../kernel/toolkit/operation/index.js'

export function pictureAnswer(
  whole: WholeAnswer,
  requested: Body,
): Answered | { readonly failure: Failure } {
  const body = replyObject(whole.body) ?? {}
  const pictures = listOf(body.images).filter((one) => typeof one === 'string' && one !== '')
  if (pictures.length === 0) return { failure: whyNone(body) }
  const { response_format: format } = jsonOf(requested)
  const data = pictures.map((base64) => written(String(base64), format))
  return { json: { ...createdAt(whole), data } }
}

/** There are no addresses; a client that wants one gets the bytes as one. */
function written(base64: string, format: Json | undefined): JsonObject {
  if (format !== 'url') return { b64_json: base64 }
  const { mime } = imageKind(Buffer.from(base64, 'base64')) ?? { mime: 'image/png' }
  return { url: `data:${mime};base64,${base64}` }
}

/** "Filter reason: prompt" is about the request, "Inference error" is not. */
function whyNone({ error, finish_reasons, status, details }: JsonObject): Failure {
  const finished = listOf(finish_reasons).map(someText).find(Boolean)
  const moderated = listOf(objectOf(details)?.['Moderation Reasons']).map(someText).find(Boolean)
  const message = someText(error) ?? finished ?? moderated ?? moderation(status)
  if (message === undefined) return garbled()
  const isOurs = /inference error|internal/i.test(message)
  return isOurs
    ? failureOfError({ message, blame: 'upstream' }, 502)
    : failureOfError({ message, blame: 'client' }, 400)
}

function moderation(status: Json | undefined): string | undefined {
  return status === 'Request Moderated' ? status : undefined
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

/**
 * Pictures by the service's own interface, in one answer: what is wanted as a message, the rest as parameters, the pictures
 * back as addresses. Pictures to begin with stand in the message, in front of the text.
 */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { failureOfError } from '../../kernel/toolkit/errors/index.js'
import { objectOf, objectsOf, present, replyObject } from '../../kernel/toolkit/json/index.js'
import {
  createdAt,
  givenPictures,
  pictureFields,
  untold,
} from '../../kernel/toolkit/operation/index.js'
import { pick } from './fail.js'

/** The family that is served in one answer; `wan` and older ones are tasks. */
export function isImageModel(model: string): boolean {
  return /^qwen-image/.test(model)
}

export function shapeImages(body: Body): Body {
  const requested = pictureFields(body)
  const { model, prompt } = requested
  const content = [...givenPictures(body).map((image) => ({ image })), { text: prompt }]
  const value: JsonObject = {
    model,
    input: { messages: [{ role: 'user', content }] },
    parameters: parametersOf(requested),
    ...untold(requested),
  }
  return { kind: 'json', value }
}

export function readImages(whole: WholeAnswer): Answered | { readonly failure: Failure } {
  const reported = replyObject(whole.body) ?? {}
  const choices = objectsOf(objectOf(reported.output)?.choices)
  const parts = choices.flatMap(({ message }) => objectsOf(objectOf(message)?.content))
  const data = parts.flatMap(({ image }) => (typeof image === 'string' ? [{ url: image }] : []))
  if (data.length === 0) return { failure: failureOfError(pick(reported) ?? {}, 502) }
  return { json: { ...createdAt(whole), data } }
}

function parametersOf({ size, ...requested }: JsonObject): JsonObject {
  const { n, negative_prompt, prompt_extend, watermark, seed } = requested
  return present({
    ...{ n, negative_prompt, prompt_extend, watermark, seed },
    size: typeof size === 'string' ? size.replace('x', '*') : undefined,
  })
}

/**
 * Pictures by the service's own interface, in one answer: what is wanted as a message, the rest as parameters, the pictures
 * back as addresses. Pictures to begin with stand in the message, in front of the text.
 */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { failureOfError, notExpressible } from '../../kernel/toolkit/errors/index.js'
import { objectOf, objectsOf, replyObject, withoutNulls } from '../../kernel/toolkit/json/index.js'
import { createdAt, fieldsOf, imageKind } from '../../kernel/toolkit/operation/index.js'
import { pick } from './fail.js'

/** The family that is served in one answer; `wan` and older ones are tasks. */
export function isImageModel(model: string): boolean {
  return /^qwen-image/.test(model)
}

/** Fields of a form that are no texts. */
const kinds = { n: 'number', stream: 'flag', prompt_extend: 'flag', watermark: 'flag' } as const

export function shapeImages(body: Body): Body {
  const requested = fieldsOf(body, kinds)
  const { model, prompt, stream, response_format: format } = requested
  if (stream === true) throw notExpressible('stream')
  if (format === 'b64_json') throw notExpressible('response_format')
  const files = body.kind === 'form' ? body.files : []
  if (files.some(({ field }) => field === 'mask')) throw notExpressible('mask')
  const content = [...files.map(({ bytes }) => ({ image: dataUrl(bytes) })), { text: prompt }]
  const value: JsonObject = {
    model,
    input: { messages: [{ role: 'user', content }] },
    parameters: parametersOf(requested),
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

/** What is not named here has no word at this service. */
function parametersOf({ size, seed, ...requested }: JsonObject): JsonObject {
  const { n, negative_prompt, prompt_extend, watermark } = requested
  return withoutNulls({
    ...{ n, negative_prompt, prompt_extend, watermark },
    seed: typeof seed === 'string' ? Number(seed) : seed,
    size: typeof size === 'string' && size !== 'auto' ? size.replace('x', '*') : null,
  })
}

function dataUrl(bytes: Buffer): string {
  const { mime } = imageKind(bytes) ?? { mime: 'image/png' }
  return `data:${mime};base64,${bytes.toString('base64')}`
}

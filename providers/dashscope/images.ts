/**
 * Pictures by the service's own interface, in one answer: what is wanted as a message, the rest as parameters, the pictures
 * back as addresses. Pictures to begin with stand in the message, in front of the text.
 */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { failureOfError, Refusal } from '../../kernel/toolkit/errors/index.js'
import { objectOf, objectsOf, present, replyObject } from '../../kernel/toolkit/json/index.js'
import { createdAt, imageKind, jsonOf } from '../../kernel/toolkit/operation/index.js'
import { pick } from './fail.js'

/** The family that is served in one answer; `wan` and older ones are tasks. */
export function isImageModel(model: string): boolean {
  return /^qwen-image/.test(model)
}

/** Parameters in the words of the service, and of what type: fields of a form are texts. */
const parameters: Readonly<Record<string, (value: Json) => Json>> = {
  n: numberOf,
  size: (size) => String(size).replace('x', '*'),
  negative_prompt: String,
  prompt_extend: flagOf,
  watermark: flagOf,
  seed: numberOf,
}

export function shapeImages(body: Body): Body {
  const { model, prompt, stream, response_format: format, ...requested } = jsonOf(body)
  if (flagOf(stream) === true) throw notExpressible('stream')
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

function parametersOf(requested: JsonObject): JsonObject {
  const known = Object.entries(requested).flatMap(([name, value]) => {
    const read = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (read === undefined || value === undefined || value === null) return []
    return [[name, read(value)] as const]
  })
  const { size, ...rest } = Object.fromEntries(known)
  return present({ ...rest, size: size === 'auto' ? undefined : size })
}

function dataUrl(bytes: Buffer): string {
  const { mime } = imageKind(bytes) ?? { mime: 'image/png' }
  return `data:${mime};base64,${bytes.toString('base64')}`
}

function numberOf(value: Json): Json {
  return typeof value === 'string' ? Number(value) : value
}

function flagOf(value: Json | undefined): Json {
  return value === 'true' || value === 'false' ? value === 'true' : (value ?? false)
}

function notExpressible(field: string): Refusal {
  return new Refusal('not_expressible', { fields: field, param: field })
}

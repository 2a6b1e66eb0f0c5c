/**
 * Pictures out of a text. Most models take the two sides as numbers, one takes no size, and the family FLUX.2 takes a form;
 * the picture comes as base64 in JSON, or as it is. Fields in the words of a model pass as they are.
 */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import {
  createdAt,
  imageKind,
  jsonOf,
  pictureFields,
  reportsUntold,
  sidesOf,
} from '../../kernel/toolkit/operation/index.js'
import { failureOf, resultOf, run } from './run.js'

export const images: OwnOperationAdapter = {
  format: 'own',
  shape,
  refuses: reportsUntold(),
  ...run,
  answer,
}

function shape(body: Body, _channel: unknown, model: string): Body {
  const { model: _, n, size, response_format: _form, ...own } = pictureFields(body)
  if (typeof n === 'number' && n > 1) throw notExpressible('n')
  const value: JsonObject = { ...sidesFor(size, model), ...own }
  return isFormModel(model) ? { kind: 'form', fields: value, files: [] } : { kind: 'json', value }
}

function answer(whole: WholeAnswer, body: Body): Answered | { readonly failure: Failure } {
  const isPicture = String(whole.headers['content-type'] ?? '').startsWith('image/')
  const base64 = isPicture ? whole.body.toString('base64') : resultOf(whole)?.image
  if (typeof base64 !== 'string' || base64 === '') return { failure: failureOf(whole) }
  return { json: { ...createdAt(whole), data: [written(base64, jsonOf(body))] } }
}

/** There are no addresses; a client that wants one gets the bytes as one. */
function written(base64: string, { response_format: format }: JsonObject): JsonObject {
  if (format !== 'url') return { b64_json: base64 }
  const { mime } = imageKind(Buffer.from(base64, 'base64')) ?? { mime: 'image/jpeg' }
  return { url: `data:${mime};base64,${base64}` }
}

/** `@cf/black-forest-labs/flux-2-dev` and its siblings, by their model pages. */
function isFormModel(model: string): boolean {
  return /\/flux-2-/.test(model)
}

/** The one model without a size: its pictures have 1024 by 1024 pixels. */
function isFixed(model: string): boolean {
  return /\/flux-1-schnell$/.test(model)
}

function sidesFor(size: Json | undefined, model: string): JsonObject {
  const sides = sidesOf(size)
  if (sides === undefined || !isFixed(model)) return { ...sides }
  if (size !== '1024x1024') throw notExpressible('size')
  return {}
}

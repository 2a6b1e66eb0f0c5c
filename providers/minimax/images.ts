/**
 * Pictures out of a text: the size in sides of the service's own, the pictures as addresses or as base64. Fields a client
 * sends in this service's words pass as they are.
 */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { failureOfError, notExpressible } from '../../kernel/toolkit/errors/index.js'
import { replyObject } from '../../kernel/toolkit/json/index.js'
import {
  createdAt,
  garbled,
  objectOf,
  pictureFields,
  sidesOf,
} from '../../kernel/toolkit/operation/index.js'
import { errorOf } from './codes.js'

export function shapeImages(body: Body): Body {
  const { size, response_format: format, ...rest } = pictureFields(body)
  const value: JsonObject = {
    ...sidesFor(size, rest),
    ...(typeof format === 'string' && { response_format: formatOf(format) }),
    ...rest,
  }
  return { kind: 'json', value }
}

export function readImages(whole: WholeAnswer): Answered | { readonly failure: Failure } {
  const reported = replyObject(whole.body) ?? {}
  const error = errorOf(reported)
  if (error !== undefined) return { failure: failureOfError(error, error.status ?? 502) }
  const found = objectOf(reported.data) ?? {}
  const data = [
    ...textsOf(found.image_urls).map((url) => ({ url })),
    ...textsOf(found.image_base64).map((base64) => ({ b64_json: base64 })),
  ]
  return data.length === 0 ? { failure: garbled() } : { json: { ...createdAt(whole), data } }
}

/** None where the service may choose, or where the client states them in the service's words. */
function sidesFor(size: Json | undefined, { aspect_ratio: ratio, width, height }: JsonObject) {
  if ((ratio ?? width ?? height) !== undefined) return {}
  const sides = sidesOf(size)
  if (sides !== undefined && !Object.values(sides).every(isSide)) throw notExpressible('size')
  return sides
}

/** 512 to 2048 in steps of 8, as the service documents. */
function isSide(side: number): boolean {
  return side >= 512 && side <= 2048 && side % 8 === 0
}

function formatOf(format: string): string {
  return format === 'b64_json' ? 'base64' : format
}

function textsOf(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string' && item !== '') : []
}

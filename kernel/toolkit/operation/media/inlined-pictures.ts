/** Pictures that came as addresses, where the client requested their bytes (`response_format: b64_json`). */
import type { Body } from '../../../contract/body.js'
import { isObject, type Json, type JsonObject } from '../../../contract/json.js'
import type { Inlining } from '../../../contract/operation.js'
import { fieldsOf } from './fields.js'

export function inlinedPictures(answer: JsonObject, requested: Body): Inlining | undefined {
  if (fieldsOf(requested, {}).response_format !== 'b64_json') return undefined
  const data: readonly Json[] = Array.isArray(answer.data) ? answer.data : []
  const urls = data.flatMap((picture) => addressOf(picture) ?? [])
  if (urls.length === 0) return undefined
  return {
    urls,
    filled(files) {
      const left = [...files]
      return { ...answer, data: data.map((picture) => withBytes(picture, left)) }
    },
  }
}

function addressOf(picture: Json): string | undefined {
  if (!isObject(picture) || typeof picture.b64_json === 'string') return undefined
  return typeof picture.url === 'string' ? picture.url : undefined
}

function withBytes(picture: Json, left: Buffer[]): Json {
  const url = addressOf(picture)
  if (url === undefined) return picture
  const { url: _, ...rest } = picture as JsonObject
  return { b64_json: left.shift()!.toString('base64'), ...rest }
}

/** Pictures a client gives to be changed, as base64: files of a form, or data URLs in JSON. */
import type { Body } from '../../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'

/** A mask is refused: clients mark by transparency what these models mark by black, and know no transparency of. */
export function shownPictures(body: Body, most: number): readonly string[] {
  const field = body.kind === 'json' && body.value.images !== undefined ? 'images' : 'image'
  const pictures = picturesIn(body, field)
  if (pictures.length === 0 || pictures.length > most) throw notExpressible(field)
  return pictures
}

function picturesIn(body: Body, field: 'image' | 'images'): readonly string[] {
  if (body.kind === 'json') return inJson(body.value, field)
  if (body.kind === 'none') return []
  if (body.files.some((file) => file.field === 'mask')) throw notExpressible('mask')
  return body.files
    .filter((file) => file.field === 'image' || file.field === 'image[]')
    .map(({ bytes }) => bytes.toString('base64'))
}

/** Nothing is fetched here, and files another maker keeps are out of reach. */
function inJson(fields: JsonObject, field: 'image' | 'images'): readonly string[] {
  if (fields.mask !== undefined && fields.mask !== null) throw notExpressible('mask')
  const given = fields[field] ?? null
  return (Array.isArray(given) ? given : [given]).map((one: Json) => base64Of(one, field))
}

function base64Of(given: Json, field: string): string {
  const reported = isObject(given) ? given.image_url : given
  const url = isObject(reported) ? reported.url : reported
  const base64 = /^data:[^;,]{1,64};base64,(.+)$/s.exec(String(url))?.[1]
  if (base64 === undefined) throw notExpressible(field)
  return base64
}

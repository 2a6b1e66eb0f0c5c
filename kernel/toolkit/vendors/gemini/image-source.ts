/** Images a client gives to be changed, as parts: files of a form, or data URLs in JSON. */
import type { Body } from '../../../contract/body.js'
import { isObject, type Json, type JsonObject } from '../../../contract/json.js'
import { notExpressible } from '../../errors/refusal.js'

/** A mask has no place here: what it means would be lost. */
export function givenImages(body: Body): JsonObject[] {
  if (body.kind === 'json') return fromJson(body.value)
  if (body.kind === 'none') throw notExpressible('image')
  if (body.files.some(({ field }) => field === 'mask')) throw notExpressible('mask')
  return body.files
    .filter(({ field }) => field === 'image' || field === 'image[]')
    .map(({ mime, bytes }) => part(mime, bytes.toString('base64')))
}

/** Nothing is fetched here, and files another maker keeps are out of reach. */
function fromJson({ images, image, mask }: JsonObject): JsonObject[] {
  if (mask !== undefined && mask !== null) throw notExpressible('mask')
  const field = images === undefined ? 'image' : 'images'
  const given = images ?? image
  return (Array.isArray(given) ? given : [given]).map((one) => fromUrl(one, field))
}

function fromUrl(given: Json | undefined, field: string): JsonObject {
  const reported = isObject(given) ? given.image_url : given
  const url = isObject(reported) ? reported.url : reported
  const [, mime, base64] = /^data:([^;,]{1,64});base64,(.+)$/s.exec(String(url)) ?? []
  if (mime === undefined || base64 === undefined) throw notExpressible(field)
  return part(mime, base64)
}

function part(mimeType: string, data: string): JsonObject {
  return { inlineData: { mimeType, data } }
}

/** Edits: the service takes JSON with addresses, so files of a form become data URLs. */
import type { Body, FormFile } from '../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { present, someText } from '../../kernel/toolkit/json/index.js'
import { fieldsOf } from '../../kernel/toolkit/operation/index.js'
import { bearerCall } from '../../kernel/toolkit/provider/index.js'
import { fail } from './fail.js'
import { plainPictures } from './pictures.js'
import { spellSize } from './spell-size.js'

export const edits: OwnOperationAdapter = {
  format: 'own',
  shape: (body) => ({ kind: 'json', value: request(body) }),
  address: bearerCall('/v1/images/edits'),
  answer: plainPictures,
  fail,
}

/** More are refused by the service as well (docs.x.ai, multi-image editing). */
const imagesMax = 3

function request(body: Body): JsonObject {
  const { image, images, mask, image_url, ...rest } = fieldsOf(body, {
    n: 'number',
    stream: 'flag',
  })
  if (rest.stream === true) throw notExpressible('stream')
  const { stream: _, 'image[]': list, ...fields } = rest
  const files = body.kind === 'form' ? body.files : []
  const shown = [
    ...files.filter(({ field }) => field !== 'mask').map(fromFile),
    ...[image, list, images, image_url].flatMap(listOf).map((one) => fromJson(one, 'image')),
  ]
  if (shown.length === 0 || shown.length > imagesMax) throw notExpressible('image')
  const masks = [...files.filter(({ field }) => field === 'mask').map(fromFile), ...listOf(mask)]
  return present<JsonObject>({
    ...spellSize(fields),
    ...(shown.length === 1 ? { image: shown[0] } : { images: shown }),
    mask: masks[0] === undefined ? undefined : fromJson(masks[0], 'mask'),
  })
}

function fromFile({ mime, bytes }: FormFile): JsonObject {
  return referenceTo(`data:${mime};base64,${bytes.toString('base64')}`)
}

/** Files another maker keeps are out of reach. */
function fromJson(given: Json, field: string): JsonObject {
  const reported = isObject(given) ? (given.image_url ?? given.url) : given
  const url = someText(isObject(reported) ? reported.url : reported)
  if (url === undefined || !/^(?:https?:|data:)/i.test(url)) throw notExpressible(field)
  return referenceTo(url)
}

function referenceTo(url: string): JsonObject {
  return { url, type: 'image_url' }
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** The operation's body as the service's request. What the client writes in the service's own words wins. */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { dataUrl, type VideoRequest, videoRequest } from '../../../kernel/toolkit/task/index.js'
import { lengthsOf, wayOf } from './model.js'

export const framesPerSecond = 24

export function shape(body: Body, _channel: ChannelView, model: string): Body {
  const requested = jsonOf(body)
  const request = videoRequest(requested)
  if (request.count > 1) throw invalidField('n', 'must be 1')
  if (request.video !== undefined) throw invalidField('video', 'is not taken by this model')
  const pictures = picturesOf(request)
  const way = wayOf(model, pictures.length)
  if (way === undefined) {
    throw invalidField(request.lastImage === undefined ? 'images' : 'image_tail', tooMany(model))
  }
  // The name of the way is the model, which has its price.
  const { req_key: _, model: __, callback_url: ___, ...metadata } = request.metadata
  const value: JsonObject = present({
    req_key: way,
    prompt: request.prompt || undefined,
    ...sourcesOf(pictures),
    frames: framesOf(request, way),
    seed: request.seed,
    aspect_ratio: pictures.length === 0 ? aspectOf(request, requested) : undefined,
    ...metadata,
  })
  return { kind: 'json', value }
}

function tooMany(model: string): string {
  return `must be fewer for the model ${model}`
}

function picturesOf({ images, lastImage }: VideoRequest): readonly string[] {
  if (lastImage === undefined) return images
  if (images.length !== 1) throw invalidField('image', 'must be one beside image_tail')
  return [...images, lastImage]
}

/** Either all at addresses or all as base64. */
function sourcesOf(pictures: readonly string[]): JsonObject {
  const data = pictures.flatMap((picture) => dataUrl(picture)?.base64 ?? [])
  if (pictures.length === 0) return {}
  if (data.length === 0) return { image_urls: pictures }
  if (data.length === pictures.length) return { binary_data_base64: data }
  throw invalidField('images', 'must be all addresses or all data URLs')
}

/** One frame more than the seconds hold. */
function framesOf({ seconds }: VideoRequest, way: string): number | undefined {
  if (seconds === undefined) return undefined
  const known = lengthsOf(way)
  if (known !== undefined && !known.includes(seconds)) {
    throw invalidField('seconds', `must be one of ${known.join(', ')} for this model`)
  }
  // What makes one length takes no word for it.
  return known?.length === 1 ? undefined : Math.round(seconds * framesPerSecond) + 1
}

const aspects = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9', '9:21']

function aspectOf({ aspect }: VideoRequest, { aspect_ratio: named }: JsonObject) {
  if (aspect === undefined || aspects.includes(aspect)) return aspect
  const field = named === aspect ? 'aspect_ratio' : 'size'
  throw invalidField(field, `must have the aspect ratio ${aspects.join(', ')}`)
}

/**
 * The operation's body as one of the service's requests. The wire names the last part of the path beside it, which never goes
 * out: `submit`.
 */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import type { TaskContext, TaskOrigin } from '../../../kernel/contract/task.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import {
  listAt,
  textAt,
  type VideoRequest,
  videoRequest,
} from '../../../kernel/toolkit/task/index.js'
import { factsOf } from './model.js'

export const actions = ['reference', 'extend'] as const

const kinds = ['text2video', 'img2video', 'start-end2video', 'reference2video', 'extend'] as const

type Kind = (typeof kinds)[number]

export function shape(
  body: Body,
  _channel: ChannelView,
  model: string,
  { origin, callbackUrl }: TaskContext = {},
): Body {
  const requested = jsonOf(body)
  const request = videoRequest(requested)
  if (request.count > 1) throw invalidField('n', 'must be 1')
  const kind = kindOf(request)
  if (kind !== 'extend' && request.video !== undefined) {
    throw invalidField('video', 'is taken for the action extend alone')
  }
  // A model has its price, and tasks are reported here.
  const { model: _, callback_url: __, ...metadata } = request.metadata
  const value: JsonObject = present({
    model,
    prompt: request.prompt || undefined,
    ...mediaOf(request, kind, origin),
    duration: durationOf(request, model),
    resolution: resolutionOf(request, requested, model),
    seed: request.seed,
    audio: request.audio,
    watermark: request.watermark,
    ...(takesAspect(kind) && { aspect_ratio: aspectOf(request, requested) }),
    callback_url: callbackUrl,
    ...metadata,
    submit: kind,
  })
  return { kind: 'json', value }
}

function kindOf({ action, images, lastImage, metadata }: VideoRequest): Kind {
  if (action === 'extend') return 'extend'
  if (lastImage !== undefined) return 'start-end2video'
  const isReference = action === 'reference' || images.length > 1
  if (isReference || listAt(metadata, 'subjects').length > 0) return 'reference2video'
  return images.length === 1 ? 'img2video' : 'text2video'
}

/** The kind a wire names; where an override took it away, a request of a text. */
export function kindIn({ submit }: JsonObject): Kind {
  return kinds.find((kind) => kind === submit) ?? 'text2video'
}

const referencesMax = 7

function mediaOf(request: VideoRequest, kind: Kind, origin: TaskOrigin | undefined): JsonObject {
  const { images, lastImage } = request
  if (kind === 'text2video') return {}
  if (kind === 'extend') return extended(request, origin)
  if (kind === 'start-end2video') {
    if (images.length !== 1) throw invalidField('image', 'must be one beside image_tail')
    return { images: [...images, lastImage!] }
  }
  if (images.length > referencesMax)
    throw invalidField('images', `must be at most ${referencesMax}`)
  return images.length === 0 ? {} : { images }
}

/** Of a clip at an address, or of the one an earlier task made. */
function extended(
  { video, images, metadata }: VideoRequest,
  origin: TaskOrigin | undefined,
): JsonObject {
  if (images.length > 1) throw invalidField('images', 'must be at most 1, the last frame')
  if (video?.startsWith('data:')) throw invalidField('video', 'must be an http or https address')
  const last = images.length === 0 ? {} : { images }
  if (video !== undefined) return { ...last, video_url: video }
  const id =
    textAt(metadata, 'video_creation_id') ??
    origin?.results.map(({ meta }) => textAt(meta, 'id')).find((found) => found !== undefined)
  if (id === undefined && textAt(metadata, 'video_url') === undefined) {
    throw invalidField('action', '"extend" needs a clip, or a task that made one')
  }
  return id === undefined ? last : { ...last, video_creation_id: id }
}

function durationOf({ seconds }: VideoRequest, model: string): number | undefined {
  const { seconds: known } = factsOf(model)
  if (seconds === undefined || known === undefined || known.includes(seconds)) return seconds
  throw invalidField('seconds', `must be one of ${known.join(', ')} for the model ${model}`)
}

/** As it is named. Of a size: the nearest there is. */
function resolutionOf(
  { resolution }: VideoRequest,
  { resolution: named }: JsonObject,
  model: string,
): string | undefined {
  const { resolutions: known } = factsOf(model)
  if (resolution === undefined || known === undefined) return resolution
  const wanted = resolution.toLowerCase()
  if (known.includes(wanted)) return wanted
  if (named === resolution) {
    throw invalidField('resolution', `must be one of ${known.join(', ')} for the model ${model}`)
  }
  const distance = (one: string) => Math.abs(Number.parseInt(one, 10) - Number.parseInt(wanted, 10))
  return known.reduce((best, one) => (distance(one) < distance(best) ? one : best))
}

/** Elsewhere the shape is that of the picture or clip. */
function takesAspect(kind: Kind): boolean {
  return kind === 'text2video' || kind === 'reference2video'
}

const aspects = ['16:9', '9:16', '1:1', '4:3', '3:4']

function aspectOf({ aspect }: VideoRequest, { aspect_ratio: named }: JsonObject) {
  if (aspect === undefined || aspects.includes(aspect)) return aspect
  const field = named === aspect ? 'aspect_ratio' : 'size'
  throw invalidField(field, `must have the aspect ratio ${aspects.join(', ')}`)
}

/** What goes out. */
export function sentOf(wire: JsonObject): JsonObject {
  const { submit: _, ...request } = wire
  return request
}

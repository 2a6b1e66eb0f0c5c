/** The operation's body as a request of the service. What the client writes in the service's own words wins. */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import type { TaskContext, TaskOrigin } from '../../../kernel/contract/task.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { type VideoRequest, videoRequest } from '../../../kernel/toolkit/task/index.js'
import {
  aspects,
  isMeasured,
  lengths,
  resolutionDefault,
  resolutions,
  secondsDefault,
} from './model.js'

export const actions = ['extend'] as const

export function shape(
  body: Body,
  _channel: ChannelView,
  model: string,
  { origin, callbackUrl }: TaskContext = {},
): Body {
  const requested = jsonOf(body)
  const request = videoRequest(requested)
  refuseUnknown(request)
  // A model has its price, and tasks are reported here.
  const { model: _, callback_url: __, ...metadata } = request.metadata
  const value: JsonObject = present({
    model,
    prompt: request.prompt || undefined,
    aspect_ratio: aspectOf(request, requested),
    duration: durationOf(request, model),
    resolution: resolutionOf(request, requested, model),
    keyframes: keyframesOf(request, origin),
    callback_url: callbackUrl,
    ...metadata,
  })
  return { kind: 'json', value }
}

function refuseUnknown(request: VideoRequest): void {
  if (request.count > 1) throw invalidField('n', 'must be 1')
  if (request.images.length > 1) throw invalidField('images', 'must be at most 1')
  if (request.video !== undefined) throw invalidField('video', 'is not taken here')
  if (request.audioSource !== undefined) throw invalidField('audio_url', 'is not taken here')
  if (request.audio) throw invalidField('audio', 'must not be true: clips are silent')
}

/** A clip to go on from stands in the place of the first frame. */
function keyframesOf(
  { action, images, lastImage }: VideoRequest,
  origin: TaskOrigin | undefined,
): JsonObject | undefined {
  const [first] = images
  if (action === 'extend' && origin === undefined) {
    throw invalidField('action', '"extend" needs a task that made a clip')
  }
  if (action === 'extend' && first !== undefined) {
    throw invalidField('image', 'must not stand beside a clip to extend')
  }
  const clip = action === 'extend' && origin ? { type: 'generation', id: origin.ref } : undefined
  const frames: JsonObject = present({
    frame0: clip ?? (first && picture(first, 'image')),
    frame1: lastImage && picture(lastImage, 'image_tail'),
  })
  return Object.keys(frames).length > 0 ? frames : undefined
}

function picture(url: string, field: string): JsonObject {
  if (url.startsWith('data:')) throw invalidField(field, 'must be an http or https address')
  return { type: 'image', url }
}

function aspectOf({ aspect }: VideoRequest, { aspect_ratio: named }: JsonObject) {
  if (aspect === undefined || aspects.includes(aspect)) return aspect
  const field = named === aspect ? 'aspect_ratio' : 'size'
  throw invalidField(field, `must have the aspect ratio ${aspects.join(', ')}`)
}

/** A text such as `5s`. */
function durationOf({ seconds = secondsDefault }: VideoRequest, model: string): string | undefined {
  const known = isMeasured(model) ? lengths : [secondsDefault]
  if (!known.includes(seconds)) {
    throw invalidField('seconds', `must be ${known.join(' or ')} for the model ${model}`)
  }
  return isMeasured(model) ? `${seconds}s` : undefined
}

function resolutionOf(
  { resolution = resolutionDefault }: VideoRequest,
  { resolution: named }: JsonObject,
  model: string,
): string | undefined {
  if (!isMeasured(model)) return undefined
  const lower = resolution.toLowerCase()
  const word = lower === '2160p' ? '4k' : lower
  if (resolutions.includes(word)) return word
  const field = named === undefined ? 'size' : 'resolution'
  throw invalidField(field, `must lead to ${resolutions.join(', ')}`)
}

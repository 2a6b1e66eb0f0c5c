/** The operation's body as a request of the service. What the client writes in the service's own words wins. */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { type VideoRequest, videoRequest } from '../../../kernel/toolkit/task/index.js'
import { factsOf } from './model.js'

export function shape(body: Body, _channel: ChannelView, model: string): Body {
  const requested = jsonOf(body)
  const request = videoRequest(requested)
  refuseUnknown(request)
  // A model has its price, and tasks are not reported here.
  const { model: _, callback_url: __, ...metadata } = request.metadata
  const fields: JsonObject = present({
    model,
    prompt: request.prompt || undefined,
    ...picturesOf(request, model),
    duration: secondsOf(request, model),
    resolution: resolutionOf(request, requested, model),
    aigc_watermark: request.watermark,
  })
  return { kind: 'json', value: { ...fields, ...metadata } }
}

function refuseUnknown(request: VideoRequest): void {
  if (request.count > 1) throw invalidField('n', 'must be 1')
  if (request.video !== undefined) throw invalidField('video', 'is not taken here')
  if (request.audioSource !== undefined) throw invalidField('audio_url', 'is not taken here')
  if (request.audio) throw invalidField('audio', 'must not be true: clips are silent')
}

function picturesOf({ images, lastImage }: VideoRequest, model: string): JsonObject {
  if (images.length > 1) throw invalidField('images', 'must be at most 1')
  const [first] = images
  if (factsOf(model)?.subjects) {
    if (lastImage !== undefined) throw invalidField('image_tail', `is not taken by ${model}`)
    return first === undefined ? {} : { subject_reference: [{ type: 'character', image: [first] }] }
  }
  return present({ first_frame_image: first, last_frame_image: lastImage })
}

function secondsOf({ seconds }: VideoRequest, model: string): number | undefined {
  const known = factsOf(model)?.seconds
  if (seconds === undefined || known === undefined || known.includes(seconds)) return seconds
  throw invalidField('seconds', `must be ${known.join(' or ')} for the model ${model}`)
}

/** Lines with a capital P. */
function resolutionOf(
  { resolution, seconds }: VideoRequest,
  { resolution: named }: JsonObject,
  model: string,
): string | undefined {
  const word = resolution?.toUpperCase()
  const known = factsOf(model)?.resolutions
  if (word === undefined || known === undefined) return word
  const field = named === undefined ? 'size' : 'resolution'
  if (!known.includes(word)) {
    throw invalidField(field, `must lead to ${known.join(', ')} for the model ${model}`)
  }
  if (word === '1080P' && seconds === 10) {
    throw invalidField('seconds', 'must be 6 for clips of 1080P')
  }
  return word
}

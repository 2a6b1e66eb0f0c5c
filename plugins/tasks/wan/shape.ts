/** The operation's body as a request of the service: what is shown in `input`, how it is made in `parameters`. */
import type { Body } from '../../../kernel/contract/body.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { type VideoRequest, videoRequest } from '../../../kernel/toolkit/task/index.js'
import {
  isOlder,
  isSilent,
  lengthsOf,
  resolutionDefault,
  sizeFor,
  takesReferences,
} from './model.js'

export function shape(body: Body, _channel: ChannelView, model: string): Body {
  const requested = jsonOf(body)
  const request = videoRequest(requested)
  if (request.count > 1) throw invalidField('n', 'must be 1')
  refuseBytes(request)
  const older = isOlder(model)
  const input = present({
    prompt: request.prompt || undefined,
    negative_prompt: request.negativePrompt,
    ...(older ? olderMedia(request, model) : { media: mediaOf(request, model) }),
  })
  const parameters = present({
    ...(older ? olderFrame(request, requested, model) : frameOf(request)),
    duration: secondsOf(request, model),
    seed: request.seed === -1 ? undefined : request.seed,
    watermark: request.watermark,
    audio: soundOf(request, model),
  })
  return { kind: 'json', value: merged({ model, input, parameters }, request.metadata) }
}

/** `input` and `parameters` of the client win field by field; any other word of the service is a parameter. */
function merged(
  own: JsonObject,
  { input, parameters, model: _, ...others }: JsonObject,
): JsonObject {
  return {
    ...own,
    input: { ...(own.input as JsonObject), ...(isObject(input) && input) },
    parameters: {
      ...(own.parameters as JsonObject),
      ...others,
      ...(isObject(parameters) && parameters),
    },
  }
}

function refuseBytes({ video, audioSource }: VideoRequest): void {
  if (video?.startsWith('data:')) throw invalidField('video', 'must be an http or https address')
  if (audioSource?.startsWith('data:')) {
    throw invalidField('audio_url', 'must be an http or https address')
  }
}

function olderMedia({ images, lastImage, video, audioSource }: VideoRequest, model: string) {
  if (images.length > 1) throw invalidField('images', 'must be at most 1')
  const [first] = images
  if (video !== undefined && !takesReferences(model)) {
    throw invalidField('video', `is not taken by the model ${model}`)
  }
  if (audioSource !== undefined && isSilent(model)) {
    throw invalidField('audio_url', `is not taken by the model ${model}`)
  }
  const frames =
    lastImage === undefined
      ? { img_url: first }
      : { first_frame_url: first, last_frame_url: lastImage }
  return { ...frames, reference_video_urls: video && [video], audio_url: audioSource }
}

/** Undefined: a clip of a text alone. */
function mediaOf(request: VideoRequest, model: string): readonly JsonObject[] | undefined {
  const { images, lastImage, video, audioSource } = request
  const isReference = takesReferences(model)
  if (!isReference && images.length > 1) throw invalidField('images', 'must be at most 1')
  const media = [
    ...images.map((url) => ({ type: isReference ? 'reference_image' : 'first_frame', url })),
    ...(lastImage === undefined ? [] : [{ type: 'last_frame', url: lastImage }]),
    ...(video === undefined
      ? []
      : [{ type: isReference ? 'reference_video' : 'first_clip', url: video }]),
    ...(audioSource === undefined ? [] : [{ type: 'driving_audio', url: audioSource }]),
  ]
  return media.length > 0 ? media : undefined
}

/** Clips of a frame have its shape, so they are measured in lines; others in pixels. */
function olderFrame(
  { images, lastImage, frame, resolution, aspect }: VideoRequest,
  { size }: JsonObject,
  model: string,
): JsonObject {
  if (images.length > 0 || lastImage !== undefined) return { resolution: resolution?.toUpperCase() }
  if (frame !== undefined) return { size: `${frame.width}*${frame.height}` }
  if (size !== undefined && size !== null) throw invalidField('size', 'must be like 1280x720')
  if (resolution === undefined && aspect === undefined) return {}
  const lines = resolution?.toLowerCase() ?? resolutionDefault(model)
  const known = sizeFor(lines, aspect ?? '16:9')
  if (known === undefined) {
    const field = sizeFor(lines, '16:9') === undefined ? 'resolution' : 'aspect_ratio'
    throw invalidField(field, 'leads to no size this model makes')
  }
  return { size: known }
}

function frameOf({ images, lastImage, resolution, aspect }: VideoRequest): JsonObject {
  const isFramed = images.length > 0 || lastImage !== undefined
  return { resolution: resolution?.toUpperCase(), ratio: isFramed ? undefined : aspect }
}

function secondsOf({ seconds }: VideoRequest, model: string): number | undefined {
  const known = lengthsOf(model)
  if (seconds === undefined || known === undefined) return seconds
  const [least, most] = known
  if (!Number.isInteger(seconds) || seconds < least || seconds > most) {
    throw invalidField('seconds', `must be ${least} to ${most} for the model ${model}`)
  }
  return seconds
}

function soundOf({ audio }: VideoRequest, model: string): boolean | undefined {
  if (!isSilent(model)) return audio
  if (audio) throw invalidField('audio', `must not be true for the model ${model}`)
  return undefined
}

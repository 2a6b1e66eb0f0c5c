/** The operation's body as one of the service's requests. What the client writes in the service's own words wins. */
import type { Body } from '../../../kernel/contract/body.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import type { TaskContext, TaskOrigin } from '../../../kernel/contract/task.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import {
  dataUrl,
  textAt,
  type VideoRequest,
  videoRequest,
} from '../../../kernel/toolkit/task/index.js'
import { isOmni, lengthsOf } from './model.js'

export const actions = ['extend', 'lip-sync'] as const

export function shape(
  body: Body,
  _channel: ChannelView,
  model: string,
  { origin, callbackUrl }: TaskContext = {},
): Body {
  const requested = jsonOf(body)
  const request = videoRequest(requested)
  if (request.count > 1) throw invalidField('n', 'must be 1')
  // A model has its price, and tasks are reported here.
  const { input, model: _, model_name: __, callback_url: ___, ...metadata } = request.metadata
  const own = ownFields(request, requested, model, origin)
  const value: JsonObject = present({
    ...own,
    callback_url: callbackUrl,
    ...metadata,
    ...(input !== undefined && { input }),
    ...(isObject(input) && isObject(own.input) && { input: { ...own.input, ...input } }),
  })
  return { kind: 'json', value }
}

function ownFields(
  request: VideoRequest,
  requested: JsonObject,
  model: string,
  origin: TaskOrigin | undefined,
): JsonObject {
  if (request.action === 'extend') return extension(request, origin)
  if (request.action === 'lip-sync') return lipSync(request, origin)
  const shared = {
    model_name: model,
    prompt: request.prompt || undefined,
    negative_prompt: request.negativePrompt,
    mode: request.mode ?? modes[request.resolution ?? ''],
    duration: durationOf(request, model),
    sound: request.audio === undefined ? undefined : request.audio ? 'on' : 'off',
    watermark_info: request.watermark === undefined ? undefined : { enabled: request.watermark },
  }
  const aspect = () => ({ aspect_ratio: aspectOf(request, requested) })
  if (isOmni(model)) return { ...shared, ...aspect(), ...omniMedia(request) }
  if (request.video !== undefined) throw invalidField('video', 'is not taken by this model')
  if (request.images.length > 1) return { ...shared, ...aspect(), ...severalImages(request) }
  const [image] = request.images
  if (image === undefined && request.lastImage === undefined) return { ...shared, ...aspect() }
  // The shape is that of the picture.
  return {
    ...shared,
    image: image && withoutScheme(image),
    image_tail: request.lastImage && withoutScheme(request.lastImage),
  }
}

/** Quality goes by modes here. */
const modes: Readonly<Record<string, string | undefined>> = {
  '720p': 'std',
  '1080p': 'pro',
}

/** A number as a text. */
function durationOf({ seconds }: VideoRequest, model: string): string | undefined {
  if (seconds === undefined) return undefined
  const known = lengthsOf(model)
  if (known !== undefined && !known.includes(seconds)) {
    throw invalidField('seconds', `must be one of ${known.join(', ')} for the model ${model}`)
  }
  return String(seconds)
}

const aspects = ['16:9', '9:16', '1:1']

function aspectOf({ aspect }: VideoRequest, { aspect_ratio: named }: JsonObject) {
  if (aspect === undefined || aspects.includes(aspect)) return aspect
  const field = named === aspect ? 'aspect_ratio' : 'size'
  throw invalidField(field, `must have the aspect ratio ${aspects.join(', ')}`)
}

const imagesMax = 4

function severalImages({ images, lastImage }: VideoRequest): JsonObject {
  if (lastImage !== undefined)
    throw invalidField('image_tail', 'must not stand beside several images')
  if (images.length > imagesMax) throw invalidField('images', `must be at most ${imagesMax}`)
  return { image_list: images.map((image) => ({ image: withoutScheme(image) })) }
}

const omniImagesMax = 7
/** Of them where a clip is sent as well. */
const omniImagesBesideClip = 4

function omniMedia({ images, lastImage, video }: VideoRequest): JsonObject {
  const most = video === undefined ? omniImagesMax : omniImagesBesideClip
  if (images.length > most) throw invalidField('images', `must be at most ${most}`)
  if (video?.startsWith('data:')) throw invalidField('video', 'must be an http or https address')
  const listed = images.map((image, at): JsonObject => {
    const url = { image_url: withoutScheme(image) }
    return lastImage !== undefined && at === 0 ? { ...url, type: 'first_frame' } : url
  })
  const last = lastImage && { image_url: withoutScheme(lastImage), type: 'end_frame' }
  const list = last ? [...listed, last] : listed
  return {
    ...(list.length > 0 && { image_list: list }),
    ...(video !== undefined && { video_list: [{ video_url: video }] }),
  }
}

function extension(request: VideoRequest, origin: TaskOrigin | undefined): JsonObject {
  return {
    video_id: clipOf(request, origin),
    prompt: request.prompt || undefined,
    negative_prompt: request.negativePrompt,
  }
}

/** Lips move to a sound, or to a text that is spoken. */
function lipSync(request: VideoRequest, origin: TaskOrigin | undefined): JsonObject {
  const { video, audioSource: sound, prompt, metadata } = request
  if (video?.startsWith('data:')) throw invalidField('video', 'must be an http or https address')
  const named = video ?? textAt(metadata, 'input.video_url')
  const clip = named === undefined ? { video_id: clipOf(request, origin) } : { video_url: named }
  if (sound === undefined)
    return { input: present({ ...clip, mode: 'text2video', text: prompt || undefined }) }
  const data = dataUrl(sound)
  const audio =
    data === undefined
      ? { audio_type: 'url', audio_url: sound }
      : { audio_type: 'file', audio_file: data.base64 }
  return { input: { ...clip, mode: 'audio2video', ...audio } }
}

/** The id the service gave the clip of an earlier task. */
function clipOf({ metadata, action }: VideoRequest, origin: TaskOrigin | undefined): string {
  const id =
    textAt(metadata, 'video_id') ??
    textAt(metadata, 'input.video_id') ??
    origin?.results.map(({ meta }) => textAt(meta, 'id')).find((found) => found !== undefined)
  if (id === undefined) throw invalidField('action', `"${action}" needs a task that made a clip`)
  return id
}

/** Pictures that are not addresses are base64 alone. */
function withoutScheme(image: string): string {
  return dataUrl(image)?.base64 ?? image
}

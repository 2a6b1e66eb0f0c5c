/** The operation `video` in the gateway's form (plugins/operations/video/README.md): checked, and read once for every platform. */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import {
  checkFields,
  integerFrom,
  invalidField,
  isAnObject,
  isBoolean,
  isText,
  numberFrom,
  requiredModel,
} from '../operation/checks.js'
import { type Frame, frameOf } from './frame.js'
import { mediaSource } from './media-source.js'

export interface VideoRequest {
  readonly model: string
  /** `generate`, `remix`, `extend`, … */
  readonly action: string
  readonly prompt: string
  readonly negativePrompt?: string
  /** Addresses or data URLs. The first is the first frame. */
  readonly images: readonly string[]
  readonly lastImage?: string
  readonly video?: string
  readonly audioSource?: string
  readonly seconds?: number
  /** As sent: `1280x720`, or a word of the maker. */
  readonly size?: string
  readonly frame?: Frame
  /** As sent, else from the size: `720p`. */
  readonly resolution?: string
  /** As sent, else from the size: `16:9`. */
  readonly aspect?: string
  readonly fps?: number
  readonly seed?: number
  readonly count: number
  readonly mode?: string
  /** Whether the clip gets a sound track. */
  readonly audio?: boolean
  readonly watermark?: boolean
  readonly user?: string
  /** Fields in the maker's own words, for its request as they are. */
  readonly metadata: JsonObject
}

const rules = {
  action: isText,
  prompt: isText,
  negative_prompt: isText,
  size: isText,
  resolution: isText,
  aspect_ratio: isText,
  mode: isText,
  fps: numberFrom(1, 240),
  seed: integerFrom(-1, 2 ** 53),
  n: integerFrom(1, 16),
  audio: isBoolean,
  watermark: isBoolean,
  user: isText,
  metadata: isAnObject,
} as const

const secondsMax = 3600
const imagesMax = 16

/** Checks field by field and returns the model; throws a `Refusal` that names the field. */
export function checkVideo(body: JsonObject): string {
  const model = requiredModel(body.model)
  checkFields(body, rules)
  const { action } = body
  const isWord = typeof action === 'string' && /^[a-z][a-z0-9_-]{0,31}$/.test(action)
  if (action !== undefined && !isWord) {
    throw invalidField('action', 'must be a word in lower case letters')
  }
  const request = videoRequest({ ...body, model })
  const shows = request.images.length > 0 || request.video !== undefined
  if (request.prompt === '' && !shows) {
    throw invalidField('prompt', 'must not be empty where no image or video is sent')
  }
  return model
}

/** Of a body that `checkVideo` passed; throws the same refusals for what it finds elsewhere. */
export function videoRequest(body: JsonObject): VideoRequest {
  const size = text(body.size)
  const frame = frameOf(size)
  const seconds = secondsOf(body)
  return {
    model: String(body.model),
    action: text(body.action) ?? 'generate',
    prompt: text(body.prompt) ?? '',
    ...given('negativePrompt', text(body.negative_prompt)),
    images: imagesOf(body),
    ...given('lastImage', source(body, 'image_tail', 'image')),
    ...given('video', source(body, 'video', 'video')),
    ...given('audioSource', source(body, 'audio_url', 'audio')),
    ...given('seconds', seconds),
    ...given('size', size),
    ...given('frame', frame),
    ...given('resolution', text(body.resolution) ?? frame?.resolution),
    ...given('aspect', text(body.aspect_ratio) ?? frame?.aspect),
    ...given('fps', number(body.fps)),
    ...given('seed', number(body.seed)),
    count: number(body.n) ?? 1,
    ...given('mode', text(body.mode)),
    ...given('audio', typeof body.audio === 'boolean' ? body.audio : undefined),
    ...given('watermark', typeof body.watermark === 'boolean' ? body.watermark : undefined),
    ...given('user', text(body.user)),
    metadata: isObject(body.metadata) ? body.metadata : {},
  }
}

/** `seconds`, which clients of OpenAI send as a text, or the family's `duration`. */
function secondsOf({ seconds, duration }: JsonObject): number | undefined {
  const [value, field] = isGiven(seconds) ? [seconds, 'seconds'] : [duration, 'duration']
  if (!isGiven(value)) return undefined
  const stated = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value
  const complaint = numberFrom(0.1, secondsMax)(stated as Json)
  if (complaint !== undefined) throw invalidField(field, complaint)
  return stated as number
}

/** `image` is one or several; `images` and `input_reference` are the same under other names. */
function imagesOf(body: JsonObject): readonly string[] {
  const found = ['image', 'input_reference', 'images'].flatMap((field) => {
    const value = body[field]
    if (!isGiven(value)) return []
    const list = Array.isArray(value) ? value : [value]
    return list.map((one, at) =>
      mediaSource(addressIn(one), Array.isArray(value) ? `${field}.${at}` : field, 'image'),
    )
  })
  if (found.length > imagesMax) throw invalidField('images', `must be at most ${imagesMax}`)
  return found
}

/** `{"image_url": …}` and `{"url": …}` are how some clients write an address. */
function addressIn(value: Json): Json {
  if (!isObject(value)) return value
  const { image_url: named = value.url ?? null } = value
  return isObject(named) ? (named.url ?? null) : named
}

function source(body: JsonObject, field: string, kind: 'image' | 'video' | 'audio') {
  const value = body[field]
  return isGiven(value) ? mediaSource(addressIn(value), field, kind) : undefined
}

function isGiven(value: Json | undefined): value is Json {
  return value !== undefined && value !== null && value !== ''
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function number(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function given<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in Name]?: Value }
}

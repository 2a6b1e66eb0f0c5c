/**
 * The operation's body as a request of the service: JSON, or a form where a picture is sent as bytes. What the client
 * writes in the service's own words wins.
 */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import type { TaskContext, TaskOrigin } from '../../../kernel/contract/task.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import {
  dataUrl,
  sizeWords,
  type VideoRequest,
  videoRequest,
} from '../../../kernel/toolkit/task/index.js'
import { factsOf } from './clip.js'

export function shape(
  body: Body,
  _channel: ChannelView,
  model: string,
  { origin }: TaskContext = {},
): Body {
  const requested = jsonOf(body)
  const request = videoRequest(requested)
  refuseUnknown(request)
  if (request.action === 'remix') return remix(request, origin)
  // A model has its price, and a remix its action.
  const { model: _, remix: __, ...metadata } = request.metadata
  const fields: JsonObject = present({
    model,
    prompt: request.prompt || undefined,
    seconds: secondsOf(request, model),
    size: sizeOf(request, requested, model),
  })
  const [image] = request.images
  if (image === undefined) return { kind: 'json', value: { ...fields, ...metadata } }
  const data = dataUrl(image)
  if (data === undefined) {
    return {
      kind: 'json',
      value: { ...fields, input_reference: { image_url: image }, ...metadata },
    }
  }
  const file = {
    field: 'input_reference',
    filename: `reference.${data.mime.slice('image/'.length)}`,
    mime: data.mime,
    bytes: Buffer.from(data.base64, 'base64'),
  }
  return { kind: 'form', fields: { ...fields, ...metadata }, files: [file] }
}

function refuseUnknown(request: VideoRequest): void {
  if (request.count > 1) throw invalidField('n', 'must be 1')
  if (request.images.length > 1) throw invalidField('images', 'must be at most 1')
  if (request.lastImage !== undefined) throw invalidField('image_tail', 'is not taken here')
  if (request.video !== undefined) throw invalidField('video', 'is not taken here')
  if (request.audioSource !== undefined) throw invalidField('audio_url', 'is not taken here')
  if (request.audio === false) throw invalidField('audio', 'must not be false: clips have sound')
}

/** Length and size are those of the first clip. They stay here, for the price. */
function remix({ prompt, images }: VideoRequest, origin: TaskOrigin | undefined): Body {
  if (origin === undefined) throw invalidField('action', '"remix" needs a task that made a clip')
  if (prompt === '') throw invalidField('prompt', 'must not be empty')
  if (images.length > 0) throw invalidField('images', 'must not stand beside a remix')
  const { seconds, size } = origin.keep
  return { kind: 'json', value: { prompt, remix: present({ id: origin.ref, seconds, size }) } }
}

/** A number as a text. */
function secondsOf({ seconds }: VideoRequest, model: string): string | undefined {
  if (seconds === undefined) return undefined
  const known = factsOf(model)?.seconds
  if (known !== undefined && !known.includes(seconds)) {
    throw invalidField('seconds', `must be one of ${known.join(', ')} for the model ${model}`)
  }
  return String(seconds)
}

function sizeOf(
  request: VideoRequest,
  { resolution, aspect_ratio: aspect }: JsonObject,
  model: string,
): string | undefined {
  const { frame, size = wordedSize(request) } = request
  const stated = frame === undefined ? size : `${frame.width}x${frame.height}`
  const known = factsOf(model)?.sizes
  if (stated === undefined || known === undefined || known.includes(stated)) return stated
  const field = request.size ? 'size' : resolution ? 'resolution' : aspect ? 'aspect_ratio' : 'size'
  throw invalidField(field, `must lead to one of ${known.join(', ')} for the model ${model}`)
}

/** Clips are upright and of 720 lines where one of both is left out. */
function wordedSize({ resolution, aspect }: VideoRequest): string | undefined {
  if (resolution === undefined && aspect === undefined) return undefined
  return sizeWords(resolution ?? '720p', aspect ?? '9:16') ?? resolution ?? aspect
}

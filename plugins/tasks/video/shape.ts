/** The operation's body as a request of the family's form: what the client left out stays out, lengths aside. */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { numberAt, type VideoRequest, videoRequest } from '../../../kernel/toolkit/task/index.js'
import { type Protocol, protocolOf, withProtocol } from './protocol.js'

export function shape(body: Body, { settings }: ChannelView, model: string): Body {
  const protocol = protocolOf(settings)
  const requested = jsonOf(body)
  const request = videoRequest(requested)
  const fields: JsonObject = present({
    model,
    prompt: request.prompt || undefined,
    negative_prompt: request.negativePrompt,
    ...imagesOf(request),
    image_tail: request.lastImage,
    video: request.video,
    audio_url: request.audioSource,
    duration: request.seconds ?? usualSeconds(protocol),
    size: request.size,
    width: request.frame?.width,
    height: request.frame?.height,
    // As they were sent: they are not derived of the size for those that know no such fields.
    resolution: requested.resolution ?? undefined,
    aspect_ratio: requested.aspect_ratio ?? undefined,
    fps: request.fps,
    seed: request.seed,
    n: request.count > 1 ? request.count : undefined,
    mode: request.mode,
    audio: request.audio,
    watermark: request.watermark,
    user: request.user,
  })
  return { kind: 'json', value: withProtocol(withMetadata(fields, request, protocol), protocol) }
}

/** The first picture, and all of several. */
function imagesOf({ images }: VideoRequest): JsonObject {
  const [first] = images
  if (first === undefined) return {}
  return images.length > 1 ? { image: first, images } : { image: first }
}

function usualSeconds(protocol: Protocol): number | undefined {
  const seconds = numberAt(protocol, 'default_seconds')
  return seconds !== undefined && seconds > 0 ? seconds : undefined
}

function withMetadata(fields: JsonObject, request: VideoRequest, { metadata: style }: Protocol) {
  const { metadata } = request
  if (Object.keys(metadata).length === 0) return fields
  if (style !== 'merged') return { ...fields, metadata }
  // A model has its price.
  const { model: _, ...own } = metadata
  return { ...fields, ...own }
}

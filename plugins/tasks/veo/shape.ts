/** The operation's body as a prediction of one instance. What the client writes as a parameter in the maker's words wins. */
import type { Body } from '../../../kernel/contract/body.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import { invalidField, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { dataUrl, type VideoRequest, videoRequest } from '../../../kernel/toolkit/task/index.js'
import { factsOf } from './model.js'
import { isVertex } from './types.js'

export function shape(body: Body, channel: ChannelView, model: string): Body {
  const requested = jsonOf(body)
  const request = videoRequest(requested)
  if (request.video !== undefined) throw invalidField('video', 'is not taken here')
  if (request.audioSource !== undefined) throw invalidField('audio_url', 'is not taken here')
  const parameters: JsonObject = present({
    aspectRatio: aspectOf(request, requested),
    durationSeconds: secondsOf(request, model),
    resolution: resolutionOf(request, requested, model),
    negativePrompt: request.negativePrompt,
    sampleCount: samplesOf(request),
    seed: request.seed === -1 ? undefined : request.seed,
    generateAudio: soundOf(request, model, channel),
    ...ownParameters(request),
  })
  const instance = { prompt: request.prompt || undefined, ...framesOf(request) }
  return { kind: 'json', value: { instances: [present(instance)], parameters } }
}

/** Where results are stored, and who hears of them, is the operator's to say. */
function ownParameters({ metadata }: VideoRequest): JsonObject {
  const { parameters, instances: _, ...others } = metadata
  const own = { ...others, ...(isObject(parameters) && parameters) }
  const { storageUri: __, pubsubTopic: ___, ...rest } = own as JsonObject
  return rest
}

const referencesMax = 3

/** One picture is the first frame; several show what the clip is about. */
function framesOf({ images, lastImage }: VideoRequest): JsonObject {
  const [first] = images
  if (images.length > 1) {
    if (lastImage !== undefined)
      throw invalidField('image_tail', 'must not stand beside several images')
    if (images.length > referencesMax)
      throw invalidField('images', `must be at most ${referencesMax}`)
    const referenceImages = images.map((image) => ({
      image: bytesOf(image, 'images'),
      referenceType: 'asset',
    }))
    return { referenceImages }
  }
  return present({
    image: first && bytesOf(first, 'image'),
    lastFrame: lastImage && bytesOf(lastImage, 'image_tail'),
  })
}

function bytesOf(image: string, field: string): JsonObject {
  const data = dataUrl(image)
  if (data === undefined) throw invalidField(field, 'must be a data URL: addresses are not taken')
  return { bytesBase64Encoded: data.base64, mimeType: data.mime }
}

const aspects = ['16:9', '9:16']

function aspectOf({ aspect }: VideoRequest, { aspect_ratio: named }: JsonObject) {
  if (aspect === undefined || aspects.includes(aspect)) return aspect
  const field = named === aspect ? 'aspect_ratio' : 'size'
  throw invalidField(field, `must have the aspect ratio ${aspects.join(' or ')}`)
}

function secondsOf({ seconds }: VideoRequest, model: string): number | undefined {
  const known = factsOf(model)?.seconds
  if (seconds === undefined || known === undefined || known.includes(seconds)) return seconds
  throw invalidField('seconds', `must be one of ${known.join(', ')} for the model ${model}`)
}

function resolutionOf(
  { resolution }: VideoRequest,
  { resolution: named }: JsonObject,
  model: string,
): string | undefined {
  if (resolution === undefined) return undefined
  const word = resolution.toLowerCase() === '2160p' ? '4k' : resolution.toLowerCase()
  const facts = factsOf(model)
  if (facts !== undefined && !facts.resolutions.includes(word)) {
    const field = named === undefined ? 'size' : 'resolution'
    throw invalidField(field, `must be ${facts.resolutions.join(', ')} for the model ${model}`)
  }
  return facts?.silent ? undefined : word
}

const samplesMax = 4

function samplesOf({ count }: VideoRequest): number | undefined {
  if (count > samplesMax) throw invalidField('n', `must be at most ${samplesMax}`)
  return count > 1 ? count : undefined
}

/** Vertex AI wants to know, Gemini always makes sound. */
function soundOf({ audio }: VideoRequest, model: string, channel: ChannelView) {
  if (factsOf(model)?.silent) {
    if (audio) throw invalidField('audio', `must not be true for the model ${model}`)
    return undefined
  }
  if (isVertex(channel)) return audio ?? true
  if (audio === false) throw invalidField('audio', 'must not be false: clips have sound')
  return undefined
}

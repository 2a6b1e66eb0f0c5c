/**
 * Imagen by `predict`, in the form clients know. It answers with the bytes, never with an address
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api).
 */
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { failureOfError, notExpressible } from '../../kernel/toolkit/errors/index.js'
import { createdAt } from '../../kernel/toolkit/operation/index.js'
import { fail } from './fail.js'
import { isImagen } from './model.js'
import { instancesOf, type Outcome, predict, predictionsOf } from './predict.js'

export const images: OwnOperationAdapter = {
  format: 'own',
  serves: (_channel, model) => isImagen(model),
  shape: (body) => ({ kind: 'json', value: prediction(instancesOf(body)) }),
  address: predict,
  answer: (whole, body) => answered(whole, instancesOf(body)),
  fail,
}

function prediction(requested: JsonObject): JsonObject {
  const { prompt, n, size, quality, output_format: format, output_compression, stream } = requested
  if (stream === true) throw notExpressible('stream')
  const outputOptions = {
    ...(typeof format === 'string' && { mimeType: `image/${format}` }),
    ...(output_compression !== undefined && { compressionQuality: output_compression }),
  }
  const fine = quality === 'hd' || quality === 'high'
  return {
    instances: [{ prompt }],
    parameters: {
      sampleCount: n ?? 1,
      ...aspectRatio(size),
      ...(fine && { sampleImageSize: '2K' }),
      ...(Object.keys(outputOptions).length > 0 && { outputOptions }),
    },
  }
}

const ratios = ['1:1', '3:4', '4:3', '9:16', '16:9'] as const

/** A size in pixels becomes the nearest ratio, by what multiplies: 3:4 is as far from 1:1 as 4:3 is. */
function aspectRatio(size: Json | undefined): JsonObject {
  if (size === undefined || size === null || size === 'auto' || size === '') return {}
  const [, width, height] = /^(\d{1,5})[x:](\d{1,5})$/.exec(String(size)) ?? []
  const wanted = Number(width) / Number(height)
  if (!(wanted > 0) || !Number.isFinite(wanted)) throw notExpressible('size')
  const distance = (ratio: string) => Math.abs(Math.log(wanted / quotient(ratio)))
  return { aspectRatio: [...ratios].sort((one, other) => distance(one) - distance(other))[0]! }
}

function quotient(ratio: string): number {
  const [across, down] = ratio.split(':')
  return Number(across) / Number(down)
}

function answered(whole: WholeAnswer, requested: JsonObject): Outcome {
  const predictions = predictionsOf(whole)
  const data = predictions.map((one) => written(one, requested)).filter((one) => one !== undefined)
  if (data.length === 0) return { failure: withheld(predictions) }
  return { json: { ...createdAt(whole), data } }
}

/** Whoever requests an address gets the bytes as one. */
function written(prediction: JsonObject, requested: JsonObject): JsonObject | undefined {
  const { bytesBase64Encoded: base64, mimeType = 'image/png', prompt } = prediction
  if (typeof base64 !== 'string' || base64 === '') return undefined
  const image =
    requested.response_format === 'url'
      ? { url: `data:${String(mimeType)};base64,${base64}` }
      : { b64_json: base64 }
  return typeof prompt === 'string' && prompt !== '' ? { ...image, revised_prompt: prompt } : image
}

/** Without an image there is at most the reason why each was held back; none at all means the same. */
function withheld(predictions: readonly JsonObject[]) {
  const [reason] = predictions
    .map(({ raiFilteredReason }) => raiFilteredReason)
    .filter((reported) => typeof reported === 'string')
  return reason === undefined
    ? failureOfError({}, 200)
    : failureOfError({ message: reason, blame: 'client' }, 400)
}

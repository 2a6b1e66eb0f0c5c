/**
 * Imagen by `predict`, in the form clients know. It returns the bytes, never an address
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/imagen-api).
 */
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { reportsUntold, statedFields, untold } from '../../kernel/toolkit/operation/index.js'
import { readGeminiImages } from '../../kernel/toolkit/vendors/index.js'
import { fail } from './fail.js'
import { isImagen } from './model.js'
import { instancesOf, predict } from './predict.js'

const told = ['quality', 'output_format', 'output_compression']

export const imagen: OwnOperationAdapter = {
  format: 'own',
  serves: (_channel, model) => isImagen(model),
  shape(body) {
    const value = { ...prediction(instancesOf(body)), ...untold(statedFields(body), told) }
    return { kind: 'json', value }
  },
  refuses: reportsUntold(told),
  address: predict,
  answer: (whole, body) => readGeminiImages(whole, body, 'predictions'),
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

/**
 * Images: Imagen by `predict`, the models that draw while they talk by `generateContent`. Both answer with the bytes,
 * never with an address.
 */
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import {
  jsonOf,
  reportsUntold,
  statedFields,
  untold,
} from '../../kernel/toolkit/operation/index.js'
import {
  geminiDrawing,
  geminiEdit,
  geminiSize,
  readGeminiImages,
} from '../../kernel/toolkit/vendors/index.js'
import { bareName, modelCall } from './address.js'
import { fail } from './fail.js'
import type { Safety } from './safety.js'

export function imageAdapter(safety: Safety): OwnOperationAdapter {
  return {
    format: 'own',
    serves: (_channel, model) => draws.test(model),
    shape: (body, _channel, model) => {
      const value = isImagen(model)
        ? prediction(jsonOf(body))
        : safety(geminiDrawing(body), bareName(model))
      return { kind: 'json', value: { ...value, ...left(body, model) } }
    },
    refuses: (wire, _channel, model) => reportsUntold(wordsOf(model))(wire),
    address(_wire, channel, credentials, context) {
      const verb = isImagen(context.model) ? 'predict' : 'generateContent'
      return modelCall({ model: context.model, verb }, channel, credentials, { stream: false })
    },
    answer: (whole, sent, model) =>
      readGeminiImages(whole, sent, isImagen(model) ? 'predictions' : 'candidates'),
    fail,
  }
}

/** Only the models that draw while they talk can be shown an image. */
export function editAdapter(safety: Safety): OwnOperationAdapter {
  return {
    format: 'own',
    serves: (_channel, model) => draws.test(model) && !isImagen(model),
    shape: (body, _channel, model) => ({
      kind: 'json',
      value: { ...safety(geminiEdit(body), bareName(model)), ...left(body, model) },
    }),
    refuses: (wire, _channel, model) => reportsUntold(wordsOf(model))(wire),
    address: (_wire, channel, credentials, { model }) =>
      modelCall({ model, verb: 'generateContent' }, channel, credentials, { stream: false }),
    answer: (whole, sent) => readGeminiImages(whole, sent, 'candidates'),
    fail,
  }
}

const draws = /image|banana/

function isImagen(model: string): boolean {
  return bareName(model).startsWith('imagen')
}

/** Fields of a client's picture that the service has words for, besides prompt, number and size. */
function wordsOf(model: string): readonly string[] {
  return isImagen(model) ? ['quality', 'output_format', 'output_compression'] : ['quality']
}

/** The fields without a word, where `refuses` finds them. */
function left(body: Body, model: string): JsonObject {
  return untold(statedFields(body), wordsOf(model))
}

function prediction(requested: JsonObject) {
  const { aspectRatio, imageSize: sampleImageSize } = geminiSize(requested)
  const { prompt, n, output_format: format, output_compression: compression } = requested
  const outputOptions = {
    ...(typeof format === 'string' && { mimeType: `image/${format}` }),
    ...(compression !== undefined && { compressionQuality: compression }),
  }
  return {
    instances: [{ prompt }],
    parameters: {
      sampleCount: n ?? 1,
      ...(aspectRatio !== undefined && { aspectRatio }),
      ...(sampleImageSize !== undefined && { sampleImageSize }),
      ...(Object.keys(outputOptions).length > 0 && { outputOptions }),
    },
  }
}

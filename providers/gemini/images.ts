/**
 * Images: Imagen by `predict`, the models that draw while they talk by `generateContent`. Both answer with the bytes,
 * never with an address.
 */
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { bareName, modelCall } from './address.js'
import { fail } from './fail.js'
import { answerImages } from './image-answer.js'
import { type ImageSize, imageSize } from './image-size.js'
import { givenImages } from './image-source.js'
import { fieldsOf } from './reading.js'
import type { Safety } from './safety.js'

export function imageAdapter(safety: Safety): OwnOperationAdapter {
  return {
    format: 'own',
    serves: (_channel, model) => draws.test(model),
    shape: (body, _channel, model) => {
      const requested = fieldsOf(body)
      const size = sizeOf(requested)
      const value = isImagen(model)
        ? prediction(requested, size)
        : safety(drawing(requested, size, []), bareName(model))
      return { kind: 'json', value }
    },
    address(_wire, channel, credentials, context) {
      const verb = isImagen(context.model) ? 'predict' : 'generateContent'
      return modelCall({ model: context.model, verb }, channel, credentials, { stream: false })
    },
    answer: (whole, requested, model) =>
      answerImages(whole, fieldsOf(requested), isImagen(model) ? 'predictions' : 'candidates'),
    fail,
  }
}

/** Only the models that draw while they talk can be shown an image. */
export function editAdapter(safety: Safety): OwnOperationAdapter {
  return {
    format: 'own',
    serves: (_channel, model) => draws.test(model) && !isImagen(model),
    shape: (body, _channel, model) => {
      const requested = fieldsOf(body)
      const value = drawing(requested, sizeOf(requested), givenImages(body))
      return { kind: 'json', value: safety(value, bareName(model)) }
    },
    address: (_wire, channel, credentials, { model }) =>
      modelCall({ model, verb: 'generateContent' }, channel, credentials, { stream: false }),
    answer: (whole, requested) => answerImages(whole, fieldsOf(requested), 'candidates'),
    fail,
  }
}

const draws = /image|banana/

function isImagen(model: string): boolean {
  return bareName(model).startsWith('imagen')
}

/** Forms hold everything as text. */
function sizeOf(requested: JsonObject): ImageSize {
  const size = imageSize(requested.size, requested.quality)
  if (size === undefined) throw notExpressible('size')
  if (requested.stream === true || requested.stream === 'true') throw notExpressible('stream')
  return size
}

function prediction(requested: JsonObject, { aspectRatio, imageSize: sampleImageSize }: ImageSize) {
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

/** These models draw one image a request; text beside it is what some of them insist on. */
function drawing({ prompt, n }: JsonObject, size: ImageSize, images: readonly JsonObject[]) {
  if (n !== undefined && n !== null && Number(n) !== 1) throw notExpressible('n')
  return {
    contents: [{ role: 'user', parts: [...images, { text: prompt }] }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      ...(Object.keys(size).length > 0 && { imageConfig: { ...size } }),
    },
  }
}

/**
 * Pictures by the models that draw while they talk, one a request (`generateContent`); text beside it is what some of them
 * insist on.
 */
import type { Body } from '../../../contract/body.js'
import type { JsonObject } from '../../../contract/json.js'
import { notExpressible } from '../../errors/refusal.js'
import { jsonOf } from '../../operation/operation-body.js'
import { type GeminiSize, imageSize } from './image-size.js'
import { givenImages } from './image-source.js'

export function geminiDrawing(body: Body): JsonObject {
  const requested = jsonOf(body)
  return drawing(requested, geminiSize(requested), [])
}

/** With the images a client gives to be changed. */
export function geminiEdit(body: Body): JsonObject {
  const requested = jsonOf(body)
  return drawing(requested, geminiSize(requested), givenImages(body))
}

/** Throws for a size that is none, and for a stream. Forms hold everything as text. */
export function geminiSize(requested: JsonObject): GeminiSize {
  const size = imageSize(requested.size, requested.quality)
  if (size === undefined) throw notExpressible('size')
  if (requested.stream === true || requested.stream === 'true') throw notExpressible('stream')
  return size
}

function drawing({ prompt, n }: JsonObject, size: GeminiSize, images: readonly JsonObject[]) {
  if (n !== undefined && n !== null && Number(n) !== 1) throw notExpressible('n')
  return {
    contents: [{ role: 'user', parts: [...images, { text: prompt }] }],
    generationConfig: {
      responseModalities: ['TEXT', 'IMAGE'],
      ...(Object.keys(size).length > 0 && { imageConfig: { ...size } }),
    },
  }
}

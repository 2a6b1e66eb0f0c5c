/** Bodies for Stability's models: one picture, by its shape, out of a prompt or out of a picture and a prompt. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import { present } from '../../../kernel/toolkit/json/index.js'
import type { ImageModel } from './facts.js'
import { isSent, optionsOf } from './options.js'
import { sizeFor } from './size.js'

function drawing(requested: JsonObject, model: ImageModel): JsonObject {
  const size = sizeFor(requested.size, model)
  const shape = size !== undefined && 'shape' in size ? size.shape : undefined
  return { ...common(requested, model), ...(shape !== undefined && { aspect_ratio: shape }) }
}

/** The new picture has the size of the given one. */
function redrawing(
  requested: JsonObject,
  images: readonly string[],
  model: ImageModel,
): JsonObject {
  if (isSent(requested.size) && requested.size !== 'auto') throw notExpressible('size')
  const { strength } = requested
  return present({
    ...common(requested, model),
    mode: model.hasModes === true ? 'image-to-image' : undefined,
    image: images[0],
    strength: isSent(strength) ? Number(strength) : halfway,
  })
}

/** How far the picture may leave the given one, which must be said: 0 is the same, 1 knows nothing of it. */
const halfway = 0.5

function common(requested: JsonObject, model: ImageModel): JsonObject {
  const { prompt, negative_prompt: negative, seed } = requested
  const { format } = optionsOf(requested, model)
  return present({
    prompt,
    output_format: format,
    negative_prompt: isSent(negative) ? negative : undefined,
    seed: isSent(seed) ? Number(seed) : undefined,
  })
}

export const stability = { drawing, redrawing } as const

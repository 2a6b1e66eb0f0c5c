/** Bodies for Amazon's models: a task with parameters of its own, and what the pictures are to be like. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import { present, unlessEmpty } from '../../../kernel/toolkit/json/index.js'
import type { ImageModel } from './facts.js'
import { isSent, optionsOf } from './options.js'
import { sizeFor } from './size.js'

function drawing(requested: JsonObject, model: ImageModel): JsonObject {
  return present({
    taskType: 'TEXT_IMAGE',
    textToImageParams: wordsOf(requested),
    imageGenerationConfig: unlessEmpty({
      ...sidesOf(requested, model),
      ...config(requested, model),
    }),
  })
}

/**
 * A picture anew by what the prompt says; where the client says which part of it is meant, that part alone, in the size it
 * has. `mask_prompt`, `similarity_strength`, `negative_prompt`, `seed` and `cfg_scale` are the service's, as clients write fields.
 */
function redrawing(
  requested: JsonObject,
  images: readonly string[],
  model: ImageModel,
): JsonObject {
  const { mask_prompt: maskPrompt, similarity_strength: similarityStrength } = requested
  const words = wordsOf(requested)
  if (isSent(maskPrompt)) {
    return present({
      taskType: 'INPAINTING',
      inPaintingParams: { image: images[0]!, maskPrompt, ...words },
      imageGenerationConfig: unlessEmpty(config(requested, model)),
    })
  }
  return present({
    taskType: 'IMAGE_VARIATION',
    imageVariationParams: {
      images,
      ...words,
      ...(isSent(similarityStrength) && { similarityStrength: Number(similarityStrength) }),
    },
    imageGenerationConfig: unlessEmpty({
      ...sidesOf(requested, model),
      ...config(requested, model),
    }),
  })
}

function wordsOf({ prompt, negative_prompt: negativeText }: JsonObject): JsonObject {
  return { text: prompt!, ...(isSent(negativeText) && { negativeText }) }
}

function sidesOf({ size }: JsonObject, model: ImageModel): JsonObject {
  return { ...sizeFor(size, model) }
}

function config(requested: JsonObject, model: ImageModel): JsonObject {
  const { seed, cfg_scale: scale } = requested
  const { n, fine } = optionsOf(requested, model)
  return present({
    numberOfImages: n,
    quality: fine === undefined ? undefined : fine ? 'premium' : 'standard',
    seed: isSent(seed) ? Number(seed) : undefined,
    cfgScale: isSent(scale) ? Number(scale) : undefined,
  })
}

export const amazon = { drawing, redrawing } as const

/** What a client wants vectors of: texts, and pictures as data URLs where a model reads them. */
import { isObject, type Json } from '../../../kernel/contract/json.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import type { EmbeddingModel } from './facts.js'

export type Input = { readonly text: string } | { readonly image: Picture }

export interface Picture {
  readonly url: string
  /** `png` of `image/png`. */
  readonly format: string
  readonly base64: string
}

/** As many at once as a call holds. Tokens of another maker's vocabulary mean nothing here. */
export function inputsOf(
  input: Json | undefined,
  model: EmbeddingModel,
): readonly (readonly Input[])[] {
  const list: readonly Json[] = Array.isArray(input) ? input : [input ?? null]
  const inputs = list.map((item) => inputOf(item, model))
  const { inputsMax } = model
  return Array.from({ length: Math.ceil(inputs.length / inputsMax) }, (_, call) =>
    inputs.slice(call * inputsMax, (call + 1) * inputsMax),
  )
}

function inputOf(item: Json, { images }: EmbeddingModel): Input {
  if (typeof item === 'string') return { text: item }
  const { text, image } = isObject(item) ? item : {}
  if (typeof text === 'string' && image === undefined) return { text }
  if (images !== true || text !== undefined) throw notExpressible('input')
  return { image: pictureOf(image) }
}

function pictureOf(given: Json | undefined): Picture {
  const [url, format, base64] = /^data:image\/([a-z]{1,16});base64,(.+)$/s.exec(String(given)) ?? []
  if (url === undefined || format === undefined || base64 === undefined) {
    throw notExpressible('input')
  }
  return { url, format, base64 }
}

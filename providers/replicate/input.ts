/**
 * What a model is given. Every model has inputs of its own; the words most image models share are translated, any
 * word of the model's own passes as it is.
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'

/** Fields of OpenAI's form: translated, or without a word here. */
const translated: ReadonlySet<string> = new Set([
  'model',
  'prompt',
  'n',
  'size',
  'quality',
  'style',
  'background',
  'moderation',
  'response_format',
  'output_format',
  'output_compression',
  'partial_images',
  'stream',
  'user',
  'input',
])

export function inputOf(requested: JsonObject): JsonObject {
  const { prompt, n, size, output_format: format, input } = requested
  if (requested.stream === true) throw notExpressible('stream')
  // The answer holds addresses, and nobody here may fetch them.
  if (requested.response_format === 'b64_json') throw notExpressible('response_format')
  const ratio = aspectRatio(size)
  const own = Object.entries(requested).filter(([field]) => !translated.has(field))
  return {
    prompt,
    ...(typeof n === 'number' && n > 1 && { num_outputs: n }),
    ...(ratio !== undefined && { aspect_ratio: ratio }),
    ...(typeof format === 'string' && { output_format: format === 'jpeg' ? 'jpg' : format }),
    ...Object.fromEntries(own),
    ...(isObject(input) && input),
  }
}

/** The shapes image models know. */
const ratios = ['1:1', '5:4', '4:3', '3:2', '16:9', '21:9', '4:5', '3:4', '2:3', '9:16', '9:21']

/** The nearest known shape; undefined: the model may choose. */
function aspectRatio(size: Json | undefined): string | undefined {
  if (size === undefined || size === null || size === 'auto') return undefined
  const [, width, height] = /^(\d{1,5})[x:](\d{1,5})$/.exec(String(size)) ?? []
  const wanted = Math.log(Number(width) / Number(height))
  if (!Number.isFinite(wanted)) throw notExpressible('size')
  const distance = (ratio: string) => {
    const [w, h] = ratio.split(':').map(Number)
    return Math.abs(Math.log(w! / h!) - wanted)
  }
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best))
}

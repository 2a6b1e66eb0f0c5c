/**
 * What a model is given. Every model has inputs of its own; the words most image models share are translated, any
 * word of the model's own passes as it is.
 */
import type { Body } from '../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { present } from '../../kernel/toolkit/json/index.js'
import { givenPictures, pictureFields, untold } from '../../kernel/toolkit/operation/index.js'
import { numberAt, objectAt } from '../../kernel/toolkit/task/index.js'
import { type InputFact, inputFact } from './input-facts.js'

/** Fields of OpenAI's form that are translated, and what the gateway itself sees to. */
const translated = ['model', 'prompt', 'n', 'size', 'response_format', 'output_format', 'input']
const pictures = ['image', 'image[]', 'images', 'image_url']

/** With the fields the model has no word for beside the input, where `reportsUntold` finds them. */
export function requestOf(body: Body, model: string, isEdit: boolean): JsonObject {
  const fields = pictureFields(body)
  const fact = inputFact(model)
  const lost = untold(fields, ['output_format', ...(fact?.words ?? [])])
  const { input } = fields
  const read = [...translated, ...Object.keys(lost), ...(isEdit ? pictures : [])]
  const own = Object.entries(fields).filter(([field]) => !read.includes(field))
  return {
    input: {
      ...wordsOf(fields, fact),
      ...Object.fromEntries(own),
      ...(isEdit && givenOf(body, fact)),
      ...(isObject(input) && input),
    },
    ...lost,
  }
}

function wordsOf({ prompt, n, size, output_format: format }: JsonObject, fact?: InputFact) {
  return present({
    prompt,
    ...severalOf(n, fact),
    aspect_ratio: aspectRatio(size),
    output_format: format === 'jpeg' && fact?.words === undefined ? 'jpg' : format,
  })
}

function severalOf(n: Json | undefined, fact?: InputFact): JsonObject {
  if (typeof n !== 'number' || n < 2) return {}
  const word = fact?.several ?? 'num_outputs'
  if (word === 'one') throw notExpressible('n')
  return { [word]: n, ...(word === 'max_images' && { sequential_image_generation: 'auto' }) }
}

function givenOf(body: Body, fact?: InputFact): JsonObject {
  const given = givenPictures(body)
  const { name, most, isList } = fact?.pictures ?? { name: 'image', most: 0, isList: false }
  if (given.length === 0) return {}
  if (given.length > most) throw notExpressible('image')
  return { [name]: isList ? given : given[0] }
}

/** How many pictures the input asks for, in whichever word. */
export function countOf(wire: JsonObject): number {
  const input = objectAt(wire, 'input')
  const words = ['num_outputs', 'number_of_images', 'num_images', 'max_images']
  const counts = words.map((word) => numberAt(input, word) ?? 1)
  return Math.max(1, ...counts)
}

/** The shapes image models know. */
const ratios = ['1:1', '5:4', '4:3', '3:2', '16:9', '21:9', '4:5', '3:4', '2:3', '9:16', '9:21']

/** The nearest known shape; undefined: the model may choose. */
function aspectRatio(size: Json | undefined): string | undefined {
  if (size === undefined) return undefined
  const [, width, height] = /^(\d{1,5})[x:](\d{1,5})$/.exec(String(size)) ?? []
  const wanted = Math.log(Number(width) / Number(height))
  if (!Number.isFinite(wanted)) throw notExpressible('size')
  const distance = (ratio: string) => {
    const [w, h] = ratio.split(':').map(Number)
    return Math.abs(Math.log(w! / h!) - wanted)
  }
  return ratios.reduce((best, ratio) => (distance(ratio) < distance(best) ? ratio : best))
}

/**
 * Pictures and edits at one path: several of a request are a series here, a size is bound by the model, and the pictures of an
 * edit stand in the JSON. The body is written last, so that what is charged is read in OpenAI's words.
 */
import type { Body } from '../../kernel/contract/body.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { numberOf, objectOf } from '../../kernel/toolkit/json/index.js'
import {
  givenPictures,
  sidesOf,
  statedFields,
  untold,
} from '../../kernel/toolkit/operation/index.js'
import { type ImageFact, imageFact, ratioMost } from './image-facts.js'

export function canEdit(model: string): boolean {
  return imageFact(model)?.given !== 0
}

/** What the model has no word for; of a model nobody knows everything may be one. */
export function untoldOf(wire: JsonObject, model: string): readonly string[] {
  const fact = imageFact(model)
  const words = fact?.words ?? ['output_format', 'background']
  return Object.keys(untold(wire, words))
}

/** A series in the words of the service states how many pictures may come: so many are charged at most. */
export function counted(wire: JsonObject): JsonObject {
  const { n, sequential_image_generation: series } = wire
  if (series !== 'auto' || (n ?? null) !== null) return wire
  const options = objectOf(wire.sequential_image_generation_options)
  return { ...wire, n: numberOf(options?.max_images) ?? seriesMost }
}

/** What the service makes where a series states no number. */
const seriesMost = 15

/** Throws `not_expressible`, naming the field. */
export function imageBody(wire: Body, model: string): JsonObject {
  const { n, size, image: _, ...fields } = statedFields(wire)
  const given = givenPictures(wire)
  const fact = imageFact(model)
  if (fact !== undefined) refuseBeyond(fact, { ...fields, n, size }, given.length)
  return {
    ...withoutPictures(fields),
    ...(size !== undefined && { size }),
    ...(given.length > 0 && { image: given.length === 1 ? given[0] : given }),
    ...seriesOf(n, fields),
  }
}

function withoutPictures(fields: JsonObject): JsonObject {
  const { images: _, image_url: __, 'image[]': ___, ...rest } = fields
  return rest
}

function seriesOf(n: Json | undefined, { sequential_image_generation: series }: JsonObject) {
  if (typeof n !== 'number' || n < 2 || series !== undefined) return {}
  return {
    sequential_image_generation: 'auto',
    sequential_image_generation_options: { max_images: n },
  }
}

function refuseBeyond(fact: ImageFact, fields: JsonObject, given: number): void {
  const { n, size, stream, output_format: format } = fields
  if (stream === true && !fact.streams) throw notExpressible('stream')
  if (given > fact.given) throw notExpressible('image')
  const several = numberOf(n) ?? 1
  if (several > 1 && (fact.pictures === 1 || several + given > fact.pictures)) {
    throw notExpressible('n')
  }
  if (format !== undefined && !['png', 'jpeg'].includes(String(format))) {
    throw notExpressible('output_format')
  }
  if (size !== undefined && !takesSize(fact, String(size))) throw notExpressible('size')
}

function takesSize({ named, pixels, sides }: ImageFact, size: string): boolean {
  if (named.includes(size.toLowerCase())) return true
  const found = sidesOf(size)
  if (found === undefined || pixels === undefined) return false
  const { width, height } = found
  const count = width * height
  const shape = Math.max(width / height, height / width)
  const [shortest, longest] = sides ?? [1, Number.POSITIVE_INFINITY]
  const isPictured = count >= pixels[0] && count <= pixels[1] && shape <= ratioMost
  return isPictured && Math.min(width, height) >= shortest && Math.max(width, height) <= longest
}

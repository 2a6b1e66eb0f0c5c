/** Vectors of embeddings, in the form clients of the embeddings API know. */
import type { Json, JsonObject } from '../../contract/json.js'

/** A list of numbers, which may be empty. */
export function isVector(value: Json | undefined): value is readonly number[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'number')
}

/** Little-endian floats of 32 bits in base64, as clients unpack them. */
export function packedVector(values: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(values.length * 4)
  values.forEach((value, at) => {
    bytes.writeFloatLE(value, at * 4)
  })
  return bytes.toString('base64')
}

/** @param encoding `encoding_format` of the request: `base64` packs the vectors, everything else leaves them lists */
export function embeddingList(
  model: string,
  vectors: readonly (readonly number[])[],
  encoding: Json | undefined,
): JsonObject {
  const written = encoding === 'base64' ? packedVector : (values: readonly number[]) => values
  const data = vectors.map((values, index) => ({
    object: 'embedding',
    index,
    embedding: written(values),
  }))
  return { object: 'list', data, model }
}

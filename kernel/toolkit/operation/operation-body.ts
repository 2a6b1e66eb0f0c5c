/**
 * What the operations besides chat share in reading a client's body: its fields, the requested model, and an estimate
 * of what its texts come to.
 */
import type { Body } from '../../contract/body.js'
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { changed } from '../body/body.js'
import { estimateTokens } from '../format/token-estimate.js'

/** The value of a JSON body, the text fields of a form, nothing of no body. */
export function jsonOf(body: Body): JsonObject {
  if (body.kind === 'json') return body.value
  return body.kind === 'form' ? body.fields : {}
}

/** The same body asking for another model; the same object where it already does. */
export function modelNamed(body: Body, model: string): Body {
  return withFields(body, { model })
}

/**
 * The same body with these top-level fields; the same object where it has them already. Of a JSON body every other byte
 * stays as the client wrote it.
 */
export function withFields(body: Body, fields: JsonObject): Body {
  const before = jsonOf(body)
  if (Object.keys(fields).every((field) => before[field] === fields[field])) return body
  const value = { ...before, ...fields }
  if (body.kind === 'json') return changed(body, value)
  return body.kind === 'form' ? { ...body, fields: value } : body
}

/** A text already cut into tokens: at least one, each a whole number. */
export function areTokens(value: Json): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isToken)
}

function isToken(value: Json): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

/** An image or another medium, whatever its size; the figure chat takes for an image. */
const tokensPerMedium = 765

/** Fields that hold a medium, or what no model reads as text. */
const tokensOfField: ReadonlyMap<string, number> = new Map([
  ['image', tokensPerMedium],
  ['image_url', tokensPerMedium],
  ['video', tokensPerMedium],
  ['video_url', tokensPerMedium],
  ['audio', tokensPerMedium],
  ['input_audio', tokensPerMedium],
  ['file_data', tokensPerMedium],
  ['encrypted_content', 0],
])

/**
 * Tokens of whatever a model is to read: texts by character class, numbers of a list as the tokens they are,
 * media by a fixed figure, objects by their keys and values.
 */
export function estimateTokensIn(value: Json | undefined): number {
  if (typeof value === 'string') return isDataUrl(value) ? tokensPerMedium : estimateTokens(value)
  if (typeof value === 'number' || typeof value === 'boolean') return 1
  if (Array.isArray(value))
    return value.reduce<number>((sum, item) => sum + estimateTokensIn(item), 0)
  if (!isObject(value)) return 0
  let estimatedTokens = 0
  for (const field in value)
    estimatedTokens +=
      tokensOfField.get(field) ?? estimateTokens(field) + estimateTokensIn(value[field])
  return estimatedTokens
}

function isDataUrl(text: string): boolean {
  return text.startsWith('data:') && text.slice(0, 200).includes(';base64,')
}

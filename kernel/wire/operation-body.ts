/**
 * What the operations besides chat share in reading a client's body: its fields, the model it names, checks that name
 * the field at fault, and an estimate of what its texts come to. `null` in an optional field means it was not sent.
 */
import type { Body } from '../contract/exchange.js'
import { isObject, type Json, type JsonObject } from '../contract/json.js'
import { Refusal } from '../errors.js'
import { changed } from './body.js'
import { unitsOf } from './units.js'

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

/** The one refusal of a field: it names the field and says what it must be. */
export function invalidField(param: string, complaint: string): Refusal {
  return new Refusal('invalid_request', { param, reason: `${param} ${complaint}.` })
}

const modelCharactersMax = 256
/** Controls, invisible characters, lone surrogates, and what would lead elsewhere in an address (failures.md X2, X8). */
const unsafeInModel = /[\\?#%\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

/** A model name that is there and could be one. Throws `invalid_request` for `model`. */
export function requiredModel(model: Json | undefined): string {
  if (typeof model !== 'string') throw invalidField('model', 'must be a string')
  if (model === '') throw invalidField('model', 'must not be empty')
  if ([...model].length > modelCharactersMax) {
    throw invalidField('model', `must be at most ${modelCharactersMax} characters long`)
  }
  if (unsafeInModel.test(model) || model.split('/').some((part) => /^\.{0,2}$/.test(part))) {
    throw invalidField('model', 'holds characters that no model name has')
  }
  return model
}

/** Says what is wrong with a value, as the end of a sentence that begins with its field; nothing when it is right. */
export type Rule = (value: Json) => string | undefined

/** Checks the fields that are there, in the order of the rules. Throws `invalid_request` for the first at fault. */
export function checkFields(body: JsonObject, rules: Readonly<Record<string, Rule>>): void {
  for (const field in rules) {
    const value = body[field]
    if (value === undefined || value === null) continue
    const complaint = rules[field]!(value)
    if (complaint !== undefined) throw invalidField(field, complaint)
  }
}

export function numberFrom(least: number, most: number): Rule {
  return (value) =>
    typeof value === 'number' && value >= least && value <= most
      ? undefined
      : `must be a number from ${least} to ${most}`
}

export function integerFrom(least: number, most: number): Rule {
  return (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `must be a whole number from ${least} to ${most}`
}

export function isText(value: Json): string | undefined {
  return typeof value === 'string' ? undefined : 'must be a string'
}

export function isBoolean(value: Json): string | undefined {
  return typeof value === 'boolean' ? undefined : 'must be true or false'
}

export function isTextOrTexts(value: Json): string | undefined {
  return typeof value === 'string' || areTexts(value)
    ? undefined
    : 'must be a string or an array of strings'
}

function areTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** A text already cut into tokens: at least one, each a whole number. */
export function areTokens(value: Json): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isToken)
}

function isToken(value: Json): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

/** An image or another medium, whatever its size; the figure chat takes for an image. */
const unitsPerMedium = 765

/** Fields that hold a medium, or what no model reads as text. */
const unitsOfField: ReadonlyMap<string, number> = new Map([
  ['image', unitsPerMedium],
  ['image_url', unitsPerMedium],
  ['video', unitsPerMedium],
  ['video_url', unitsPerMedium],
  ['audio', unitsPerMedium],
  ['input_audio', unitsPerMedium],
  ['file_data', unitsPerMedium],
  ['encrypted_content', 0],
])

/**
 * Tokens of whatever a client asks a model to read: texts by character class, numbers of a list as the tokens they are,
 * media by a fixed figure, objects by their keys and values.
 */
export function unitsIn(value: Json | undefined): number {
  if (typeof value === 'string') return isDataUrl(value) ? unitsPerMedium : unitsOf(value)
  if (typeof value === 'number' || typeof value === 'boolean') return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + unitsIn(item), 0)
  if (!isObject(value)) return 0
  let units = 0
  for (const field in value)
    units += unitsOfField.get(field) ?? unitsOf(field) + unitsIn(value[field])
  return units
}

function isDataUrl(text: string): boolean {
  return text.startsWith('data:') && text.slice(0, 200).includes(';base64,')
}

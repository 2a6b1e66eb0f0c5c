/**
 * Checks of a client's fields, whatever its format or operation: each refusal names the field and states what it must be.
 * `null` in an optional field means it was not sent.
 */
import { isObject, type Json, type JsonObject } from '../../contract/json.js'
import { Refusal } from '../errors/refusal.js'

/** The one refusal of a field: it names the field and states what it must be. */
export function invalidField(param: string, complaint: string): Refusal {
  return new Refusal('invalid_request', { param, reason: `${param} ${complaint}.` })
}

const modelCharactersMax = 256
/** Controls, invisible characters, lone surrogates, and what would lead elsewhere in an address (X2, X8). */
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

/** States what is wrong with a value, as the end of a sentence that begins with its field; nothing when it is right. */
export type Rule = (value: Json) => string | undefined

/**
 * Checks the fields that are there, in the order of the rules. Throws `invalid_request` for the first at fault; `place`
 * leads to the object where it is not the body itself, e.g. `options.`.
 */
export function checkFields(
  body: JsonObject,
  rules: Readonly<Record<string, Rule>>,
  place = '',
): void {
  for (const field in rules) {
    const value = body[field]
    if (value === undefined || value === null) continue
    const complaint = rules[field]!(value)
    if (complaint !== undefined) throw invalidField(`${place}${field}`, complaint)
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

export function oneOf(words: readonly string[]): Rule {
  return (value) =>
    typeof value === 'string' && words.includes(value)
      ? undefined
      : `must be one of ${words.join(', ')}`
}

export function isText(value: Json): string | undefined {
  return typeof value === 'string' ? undefined : 'must be a string'
}

export function isBoolean(value: Json): string | undefined {
  return typeof value === 'boolean' ? undefined : 'must be true or false'
}

export function isAnObject(value: Json): string | undefined {
  return isObject(value) ? undefined : 'must be an object'
}

export function isTextOrObject(value: Json): string | undefined {
  return typeof value === 'string' || isObject(value) ? undefined : 'must be a string or an object'
}

export function areTexts(value: Json): string | undefined {
  return holdsTexts(value) ? undefined : 'must be an array of strings'
}

export function isTextOrTexts(value: Json): string | undefined {
  return typeof value === 'string' || holdsTexts(value)
    ? undefined
    : 'must be a string or an array of strings'
}

function holdsTexts(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

export function areNumbersByKey(value: Json): string | undefined {
  return isObject(value) && Object.values(value).every((one) => typeof one === 'number')
    ? undefined
    : 'must be an object of numbers'
}

/** Options of a stream, of which only the request for usage means anything here. */
export function areStreamOptions(value: Json): string | undefined {
  if (!isObject(value)) return 'must be an object'
  const requested = value.include_usage ?? null
  return requested === null || typeof requested === 'boolean'
    ? undefined
    : 'must hold true or false as include_usage'
}

/**
 * What a generative request must look like. Fields the table does not know pass, and so do values only the upstream can
 * judge; both spellings of a name are read.
 */
import type { Asked, Said } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/limits.js'
import { checkContents } from './check-contents.js'
import { invalidField } from './invalid-field.js'
import { camel } from './names.js'

/** The model and the stream are what the address says of them. */
export function check(raw: JsonObject, said?: Said): Asked {
  const model = checkedModel(said)
  const body = camel(raw)
  checkContents(body.contents)
  checkFields(body, '', bodyRules)
  const { generationConfig } = body
  if (isObject(generationConfig)) {
    checkFields(camel(generationConfig), 'generationConfig.', configRules)
  }
  return { model, stream: said?.stream === true, wantsUsage: true }
}

const modelCharactersMax = 256

/** Controls, invisible characters, lone surrogates, and what would lead elsewhere in an address (failures.md X2, X8). */
const unsafeInModel = /[\\?#%\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

function checkedModel(said: Said | undefined): string {
  const model = said?.model ?? ''
  if (model === '') throw invalidField('model', 'must stand in the address')
  if ([...model].length > modelCharactersMax) {
    throw invalidField('model', `must be at most ${modelCharactersMax} characters long`)
  }
  if (unsafeInModel.test(model) || model.split('/').some((part) => /^\.{0,2}$/.test(part))) {
    throw invalidField('model', 'holds characters that no model name has')
  }
  return model
}

interface Rule {
  readonly field: string
  /** Completes "`field` must be …". */
  readonly must: string
  readonly holds: (value: Json) => boolean
}

const bodyRules: readonly Rule[] = [
  { field: 'systemInstruction', must: 'a content with parts', holds: isContent },
  { field: 'tools', must: 'an array of objects', holds: areObjects },
  { field: 'toolConfig', must: 'an object', holds: isObject },
  { field: 'generationConfig', must: 'an object', holds: isObject },
  { field: 'safetySettings', must: 'an array of objects', holds: areObjects },
  { field: 'cachedContent', must: 'a string', holds: isText },
]

const tokens = { must: 'a whole number of at least 0', holds: isTokens }
const number = { must: 'a number', holds: isNumber }
const flag = { must: 'true or false', holds: (value: Json) => typeof value === 'boolean' }

const configRules: readonly Rule[] = [
  { field: 'temperature', must: 'a number from 0 to 2', holds: (value) => isFrom(value, 0, 2) },
  { field: 'topP', ...number },
  { field: 'topK', ...number },
  { field: 'seed', must: 'a whole number', holds: Number.isInteger },
  { field: 'presencePenalty', ...number },
  { field: 'frequencyPenalty', ...number },
  { field: 'stopSequences', must: 'an array of strings', holds: areTexts },
  { field: 'maxOutputTokens', ...tokens },
  { field: 'candidateCount', must: 'a whole number of at least 1', holds: isPositive },
  { field: 'responseLogprobs', ...flag },
  { field: 'logprobs', ...tokens },
  { field: 'responseMimeType', must: 'a string', holds: isText },
  { field: 'responseModalities', must: 'an array of strings', holds: areTexts },
  { field: 'thinkingConfig', must: 'an object', holds: isObject },
]

function checkFields(fields: JsonObject, place: string, rules: readonly Rule[]): void {
  for (const { field, must, holds } of rules) {
    const value = fields[field]
    if (value === undefined || holds(value)) continue
    throw invalidField(`${place}${field}`, `must be ${must}`)
  }
}

function isText(value: Json): boolean {
  return typeof value === 'string'
}

function isNumber(value: Json): value is number {
  return typeof value === 'number'
}

function isFrom(value: Json, least: number, most: number): boolean {
  return isNumber(value) && value >= least && value <= most
}

function isTokens(value: Json): boolean {
  return Number.isInteger(value) && isFrom(value, 0, limits.tokensMax)
}

function isPositive(value: Json): boolean {
  return Number.isInteger(value) && isFrom(value, 1, limits.tokensMax)
}

function areTexts(value: Json): boolean {
  return Array.isArray(value) && value.every(isText)
}

function areObjects(value: Json): boolean {
  return Array.isArray(value) && value.every(isObject)
}

function isContent(value: Json): boolean {
  return isObject(value) && Array.isArray(value.parts) && value.parts.every(isObject)
}

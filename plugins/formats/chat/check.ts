/**
 * Checks a chat request field by field before anything is done with it (FMT-4). Defaults are never filled in, unknown
 * fields are none of our business, and `null` in an optional field means that it was not sent.
 */
import type { Asked } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/limits.js'
import { checkMessages } from './check-messages.js'
import { invalidField } from './invalid-field.js'

/** Throws `invalid_request` with the field in `param`. */
export function check(body: JsonObject): Asked {
  const model = checkedModel(body.model)
  checkMessages(body.messages)
  for (const [field, rule] of rules) {
    const value = body[field]
    if (value === undefined || value === null) continue
    const complaint = rule(value)
    if (complaint !== undefined) throw invalidField(field, complaint)
  }
  return { model, stream: body.stream === true, wantsUsage: wantsUsage(body.stream_options) }
}

function wantsUsage(options: Json | undefined): boolean {
  return isObject(options) && options.include_usage === true
}

/** Says what is wrong with a value; nothing when it is right. */
type Rule = (value: Json) => string | undefined

const modelCharactersMax = 256

function checkedModel(model: Json | undefined): string {
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

/** Controls, invisible characters, lone surrogates, and what would lead elsewhere in an address (failures.md X2, X8). */
const unsafeInModel = /[\\?#%\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

const rules: readonly (readonly [field: string, rule: Rule])[] = [
  ['temperature', numberFrom(0, 2)],
  ['top_p', numberFrom(0, 1)],
  ['n', integerFrom(1, 128)],
  ['stream', boolean],
  ['stream_options', streamOptions],
  ['stop', stop],
  ['max_tokens', integerFrom(0, limits.tokensMax)],
  ['max_completion_tokens', integerFrom(0, limits.tokensMax)],
  ['presence_penalty', numberFrom(-2, 2)],
  ['frequency_penalty', numberFrom(-2, 2)],
  ['logit_bias', logitBias],
  ['logprobs', boolean],
  ['top_logprobs', integerFrom(0, 20)],
  ['user', string],
  ['tools', tools],
  ['tool_choice', stringOrObject],
  ['parallel_tool_calls', boolean],
  ['response_format', typedObject],
  ['seed', integerFrom(-(2 ** 63), 2 ** 64)],
  ['reasoning_effort', oneOf(efforts)],
  ['modalities', strings],
  ['audio', object],
  ['metadata', object],
]

function numberFrom(least: number, most: number): Rule {
  return (value) =>
    typeof value === 'number' && value >= least && value <= most
      ? undefined
      : `must be a number from ${least} to ${most}`
}

function integerFrom(least: number, most: number): Rule {
  return (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `must be a whole number from ${least} to ${most}`
}

function oneOf(words: readonly string[]): Rule {
  return (value) =>
    typeof value === 'string' && words.includes(value)
      ? undefined
      : `must be one of ${words.join(', ')}`
}

function boolean(value: Json): string | undefined {
  return typeof value === 'boolean' ? undefined : 'must be true or false'
}

function string(value: Json): string | undefined {
  return typeof value === 'string' ? undefined : 'must be a string'
}

function object(value: Json): string | undefined {
  return isObject(value) ? undefined : 'must be an object'
}

function strings(value: Json): string | undefined {
  return isStrings(value) ? undefined : 'must be an array of strings'
}

function isStrings(value: Json): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function stringOrObject(value: Json): string | undefined {
  return typeof value === 'string' || isObject(value) ? undefined : 'must be a string or an object'
}

function typedObject(value: Json): string | undefined {
  return isObject(value) && typeof value.type === 'string'
    ? undefined
    : 'must be an object with a type'
}

function stop(value: Json): string | undefined {
  return typeof value === 'string' || isStrings(value)
    ? undefined
    : 'must be a string or an array of strings'
}

function streamOptions(value: Json): string | undefined {
  if (!isObject(value)) return 'must be an object'
  const asked = value.include_usage
  return asked === undefined || asked === null || typeof asked === 'boolean'
    ? undefined
    : 'must hold true or false as include_usage'
}

function logitBias(value: Json): string | undefined {
  const right = isObject(value) && Object.values(value).every((bias) => typeof bias === 'number')
  return right ? undefined : 'must be an object of numbers'
}

function tools(value: Json): string | undefined {
  if (!Array.isArray(value)) return 'must be an array'
  const wrong = value.findIndex((tool) => !isTool(tool))
  return wrong === -1
    ? undefined
    : `must hold tools with a type and a name; number ${wrong} does not`
}

function isTool(tool: Json): boolean {
  if (!isObject(tool) || typeof tool.type !== 'string') return false
  if (tool.type !== 'function') return true
  return isObject(tool.function) && typeof tool.function.name === 'string'
}

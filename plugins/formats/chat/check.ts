/**
 * Checks a chat request field by field before anything is done with it (FMT-4): the types and ranges of the table, and
 * beyond it only what the charge and the conversion are read from (decision 0040). Defaults are never filled in, other
 * fields are the upstream's to judge, and `null` in an optional field means that it was not sent.
 */
import type { RequestedOptions } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import {
  areTexts,
  checkFields,
  integerFrom,
  isAnObject,
  isBoolean,
  isText,
  isTextOrObject,
  isTextOrTexts,
  numberFrom,
  oneOf,
  type Rule,
  requiredModel,
} from '../../../kernel/toolkit/operation/index.js'
import { checkMessages } from './check-messages.js'

/** Throws `invalid_request` with the field in `param`. */
export function check(body: JsonObject): RequestedOptions {
  const model = requiredModel(body.model)
  checkMessages(body.messages)
  checkFields(body, rules)
  return { model, stream: body.stream === true, wantsUsage: wantsUsage(body.stream_options) }
}

function wantsUsage(options: Json | undefined): boolean {
  return isObject(options) && options.include_usage === true
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

const rules: Readonly<Record<string, Rule>> = {
  temperature: numberFrom(0, 2),
  top_p: numberFrom(0, 1),
  n: integerFrom(1, 128),
  stream: isBoolean,
  stream_options: isAnObject,
  stop: isTextOrTexts,
  max_tokens: integerFrom(0, limits.tokensMax),
  max_completion_tokens: integerFrom(0, limits.tokensMax),
  presence_penalty: numberFrom(-2, 2),
  frequency_penalty: numberFrom(-2, 2),
  logit_bias: isAnObject,
  user: isText,
  tools: areTools,
  tool_choice: isTextOrObject,
  response_format: isAnObject,
  seed: isWhole,
  reasoning_effort: oneOf(efforts),
  modalities: areTexts,
  audio: isAnObject,
}

function isWhole(value: Json): string | undefined {
  return Number.isInteger(value) ? undefined : 'must be a whole number'
}

function areTools(value: Json): string | undefined {
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

/**
 * Checks a completion request field by field. Defaults are never filled in, and fields the table does not know pass
 * (FMT-5).
 */
import type { Body } from '../../../kernel/contract/body.js'
import type { RequestedOptions } from '../../../kernel/contract/format.js'
import type { Json } from '../../../kernel/contract/json.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import {
  areNumbersByKey,
  areStreamOptions,
  areTokens,
  checkFields,
  integerFrom,
  invalidField,
  isBoolean,
  isText,
  isTextOrTexts,
  jsonOf,
  numberFrom,
  requiredModel,
} from '../../../kernel/toolkit/operation/index.js'
import { wantsUsage } from './request-usage.js'

/** Throws `invalid_request` with the field in `param`. */
export function check(body: Body): RequestedOptions {
  const fields = jsonOf(body)
  const model = requiredModel(fields.model)
  const { prompt = null } = fields
  if (!isPrompt(prompt)) {
    throw invalidField('prompt', 'must be a string, an array of strings or arrays of tokens')
  }
  checkFields(fields, rules)
  return { model, stream: fields.stream === true, wantsUsage: wantsUsage(fields) }
}

function isPrompt(prompt: Json): boolean {
  if (typeof prompt === 'string') return true
  if (!Array.isArray(prompt) || prompt.length === 0) return false
  if (areTokens(prompt)) return true
  return prompt.every((one) => typeof one === 'string') || prompt.every(areTokens)
}

const rules = {
  max_tokens: integerFrom(0, limits.tokensMax),
  n: integerFrom(1, 128),
  best_of: integerFrom(1, 128),
  temperature: numberFrom(0, 2),
  top_p: numberFrom(0, 1),
  presence_penalty: numberFrom(-2, 2),
  frequency_penalty: numberFrom(-2, 2),
  logprobs: integerFrom(0, 100),
  logit_bias: areNumbersByKey,
  echo: isBoolean,
  stop: isTextOrTexts,
  stream: isBoolean,
  stream_options: areStreamOptions,
  suffix: isText,
  seed: integerFrom(-(2 ** 63), 2 ** 64),
  user: isText,
}

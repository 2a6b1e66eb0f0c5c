/**
 * A responses conversation made shorter: the request is one of the responses format, the answer comes whole. It has a
 * price of its own where the operator gives it one.
 */
import type { Body } from '../../../kernel/contract/body.js'
import type { Limits, ReplyReading, RequestedOptions } from '../../../kernel/contract/format.js'
import { isObject, type JsonObject } from '../../../kernel/contract/json.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import { limits as bounds } from '../../../kernel/toolkit/limits/index.js'
import {
  checkFields,
  countOf,
  disjoint,
  estimateTokensIn,
  failureIn,
  garbled,
  integerFrom,
  invalidField,
  isText,
  jsonOf,
  modelNamed,
  objectOf,
  type Rule,
  requiredModel,
  WholeJsonWatch,
} from '../../../kernel/toolkit/operation/index.js'

export default function create(): Operation {
  return {
    name: 'compact',
    check,
    named: modelNamed,
    priceName: (model) => `${model}-openai-compact`,
    limits,
    estimate(wire) {
      const { instructions, input, tools } = jsonOf(wire)
      return {
        input: estimateTokensIn(instructions) + estimateTokensIn(input) + estimateTokensIn(tools),
      }
    },
    readReply,
    watch: () => new WholeJsonWatch(readReply),
  }
}

function check(body: Body): RequestedOptions {
  const fields = jsonOf(body)
  const model = requiredModel(fields.model)
  if ((fields.input ?? fields.previous_response_id ?? null) === null) {
    throw invalidField('input', 'must be there, unless previous_response_id is')
  }
  checkFields(fields, rules)
  return { model, stream: false, wantsUsage: false }
}

const isInput: Rule = (value) =>
  typeof value === 'string' || (Array.isArray(value) && value.every(isObject))
    ? undefined
    : 'must be a string or an array of items'

const isWhole: Rule = (value) =>
  value === false ? undefined : 'must be false: this answer comes whole'

const rules = {
  input: isInput,
  instructions: isText,
  previous_response_id: isText,
  prompt_cache_key: isText,
  max_output_tokens: integerFrom(0, bounds.tokensMax),
  stream: isWhole,
}

function limits(wire: Body): Limits {
  const maxOutput = countOf(jsonOf(wire).max_output_tokens)
  return maxOutput === undefined ? {} : { maxOutput }
}

function readReply(body: JsonObject): ReplyReading {
  const failure = failureIn(body) ?? (Array.isArray(body.output) ? undefined : garbled())
  if (failure !== undefined) return { estimatedTokens: 0, failure }
  const estimatedTokens = estimateTokensIn(body.output)
  const raw = objectOf(body.usage)
  if (raw === undefined) return { estimatedTokens }
  const usage = disjoint({
    input: countOf(raw.input_tokens),
    cached: countOf(objectOf(raw.input_tokens_details)?.cached_tokens),
    output: countOf(raw.output_tokens),
    reasoning: countOf(objectOf(raw.output_tokens_details)?.reasoning_tokens),
  })
  return { usage, raw, estimatedTokens }
}

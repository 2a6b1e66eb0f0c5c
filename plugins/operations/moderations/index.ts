/** Whether texts and images break a policy. Few upstreams count anything, so the estimate is what is usually billed. */
import type { Body } from '../../../kernel/contract/body.js'
import type { ReplyReading, RequestedOptions } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import {
  estimateTokensIn,
  failureIn,
  garbled,
  inputReading,
  invalidField,
  jsonOf,
  modelNamed,
  requiredModel,
  WholeJsonWatch,
} from '../../../kernel/toolkit/operation/index.js'

/** The model of a request that names none; the outgoing body does. */
const usualModel = 'text-moderation-stable'

export default function create(): Operation {
  return {
    name: 'moderations',
    check,
    named: modelNamed,
    limits: () => ({ maxOutput: 0 }),
    estimate: (wire) => ({ input: estimateTokensIn(jsonOf(wire).input) }),
    readReply,
    watch: () => new WholeJsonWatch(readReply),
  }
}

function check(body: Body): RequestedOptions {
  const { model, input = null } = jsonOf(body)
  const named = requiredModel(model ?? usualModel)
  if (!isInput(input)) {
    throw invalidField('input', 'must be a string or an array of strings, or of typed objects')
  }
  return { model: named, stream: false, wantsUsage: false }
}

function isInput(input: Json): boolean {
  if (typeof input === 'string') return true
  return Array.isArray(input) && input.length > 0 && input.every(isPart)
}

function isPart(part: Json): boolean {
  return typeof part === 'string' || (isObject(part) && typeof part.type === 'string')
}

function readReply(body: JsonObject): ReplyReading {
  const failure = failureIn(body) ?? (Array.isArray(body.results) ? undefined : garbled())
  if (failure !== undefined) return { estimatedTokens: 0, failure }
  return inputReading(body.usage, ['prompt_tokens', 'input_tokens', 'total_tokens'])
}

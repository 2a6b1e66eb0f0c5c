/** Texts turned into vectors. What was read is all that is counted; older clients name the model in the path. */
import type { Body } from '../../../kernel/contract/exchange.js'
import type { Asked, ReplyReading, Said } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import { limits } from '../../../kernel/limits.js'
import {
  checkFields,
  integerFrom,
  invalidField,
  isText,
  requiredModel,
} from '../../../kernel/wire/checks.js'
import {
  failureIn,
  garbled,
  inputReading,
  WholeJsonWatch,
} from '../../../kernel/wire/operation-answer.js'
import { areTokens, jsonOf, modelNamed, unitsIn } from '../../../kernel/wire/operation-body.js'

export default function create(): Operation {
  return {
    name: 'embeddings',
    check,
    named: modelNamed,
    limits: () => ({ maxOutput: 0 }),
    estimate: (wire) => ({ input: unitsIn(jsonOf(wire).input) }),
    readReply,
    watch: () => new WholeJsonWatch(readReply),
  }
}

function check(body: Body, said?: Said): Asked {
  const fields = jsonOf(body)
  const model = requiredModel(said?.model ?? fields.model)
  const { input = null } = fields
  if (!isInput(input)) {
    throw invalidField('input', 'must be a string, an array of strings or arrays of tokens')
  }
  checkFields(fields, rules)
  return { model, stream: false, wantsUsage: false }
}

const rules = {
  dimensions: integerFrom(0, limits.tokensMax),
  encoding_format: isText,
  user: isText,
}

function isInput(input: Json): boolean {
  if (typeof input === 'string') return true
  if (!Array.isArray(input) || input.length === 0) return false
  return input.every(isTextOrMedium) || areTokens(input) || input.every(areTokens)
}

/** Models that read images beside texts take both as objects. */
function isTextOrMedium(item: Json): boolean {
  return typeof item === 'string' || isObject(item)
}

function readReply(body: JsonObject): ReplyReading {
  const failure = failureIn(body) ?? (Array.isArray(body.data) ? undefined : garbled())
  if (failure !== undefined) return { units: 0, failure }
  return inputReading(body.usage, ['prompt_tokens', 'total_tokens'])
}

/** Texts turned into vectors. What was read is all that is counted; older clients name the model in the path. */
import type { Body } from '../../../kernel/contract/body.js'
import type {
  ReplyReading,
  RequestedOptions,
  RequestHints,
} from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import {
  areTokens,
  checkFields,
  estimateTokensIn,
  failureIn,
  garbled,
  inputReading,
  integerFrom,
  invalidField,
  isText,
  isVector,
  joinedEmbeddings,
  jsonOf,
  modelNamed,
  packedVector,
  requiredModel,
  WholeJsonWatch,
} from '../../../kernel/toolkit/operation/index.js'
import { changedEach } from '../../../kernel/toolkit/vendors/index.js'

export default function create(): Operation {
  return {
    name: 'embeddings',
    check,
    named: modelNamed,
    limits: () => ({ maxOutput: 0 }),
    estimate: (wire) => ({ input: estimateTokensIn(jsonOf(wire).input) }),
    readReply,
    fitted,
    joined: joinedEmbeddings,
    watch: () => new WholeJsonWatch(readReply),
  }
}

function check(body: Body, hints?: RequestHints): RequestedOptions {
  const fields = jsonOf(body)
  const model = requiredModel(hints?.model ?? fields.model)
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
  if (failure !== undefined) return { estimatedTokens: 0, failure }
  return inputReading(body.usage, ['prompt_tokens', 'total_tokens'])
}

/**
 * Clients of OpenAI's SDKs ask for base64 and decode whatever comes as such: numbers from an upstream that does not pack
 * them would become zeros without a word.
 */
function fitted(answer: JsonObject, requested: Body): JsonObject {
  if (jsonOf(requested).encoding_format !== 'base64') return answer
  const data = changedEach(answer.data, (item) =>
    isVector(item.embedding) ? { ...item, embedding: packedVector(item.embedding) } : item,
  )
  return data === undefined || data === answer.data ? answer : { ...answer, data }
}

/** Documents in the order of what they have to do with a query, in the form Jina and Cohere share. */
import type { Body } from '../../../kernel/contract/body.js'
import type { ReplyReading, RequestedOptions } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { Operation } from '../../../kernel/contract/operation.js'
import { limits } from '../../../kernel/toolkit/limits/index.js'
import {
  checkFields,
  estimateTokensIn,
  failureIn,
  garbled,
  inputReading,
  integerFrom,
  invalidField,
  isBoolean,
  jsonOf,
  modelNamed,
  objectOf,
  requiredModel,
  WholeJsonWatch,
} from '../../../kernel/toolkit/operation/index.js'

export default function create(): Operation {
  return {
    name: 'rerank',
    check,
    named: modelNamed,
    limits: () => ({ maxOutput: 0 }),
    estimate(wire) {
      const { query, documents } = jsonOf(wire)
      return { input: estimateTokensIn(query) + estimateTokensIn(documents) }
    },
    readReply,
    watch: () => new WholeJsonWatch(readReply),
  }
}

function check(body: Body): RequestedOptions {
  const fields = jsonOf(body)
  const model = requiredModel(fields.model)
  const { query = null, documents = null } = fields
  if (!isTextOrObject(query)) throw invalidField('query', 'must be a string or an object')
  if (!Array.isArray(documents) || !documents.every(isTextOrObject)) {
    throw invalidField('documents', 'must be an array of strings or objects')
  }
  if (documents.length === 0) throw invalidField('documents', 'must not be empty')
  checkFields(fields, rules)
  return { model, stream: false, wantsUsage: false }
}

const rules = {
  top_n: integerFrom(0, limits.tokensMax),
  return_documents: isBoolean,
  max_chunk_per_doc: integerFrom(0, limits.tokensMax),
  overlap_tokens: integerFrom(0, limits.tokensMax),
}

function isTextOrObject(value: Json): boolean {
  return typeof value === 'string' || isObject(value)
}

function readReply(body: JsonObject): ReplyReading {
  const failure = failureIn(body) ?? (Array.isArray(body.results) ? undefined : garbled())
  if (failure !== undefined) return { estimatedTokens: 0, failure }
  return inputReading(usageOf(body), ['total_tokens', 'prompt_tokens', 'input_tokens'])
}

/** Jina sends usage at the top; others keep Cohere's place for it. */
function usageOf({ usage, meta }: JsonObject): Json | undefined {
  return objectOf(usage) ?? objectOf(meta)?.tokens
}

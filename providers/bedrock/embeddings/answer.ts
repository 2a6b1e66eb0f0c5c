/** Vectors out of whatever form a model answers in, and the tokens it counted in its body or in a header. */
import type { Body } from '../../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import { objectsOf, replyObject } from '../../../kernel/toolkit/json/index.js'
import {
  countOf,
  embeddingList,
  garbled,
  isVector,
  jsonOf,
} from '../../../kernel/toolkit/operation/index.js'

export function embeddingAnswer(whole: WholeAnswer, requested: Body, model: string) {
  const body = replyObject(whole.body) ?? {}
  const vectors = vectorsIn(body)
  if (vectors === undefined) return { failure: garbled() }
  const list = embeddingList(model, vectors, jsonOf(requested).encoding_format)
  const tokens = countOf(body.inputTextTokenCount) ?? tokensIn(whole)
  const usage = tokens !== undefined && { prompt_tokens: tokens, total_tokens: tokens }
  return { json: { ...list, ...(usage && { usage }) } }
}

/** `{embedding}`, `{embeddings: […]}`, `{embeddings: {float: […]}}` and `{embeddings: [{embedding}]}`. */
function vectorsIn({ embedding, embeddings }: JsonObject): (readonly number[])[] | undefined {
  const listed = isObject(embeddings) ? embeddings.float : embeddings
  const wrapped = objectsOf(listed).map((one) => one.embedding)
  const found: readonly (Json | undefined)[] =
    embedding !== undefined ? [embedding] : wrapped.length > 0 ? wrapped : listOf(listed)
  return found.length > 0 && found.every(isSomeVector) ? [...found] : undefined
}

function isSomeVector(value: Json | undefined): value is readonly number[] {
  return isVector(value) && value.length > 0
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function tokensIn({ headers }: WholeAnswer): number | undefined {
  const header = headers['x-amzn-bedrock-input-token-count'] ?? ''
  return /^\d{1,12}$/.test(header) ? Number(header) : undefined
}

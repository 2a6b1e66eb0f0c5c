/** Rerank by `/v2/rerank`, which reads texts only and never sends them back. */

import type { Body } from '../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { replyObject } from '../../kernel/toolkit/json/index.js'
import { garbled, jsonOf } from '../../kernel/toolkit/operation/index.js'
import { callTo, fail } from './call.js'

export const rerank: OwnOperationAdapter = {
  format: 'own',
  shape: (body) => ({ kind: 'json', value: request(jsonOf(body)) }),
  address: callTo('/v2/rerank'),
  answer,
  fail,
}

const ownFields = ['top_n', 'max_tokens_per_doc', 'priority'] as const

function request(requested: JsonObject): JsonObject {
  const { model, query, documents } = requested
  if (typeof query !== 'string') throw notExpressible('query')
  const reported = ownFields.filter(
    (field) => requested[field] !== undefined && requested[field] !== null,
  )
  return {
    model,
    query,
    documents: listOf(documents).map(documentText),
    ...Object.fromEntries(reported.map((field) => [field, requested[field]])),
  }
}

/** A document of several fields as YAML, which its guide recommends; JSON values are YAML. */
function documentText(document: Json): string {
  if (typeof document === 'string') return document
  if (!isObject(document) || document.image !== undefined) throw notExpressible('documents')
  const fields = Object.entries(document)
  const [[name, value] = []] = fields
  if (fields.length === 1 && name === 'text' && typeof value === 'string') return value
  return fields.map(([field, value]) => `${field}: ${JSON.stringify(value)}`).join('\n')
}

/** Searches are billed by the piece and no tokens are reported: the gateway counts itself. */
function answer({ body }: WholeAnswer, sent: Body, model: string) {
  const reported = replyObject(body) ?? {}
  if (!Array.isArray(reported.results)) return { failure: garbled() }
  const { documents, return_documents } = jsonOf(sent)
  const texts = return_documents === true ? listOf(documents).map(documentText) : undefined
  const results = reported.results.filter(isObject).map((result) => withDocument(result, texts))
  return { json: { ...reported, model, results } }
}

function withDocument(result: JsonObject, texts: readonly string[] | undefined): JsonObject {
  const text = texts?.[Number(result.index)]
  return text === undefined ? result : { ...result, document: { text } }
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

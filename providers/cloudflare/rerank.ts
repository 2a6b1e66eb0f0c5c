/** Rankings by the models that read texts only, and return places and scores, best first. */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { objectOf, objectsOf, present } from '../../kernel/toolkit/json/index.js'
import { jsonOf } from '../../kernel/toolkit/operation/index.js'
import { failureOf, resultOf, run } from './run.js'

export const rerank: OwnOperationAdapter = {
  format: 'own',
  serves: (_channel, model) => isReranker(model),
  shape: (body) => ({ kind: 'json', value: inputOf(jsonOf(body)) }),
  refuses: (wire) => lost.filter((field) => wire[field] !== undefined),
  ...run,
  answer,
}

/** `@cf/baai/bge-reranker-base`, the one model there is. */
export function isReranker(model: string): boolean {
  return /\/bge-reranker-/.test(model)
}

/** How to cut a document is not for a client to say here. */
const lost = ['max_chunk_per_doc', 'overlap_tokens'] as const

function inputOf(requested: JsonObject): JsonObject {
  const { query = null, max_chunk_per_doc, overlap_tokens } = requested
  return present({
    query: textOf(query, 'query'),
    contexts: textsOf(requested).map((text) => ({ text })),
    top_k: mostOf(requested),
    max_chunk_per_doc: max_chunk_per_doc ?? undefined,
    overlap_tokens: overlap_tokens ?? undefined,
  })
}

function textsOf({ documents }: JsonObject): readonly string[] {
  return Array.isArray(documents) ? documents.map((document) => textOf(document, 'documents')) : []
}

/** Other fields than a text have no place here. */
function textOf(value: Json, field: string): string {
  const { text, ...more } = isObject(value) ? value : { text: value }
  if (typeof text !== 'string' || Object.keys(more).length > 0) throw notExpressible(field)
  return text
}

/** The least is one. */
function mostOf({ top_n: most }: JsonObject): Json | undefined {
  if (most === 0) throw notExpressible('top_n')
  return most ?? undefined
}

function answer(
  whole: WholeAnswer,
  sent: Body,
  model: string,
): Answered | { readonly failure: Failure } {
  const result = resultOf(whole)
  if (!Array.isArray(result?.response)) return { failure: failureOf(whole) }
  const requested = jsonOf(sent)
  const texts = requested.return_documents === true ? textsOf(requested) : []
  const results = objectsOf(result.response).map(({ id, score }) => {
    const text = texts[Number(id)]
    return { index: id, relevance_score: score, ...(text !== undefined && { document: { text } }) }
  })
  return { json: present({ model, results, usage: objectOf(result.usage) }) }
}

/** Rerank as this server names it on the way out, and in the form clients know on the way back. */

import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import { replyObject } from '../../kernel/toolkit/json/index.js'
import { garbled } from '../../kernel/toolkit/operation/index.js'

/** It counts chunks under another name, knows no overlap, and hands on to the model what it does not know. */
export function spellRanking(wire: JsonObject): JsonObject {
  const { documents, max_chunk_per_doc: chunks, overlap_tokens, ...rest } = wire
  const texts = Array.isArray(documents) && documents.some(isObject)
  if (!texts && chunks === undefined && overlap_tokens === undefined) return wire
  return {
    ...rest,
    documents: texts ? documents.map(textOf) : documents,
    ...(chunks !== undefined && { max_chunks_per_doc: chunks }),
  }
}

/** The text of a document that has nothing else; any other is the server's to understand. */
function textOf(document: Json): Json {
  if (!isObject(document) || Object.keys(document).length !== 1) return document
  return typeof document.text === 'string' ? document.text : document
}

export function answerRanking({ body }: WholeAnswer) {
  const reported = replyObject(body) ?? {}
  if (!Array.isArray(reported.results)) return { failure: garbled() }
  return { json: { ...reported, results: reported.results.filter(isObject).map(result) } }
}

/** Documents come as bare texts, as objects, or as nothing. */
function result({ document, ...rest }: JsonObject): JsonObject {
  if (document === undefined || document === null) return rest
  return { ...rest, document: typeof document === 'string' ? { text: document } : document }
}

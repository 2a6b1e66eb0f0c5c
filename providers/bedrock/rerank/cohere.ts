/** Ranking by Cohere's models and InvokeModel, which takes either kind of key (docs.cohere.com, Cohere on Bedrock, 2026-11-27). */
import type { Body } from '../../../kernel/contract/body.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../../kernel/contract/provider.js'
import { objectsOf, present, replyObject } from '../../../kernel/toolkit/json/index.js'
import { garbled, jsonOf } from '../../../kernel/toolkit/operation/index.js'
import { fail } from '../fail.js'
import { invoke } from '../invoke.js'
import { modelBehind } from '../model.js'
import { documentsOf, documentText, queryOf, rankingOf } from './documents.js'

export const cohereRerank: OwnOperationAdapter = {
  format: 'own',
  serves: (channel, model) => /cohere\.rerank/.test(modelBehind(channel, model)),
  shape: (body) => ({ kind: 'json', value: request(jsonOf(body)) }),
  address: invoke,
  answer,
  fail,
}

const apiVersion = 2

function request(requested: JsonObject): JsonObject {
  const { top_n, max_tokens_per_doc } = requested
  return present({
    api_version: apiVersion,
    query: queryOf(requested),
    documents: documentsOf(requested).map(documentText),
    top_n: top_n ?? undefined,
    max_tokens_per_doc: max_tokens_per_doc ?? undefined,
  })
}

/** Searches are billed by the piece and no tokens are reported: the gateway counts itself. */
function answer({ body }: WholeAnswer, requested: Body, model: string) {
  const { results } = replyObject(body) ?? {}
  if (!Array.isArray(results)) return { failure: garbled() }
  const ranked = objectsOf(results).map(({ index, relevance_score: score }) => ({ index, score }))
  return { json: rankingOf(jsonOf(requested), model, ranked) }
}

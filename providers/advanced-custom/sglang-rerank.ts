/** Rerank behind the converter `jina_rerank_to_sglang`: asked alike, answered by a bare list in which a score is a `score`. */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { notExpressible, upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { numberOf, objectsOf, present, replyObject } from '../../kernel/toolkit/json/index.js'
import { garbled, jsonOf } from '../../kernel/toolkit/operation/index.js'
import { callOf } from './call.js'
import type { Table } from './table.js'

export function sglangRerank(table: Table): OwnOperationAdapter {
  const find = table({ operation: 'rerank', form: 'sglang' })
  return {
    format: 'own',
    serves: (channel, model, client) => find(channel, model, client) !== undefined,
    shape(body) {
      const { query, documents, ...rest } = jsonOf(body)
      if (typeof query !== 'string') throw notExpressible('query')
      const texts = Array.isArray(documents) ? documents.map(textOf) : []
      return { kind: 'json', value: { ...rest, query, documents: texts } }
    },
    address: (_wire, channel, credentials, context) =>
      callOf(find(channel, context.model, context.client), channel, credentials, context),
    answer({ body }, requested) {
      const results = listIn(body)?.map(ranked)
      if (results === undefined || results.includes(undefined)) return { failure: garbled() }
      return { json: { results: ordered(results as Ranked[], jsonOf(requested)) } }
    },
    fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
  }
}

/** The text of a document that has nothing else. */
function textOf(document: Json): string {
  const isOnlyText = isObject(document) && Object.keys(document).length === 1
  const text = isOnlyText ? document.text : document
  if (typeof text !== 'string') throw notExpressible('documents')
  return text
}

/** The list, read by the rules for objects. */
function listIn(body: Buffer): readonly JsonObject[] | undefined {
  const list = replyObject(Buffer.concat([Buffer.from('{"list":'), body, Buffer.from('}')]))?.list
  return Array.isArray(list) && list.every(isObject) ? objectsOf(list) : undefined
}

interface Ranked {
  readonly index: number
  readonly relevance_score: number
  readonly document?: Json
}

function ranked({ index, score, document }: JsonObject): Ranked | undefined {
  const [place, relevance_score] = [numberOf(index), numberOf(score)]
  if (place === undefined || relevance_score === undefined) return undefined
  return { index: place, relevance_score, document }
}

/** Best first, as many as were asked for, documents only where they were. */
function ordered(
  results: readonly Ranked[],
  { top_n, return_documents: withTexts }: JsonObject,
): JsonObject[] {
  const most = numberOf(top_n) ?? results.length
  return results
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
    .slice(0, most)
    .map(({ index, relevance_score, document }) => {
      const text =
        withTexts === true && typeof document === 'string' ? { text: document } : undefined
      return present<JsonObject>({ index, relevance_score, document: text })
    })
}

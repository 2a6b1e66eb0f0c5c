/** Embeddings behind a route of Gemini's own paths: one text by `embedContent`, many by `batchEmbedContents`, and back. */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import {
  failureOfError,
  notExpressible,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'
import { objectsOf, present, replyObject } from '../../kernel/toolkit/json/index.js'
import { embeddingList, isVector, jsonOf } from '../../kernel/toolkit/operation/index.js'
import { callOf } from './call.js'
import type { Table } from './table.js'

const wanted = { operation: 'embeddings', form: 'geminiEmbedding' } as const

export function geminiEmbeddings(table: Table): OwnOperationAdapter {
  const find = table(wanted)
  const findOne = table({ ...wanted, many: false })
  const findMany = table({ ...wanted, many: true })
  return {
    format: 'own',
    takes: ['task_type', 'title'],
    serves: (channel, model, client) => find(channel, model, client) !== undefined,
    shape(body, channel, model) {
      const requested = jsonOf(body)
      const texts = textsIn(requested.input)
      const fitting = texts.length > 1 ? findMany : findOne
      const many = fitting(channel, model)?.many === true
      if (texts.length > 1 && !many) throw notExpressible('input')
      const requests = texts.map((text) => requestFor(text, requested, model))
      return { kind: 'json', value: many ? { requests } : (requests[0] ?? {}) }
    },
    address(wire, channel, credentials, context) {
      const many = wire.kind === 'json' && wire.value.requests !== undefined
      const route = (many ? findMany : findOne)(channel, context.model)
      return callOf(route, channel, credentials, context)
    },
    answer({ body }, requested, model) {
      const vectors = vectorsIn(replyObject(body) ?? {})
      if (vectors === undefined) return { failure: failureOfError({}, 200) }
      return { json: embeddingList(model, vectors, jsonOf(requested).encoding_format) }
    },
    fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
  }
}

/** Tokens of another maker's vocabulary mean nothing here. */
function textsIn(input: Json | undefined): readonly string[] {
  const texts = Array.isArray(input) ? input : [input]
  if (!texts.every((text) => typeof text === 'string')) throw notExpressible('input')
  return texts
}

function requestFor(
  text: string,
  { dimensions, task_type, title }: JsonObject,
  model: string,
): JsonObject {
  return present<JsonObject>({
    model: `models/${model}`,
    content: { parts: [{ text }] },
    outputDimensionality: dimensions,
    taskType: task_type,
    title,
  })
}

function vectorsIn({ embedding, embeddings }: JsonObject) {
  const found = isObject(embedding) ? [embedding] : objectsOf(embeddings)
  const vectors = found.map(({ values }) => values)
  const sound = vectors.length > 0 && vectors.every(isSomeVector)
  return sound ? (vectors as (readonly number[])[]) : undefined
}

function isSomeVector(values: Json | undefined): boolean {
  return isVector(values) && values.length > 0
}

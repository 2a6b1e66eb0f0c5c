/**
 * Text embeddings by `predict`, in the form clients know
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/text-embeddings-api).
 */
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { failureOfError, notExpressible } from '../../kernel/toolkit/errors/index.js'
import { embeddingList, isVector, splitMember } from '../../kernel/toolkit/operation/index.js'
import { fail } from './fail.js'
import { bareName, isEmbedding } from './model.js'
import { instancesOf, type Outcome, predict, predictionsOf } from './predict.js'

export const embeddings: OwnOperationAdapter = {
  format: 'own',
  takes: ['task_type', 'title'],
  serves: (_channel, model) => isEmbedding(model),
  shape: (body) => ({ kind: 'json', value: prediction(instancesOf(body)) }),
  split: (wire, model) => splitMember(wire, 'instances', textsAtOnce(model)),
  address: predict,
  answer: (whole, body, model) => answered(whole, instancesOf(body), model),
  fail,
}

/** Texts that one call may hold (docs.cloud.google.com, text-embeddings-api; its bound of tokens is not counted). */
function textsAtOnce(model: string): number {
  return bareName(model).startsWith('gemini-embedding') ? 1 : 250
}

/** `task_type` and `title` are this service's own; clients add them where they know whom they talk to. */
function prediction({ input, dimensions, task_type, title }: JsonObject): JsonObject {
  const instances = textsOf(input).map((content) => ({
    content,
    ...(task_type !== undefined && { task_type }),
    ...(title !== undefined && { title }),
  }))
  if (dimensions === undefined || dimensions === null) return { instances }
  return { instances, parameters: { outputDimensionality: dimensions } }
}

/** Tokens of another maker's vocabulary mean nothing here. */
function textsOf(input: Json | undefined): readonly string[] {
  const texts = typeof input === 'string' ? [input] : input
  if (!Array.isArray(texts) || !texts.every((one) => typeof one === 'string')) {
    throw notExpressible('input')
  }
  return texts
}

function answered(whole: WholeAnswer, requested: JsonObject, model: string): Outcome {
  const found = predictionsOf(whole).map(({ embeddings: reported }) =>
    isObject(reported) ? reported : {},
  )
  const vectors = found.map(({ values }) => values)
  if (vectors.length === 0 || !vectors.every(isVector)) return { failure: failureOfError({}, 200) }
  const list = embeddingList(model, vectors, requested.encoding_format)
  return { json: { ...list, ...usageOf(found) } }
}

/** Absent where the service counted nothing: the gateway's estimate stands for it then. */
function usageOf(found: readonly JsonObject[]): JsonObject {
  const counts = found.map(({ statistics }) =>
    isObject(statistics) ? statistics.token_count : undefined,
  )
  if (!counts.every((count) => typeof count === 'number')) return {}
  const tokens = counts.reduce((sum, count) => sum + count, 0)
  return { usage: { prompt_tokens: tokens, total_tokens: tokens } }
}

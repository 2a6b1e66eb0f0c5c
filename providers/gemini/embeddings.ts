/** Embeddings: one text by `embedContent`, several by `batchEmbedContents`, and back to the form clients know. */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { failureOfError, notExpressible } from '../../kernel/toolkit/errors/index.js'
import { numberOf, objectsOf, replyObject } from '../../kernel/toolkit/json/index.js'
import {
  embeddingList,
  isVector,
  jsonOf,
  splitMember,
} from '../../kernel/toolkit/operation/index.js'
import { bareName, modelCall } from './address.js'
import { fail } from './fail.js'

export const embeddings: OwnOperationAdapter = {
  format: 'own',
  takes: ['task_type', 'title'],
  shape: (body, _channel, model) => ({ kind: 'json', value: request(jsonOf(body), model) }),
  split: (wire) => splitMember(wire, 'requests', textsAtOnce),
  address(wire, channel, credentials, context) {
    const isBatch = wire.kind === 'json' && wire.value.requests !== undefined
    const verb = isBatch ? 'batchEmbedContents' : 'embedContent'
    return modelCall({ model: context.model, verb }, channel, credentials, context)
  },
  answer,
  fail,
}

/** Texts that one batch may hold (github.com/geldata/gel/issues/9032). */
const textsAtOnce = 100

function request(requested: JsonObject, model: string): JsonObject {
  const { input } = requested
  const one = (text: string): JsonObject => ({
    model: `models/${bareName(model)}`,
    content: { parts: [{ text }] },
    ...optionsOf(requested),
  })
  if (typeof input === 'string') return one(input)
  return { requests: textsOf(input).map(one) }
}

/** `task_type` and `title` are this service's own; clients add them where they know whom they talk to. */
function optionsOf({ dimensions, task_type, title }: JsonObject): JsonObject {
  return {
    ...(dimensions !== undefined && { outputDimensionality: dimensions }),
    ...(task_type !== undefined && { taskType: task_type }),
    ...(title !== undefined && { title }),
  }
}

/** Tokens of another maker's vocabulary mean nothing here. */
function textsOf(input: Json | undefined): readonly string[] {
  if (!Array.isArray(input) || !input.every(isText)) throw notExpressible('input')
  return input
}

function isText(value: Json): value is string {
  return typeof value === 'string'
}

function answer(
  whole: WholeAnswer,
  sent: Body,
  model: string,
): Answered | { readonly failure: Failure } {
  const body = replyObject(whole.body) ?? {}
  const requested = jsonOf(sent)
  const vectors = vectorsOf(body)
  if (vectors === undefined) return { failure: failureOfError({}, 200) }
  const list = embeddingList(model, vectors, requested.encoding_format)
  return { json: { ...list, ...usageOf(body) } }
}

function vectorsOf({
  embedding,
  embeddings: several,
}: JsonObject): (readonly number[])[] | undefined {
  const found = isObject(embedding) ? [embedding] : objectsOf(several)
  const vectors = found.map(({ values }) => values)
  return vectors.length > 0 && vectors.every(isSomeVector) ? vectors : undefined
}

function isSomeVector(values: Json | undefined): values is readonly number[] {
  return isVector(values) && values.length > 0
}

/** Most models report no counts; then the gateway's estimate is billed. */
function usageOf({ usageMetadata }: JsonObject): JsonObject {
  const reported = isObject(usageMetadata) ? numberOf(usageMetadata.promptTokenCount) : undefined
  return reported === undefined
    ? {}
    : { usage: { prompt_tokens: reported, total_tokens: reported } }
}

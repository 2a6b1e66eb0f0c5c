/** Embeddings: one text by `embedContent`, several by `batchEmbedContents`, and back to the form clients know. */
import type { Body } from '../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { failureOfError } from '../../kernel/toolkit/errors/index.js'
import { bareName, modelCall } from './address.js'
import { fail } from './fail.js'
import { bodyOf, count, fieldsOf, type Outcome, objects } from './reading.js'
import { notExpressible } from './refuse.js'

export const embeddings: OwnOperationAdapter = {
  format: 'own',
  takes: ['task_type', 'title'],
  shape: (body, _channel, model) => ({ kind: 'json', value: request(fieldsOf(body), model) }),
  address(wire, channel, credentials, context) {
    const isBatch = wire.kind === 'json' && wire.value.requests !== undefined
    const verb = isBatch ? 'batchEmbedContents' : 'embedContent'
    return modelCall({ model: context.model, verb }, channel, credentials, context)
  },
  answer,
  fail,
}

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

function answer(whole: WholeAnswer, sent: Body, model: string): Outcome {
  const body = bodyOf(whole)
  const requested = fieldsOf(sent)
  const vectors = vectorsOf(body)
  if (vectors === undefined) return { failure: failureOfError({}, 200) }
  const encode =
    requested.encoding_format === 'base64' ? base64 : (values: readonly number[]) => values
  const data = vectors.map((values, index) => ({
    object: 'embedding',
    index,
    embedding: encode(values),
  }))
  return { json: { object: 'list', data, model, ...usageOf(body) } }
}

function vectorsOf({ embedding, embeddings: several }: JsonObject): number[][] | undefined {
  const found = isObject(embedding) ? [embedding] : objects(several)
  const vectors = found.map(({ values }) => values)
  return vectors.length > 0 && vectors.every(isVector) ? vectors : undefined
}

function isVector(values: Json | undefined): values is number[] {
  return (
    Array.isArray(values) && values.length > 0 && values.every((one) => typeof one === 'number')
  )
}

/** Little-endian floats of 32 bits, as clients unpack them. */
function base64(values: readonly number[]): string {
  const bytes = Buffer.allocUnsafe(values.length * 4)
  values.forEach((value, index) => {
    bytes.writeFloatLE(value, index * 4)
  })
  return bytes.toString('base64')
}

/** Most models report no counts; then the gateway's estimate is billed. */
function usageOf({ usageMetadata }: JsonObject): JsonObject {
  const reported = isObject(usageMetadata) ? count(usageMetadata.promptTokenCount) : undefined
  return reported === undefined
    ? {}
    : { usage: { prompt_tokens: reported, total_tokens: reported } }
}

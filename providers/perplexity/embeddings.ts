/**
 * Embeddings by `/v1/embeddings`: vectors come as signed bytes in base64, which clients of OpenAI would unpack as floats of 32 bits.
 * They get numbers, or those floats packed.
 */
import type { Body } from '../../kernel/contract/body.js'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { garbled, notExpressible, upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { numberOf, objectsOf, present, replyObject } from '../../kernel/toolkit/json/index.js'
import { embeddingList, jsonOf, objectOf } from '../../kernel/toolkit/operation/index.js'
import { bearerCall } from '../../kernel/toolkit/provider/index.js'

export const embeddings: OwnOperationAdapter = {
  format: 'own',
  shape: (body) => ({ kind: 'json', value: request(jsonOf(body)) }),
  address: bearerCall('/v1/embeddings'),
  answer,
  fail: (status, headers, head) => upstreamFailure({ status, headers, head }),
}

function request({ model, input, dimensions }: JsonObject): JsonObject {
  if (!areTexts(input)) throw notExpressible('input')
  return present<JsonObject>({
    model,
    input,
    dimensions: dimensions === null ? undefined : dimensions,
    encoding_format: 'base64_int8',
  })
}

/** Tokens of another vocabulary mean nothing here. */
function areTexts(input: Json | undefined): boolean {
  const inputs = Array.isArray(input) ? input : [input]
  return inputs.every((one) => typeof one === 'string')
}

function answer({ body }: WholeAnswer, sent: Body, model: string) {
  const reported = replyObject(body) ?? {}
  const vectors = inOrder(objectsOf(reported.data)).map(vectorOf)
  if (vectors.length === 0 || vectors.some(({ length }) => length === 0)) {
    return { failure: garbled() }
  }
  const { prompt_tokens, total_tokens } = objectOf(reported.usage) ?? {}
  const list = embeddingList(model, vectors, jsonOf(sent).encoding_format)
  const usage = present<JsonObject>({ prompt_tokens, total_tokens })
  return { json: { ...list, ...(prompt_tokens !== undefined && { usage }) } }
}

function inOrder(data: readonly JsonObject[]): readonly JsonObject[] {
  return [...data].sort((one, other) => (numberOf(one.index) ?? 0) - (numberOf(other.index) ?? 0))
}

/** From -128 to 127 as they are: their direction is what is compared, and no length was promised. */
function vectorOf({ embedding }: JsonObject): readonly number[] {
  if (typeof embedding !== 'string') return []
  return [...new Int8Array(Buffer.from(embedding, 'base64'))]
}

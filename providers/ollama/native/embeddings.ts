/** Embeddings by `/api/embed`, which takes the size of the context, and back to the form clients know. */
import type { Body } from '../../../kernel/contract/body.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { WholeAnswer } from '../../../kernel/contract/operation.js'
import type { ChannelView, OwnOperationAdapter } from '../../../kernel/contract/provider.js'
import { notExpressible } from '../../../kernel/toolkit/errors/index.js'
import { present, replyObject } from '../../../kernel/toolkit/json/index.js'
import {
  countOf,
  embeddingList,
  garbled,
  isVector,
  jsonOf,
} from '../../../kernel/toolkit/operation/index.js'
import { callTo } from '../call.js'
import { fail } from '../fail.js'
import { configured, defaultsOf, isGiven } from './requested.js'

export const embeddings: OwnOperationAdapter = {
  format: 'own',
  serves: configured,
  takes: ['truncate', 'keep_alive'],
  shape: (body, channel) => ({ kind: 'json', value: request(jsonOf(body), channel) }),
  address: callTo('/api/embed'),
  answer,
  fail,
}

function request(requested: JsonObject, channel: ChannelView): JsonObject {
  const { model, input, dimensions, truncate, keep_alive: lasting } = requested
  const { num_ctx, keep_alive } = defaultsOf(channel)
  if (!areTexts(input)) throw notExpressible('input')
  return present<JsonObject>({
    model,
    input,
    dimensions: isGiven(dimensions) ? dimensions : undefined,
    truncate: isGiven(truncate) ? truncate : undefined,
    keep_alive: isGiven(lasting) ? lasting : keep_alive,
    options: num_ctx === undefined ? undefined : { num_ctx },
  })
}

/** Tokens of another vocabulary mean nothing here. */
function areTexts(input: Json | undefined): boolean {
  const inputs = Array.isArray(input) ? input : [input]
  return inputs.every((one) => typeof one === 'string')
}

function answer({ body }: WholeAnswer, sent: Body, model: string) {
  const { embeddings: vectors, prompt_eval_count } = replyObject(body) ?? {}
  if (!Array.isArray(vectors) || !vectors.every(isSomeVector)) return { failure: garbled() }
  const list = embeddingList(model, vectors, jsonOf(sent).encoding_format)
  const counted = countOf(prompt_eval_count)
  const usage = counted === undefined ? {} : { prompt_tokens: counted, total_tokens: counted }
  return { json: { ...list, ...(counted !== undefined && { usage }) } }
}

function isSomeVector(values: Json): values is readonly number[] {
  return isVector(values) && values.length > 0
}

/** Embeddings by `/v2/embed`, which requires their purpose, and back to the form clients know. */
import type { Body } from '../../kernel/contract/body.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type { ChannelView, OwnOperationAdapter } from '../../kernel/contract/provider.js'
import { notExpressible } from '../../kernel/toolkit/errors/index.js'
import { replyObject } from '../../kernel/toolkit/json/index.js'
import {
  countOf,
  embeddingList,
  garbled,
  isVector,
  jsonOf,
  objectOf,
  splitMember,
} from '../../kernel/toolkit/operation/index.js'
import { callTo, fail } from './call.js'

export const embeddings: OwnOperationAdapter = {
  format: 'own',
  shape: (body, channel) => ({ kind: 'json', value: request(jsonOf(body), channel) }),
  split,
  address: callTo('/v2/embed'),
  answer,
  fail,
}

/** Texts, or inputs, that one call may hold (docs.cohere.com/reference/embed). */
const textsAtOnce = 96

function split(wire: Body): readonly Body[] {
  const member = jsonOf(wire).texts === undefined ? 'inputs' : 'texts'
  return splitMember(wire, member, textsAtOnce)
}

/** Fields of its own that a client who knows the service may send along. */
const ownFields = ['input_type', 'truncate', 'max_tokens', 'priority'] as const

function request(requested: JsonObject, { settings }: ChannelView): JsonObject {
  const { model, input, dimensions } = requested
  const reported = ownFields.filter((field) => requested[field] !== undefined)
  return {
    model,
    input_type: settings.input_type ?? 'search_document',
    embedding_types: ['float'],
    ...inputsOf(input),
    ...(dimensions !== undefined && { output_dimension: dimensions }),
    ...Object.fromEntries(reported.map((field) => [field, requested[field]])),
  }
}

/** Texts alone where there is nothing else: older models know no other inputs. */
function inputsOf(input: Json | undefined): JsonObject {
  const list = Array.isArray(input) ? input : [input]
  if (list.every((item) => typeof item === 'string')) return { texts: list }
  return { inputs: list.map((item) => ({ content: [contentOf(item)] })) }
}

/** Objects with `text` or `image`, as clients of embeddings with images write them. */
function contentOf(item: Json): JsonObject {
  if (typeof item === 'string') return { type: 'text', text: item }
  const { text, image } = isObject(item) ? item : {}
  if (typeof text === 'string' && image === undefined) return { type: 'text', text }
  if (typeof image !== 'string' || text !== undefined) throw notExpressible('input')
  return { type: 'image_url', image_url: { url: image } }
}

function answer({ body }: WholeAnswer, sent: Body, model: string) {
  const reported = replyObject(body) ?? {}
  const vectors = objectOf(reported.embeddings)?.float
  if (!Array.isArray(vectors) || !vectors.every(isSomeVector)) return { failure: garbled() }
  const list = embeddingList(model, vectors, jsonOf(sent).encoding_format)
  const usage = usageOf(objectOf(objectOf(reported.meta)?.billed_units) ?? {})
  return { json: { ...list, ...(usage !== undefined && { usage }) } }
}

function isSomeVector(values: Json): values is readonly number[] {
  return isVector(values) && values.length > 0
}

/** Undefined where nothing was billed by tokens: the gateway then counts for itself. */
function usageOf(billed: JsonObject): JsonObject | undefined {
  const texts = countOf(billed.input_tokens)
  const images = countOf(billed.image_tokens)
  if (texts === undefined && images === undefined) return undefined
  const total = (texts ?? 0) + (images ?? 0)
  return {
    prompt_tokens: total,
    total_tokens: total,
    ...(images !== undefined && { prompt_tokens_details: { image_tokens: images } }),
  }
}

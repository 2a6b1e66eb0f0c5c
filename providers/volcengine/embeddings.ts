/**
 * Embeddings of models that read pictures: typed parts in, one vector out, given as an object instead of a list. Several
 * texts would come back as one vector, so each has a call of its own.
 */

import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { failureOfError, notExpressible } from '../../kernel/toolkit/errors/index.js'
import { replyObject } from '../../kernel/toolkit/json/index.js'
import { pick } from './fail.js'

export function shape(body: Body): Body {
  const value = body.kind === 'json' ? body.value : {}
  return { kind: 'json', value: { ...value, input: partsOf(value.input) } }
}

/** The parts of one thing; several texts stay texts until they are split. */
function partsOf(input: Json | undefined): Json {
  if (typeof input === 'string') return [textPart(input)]
  const items: readonly Json[] = Array.isArray(input) ? input : []
  if (items.length > 0 && items.every((item) => typeof item === 'string')) {
    return items.length === 1 ? items.map(textPart) : items
  }
  if (items.length > 0 && items.every(isObject)) return items
  throw notExpressible('input')
}

export function split(wire: Body): readonly Body[] {
  const value = wire.kind === 'json' ? wire.value : {}
  const items: readonly Json[] = Array.isArray(value.input) ? value.input : []
  const texts = items.filter((item) => typeof item === 'string')
  if (texts.length === 0) return [wire]
  return texts.map((text) => ({ kind: 'json', value: { ...value, input: [textPart(text)] } }))
}

function textPart(text: string): JsonObject {
  return { type: 'text', text }
}

export function answer(
  { body }: WholeAnswer,
  _asked: Body,
  model: string,
): Answered | { readonly failure: Failure } {
  const reported = replyObject(body) ?? {}
  const { data, usage } = reported
  const vector = isObject(data) ? data : Array.isArray(data) ? data[0] : undefined
  if (!isObject(vector) || vector.embedding === undefined) {
    return { failure: failureOfError(pick(reported) ?? {}, 502) }
  }
  return {
    json: {
      object: 'list',
      data: [{ ...vector, object: 'embedding', index: 0 }],
      model: typeof reported.model === 'string' ? reported.model : model,
      ...(isObject(usage) && { usage }),
    },
  }
}

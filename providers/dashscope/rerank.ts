/** Rerank by the service's own interface: the query in `input`, the options in `parameters`, the results in `output`. */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject, type JsonObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { failureOfError } from '../../kernel/toolkit/errors/index.js'
import { pick } from './fail.js'

export function shape(body: Body): Body {
  const { model, query, documents, ...parameters } = body.kind === 'json' ? body.value : {}
  return { kind: 'json', value: { model, input: { query, documents }, parameters } }
}

export function answer(
  { body }: WholeAnswer,
  _asked: Body,
  model: string,
): Answered | { readonly failure: Failure } {
  const reported = parsed(body)
  const results = isObject(reported.output) ? reported.output.results : undefined
  if (!Array.isArray(results)) return { failure: failureOfError(pick(reported) ?? {}, 502) }
  const { usage, request_id: id } = reported
  return {
    json: {
      ...(typeof id === 'string' && { id }),
      model,
      results,
      ...(isObject(usage) && { usage }),
    },
  }
}

function parsed(bytes: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

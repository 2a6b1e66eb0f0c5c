/** Rerank by the service's own interface: the query in `input`, the options in `parameters`, the results in `output`. */
import type { Body } from '../../kernel/contract/body.js'
import type { Failure } from '../../kernel/contract/failure.js'
import { isObject } from '../../kernel/contract/json.js'
import type { Answered, WholeAnswer } from '../../kernel/contract/operation.js'
import { failureOfError } from '../../kernel/toolkit/errors/index.js'
import { replyObject } from '../../kernel/toolkit/json/index.js'
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
  const reported = replyObject(body) ?? {}
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

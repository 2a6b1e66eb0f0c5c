/** How this service refuses: `{detail}`, one sentence, with the fields at fault beside it where they are known. */

import { isObject, type Json, type JsonObject } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import {
  type ErrorFields,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'

export const fail: Adapter['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head }, pick)

function pick(body: JsonObject): ErrorFields | undefined {
  const { detail, errors } = body
  const [first] = Array.isArray(errors) ? errors : Array.isArray(detail) ? detail : []
  if (!isObject(first) && typeof detail !== 'string') return nestedError(body)
  const { message, msg, field } = isObject(first) ? first : {}
  return { message: text(detail) ?? text(message) ?? text(msg), param: fieldName(text(field)) }
}

/** As in `body -> jina-embeddings-v3 -> encoding_format`. */
function fieldName(path: string | undefined): string | undefined {
  return path?.split('->').at(-1)?.trim()
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

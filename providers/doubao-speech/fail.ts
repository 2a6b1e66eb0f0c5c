/** How this service refuses: `{code, message}`, alone or in `header`, with a status or inside a 200. */
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import {
  type ErrorFields,
  failureOfError,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'
import { objectOf, textOf } from '../../kernel/toolkit/json/index.js'
import { meaningOf } from './error-codes.js'

export const fail: Adapter['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head }, pick)

/** The error in a line of an answer; undefined: it is none. */
export function failureIn(line: JsonObject): Failure | undefined {
  const { code } = errorIn(line)
  if (code === 0 || code === undefined) return undefined
  return failureOfError(pick(line) ?? {}, knownIn(line)?.status ?? 502)
}

function pick(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(errorIn(body))
  const known = knownIn(body)
  if (known === undefined) return fields
  const { blame, param } = known
  return { ...fields, blame, ...(param !== undefined && { param }) }
}

function knownIn(body: JsonObject) {
  const { code, message } = errorIn(body)
  return meaningOf(code, textOf(message) ?? '')
}

function errorIn(body: JsonObject): JsonObject {
  return objectOf(body.header) ?? body
}

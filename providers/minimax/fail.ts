/** How this service refuses: `{type: "error", error: {type, message}}`, the number of the error at the message's end. */
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import { failureOfError, nestedError, upstreamFailure } from '../../kernel/toolkit/errors/index.js'
import { errorOf } from './codes.js'

/** An error it hides in a whole answer of status 200. */
export function failureIn(body: JsonObject): Failure | undefined {
  const result = errorOf(body)
  return result === undefined ? undefined : failureOfError(result, result.status ?? 200)
}

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return upstreamFailure({ status, headers, head }, (body) => errorOf(body) ?? nestedError(body))
}

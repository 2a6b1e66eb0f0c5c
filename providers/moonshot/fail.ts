/**
 * How this service refuses: `{error: {type, message}}`. One 429 is not about the account but about the service's own
 * load.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import {
  type ErrorFields,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'

export function fail(
  status: number,
  headers: Readonly<Record<string, string>>,
  head: Buffer,
): Failure {
  return upstreamFailure({ status, headers, head }, pick)
}

function pick(body: JsonObject): ErrorFields | undefined {
  const fields = nestedError(body)
  return fields?.type === 'engine_overloaded_error' ? { ...fields, blame: 'upstream' } : fields
}

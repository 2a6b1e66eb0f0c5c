/**
 * How this service refuses: `{error: {message, type, param, code}}` with a status that mostly shows whose fault it is. A
 * model it does not have is answered as 400, like a mistake of the client's.
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
  const isUnknownModel = /^model not exist/i.test(fields?.message ?? '')
  return isUnknownModel ? { ...fields, blame: 'channel' } : fields
}

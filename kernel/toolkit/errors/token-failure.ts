/**
 * What a token service refuses of a key: `{error, error_description}` (RFC 6749, 5.2), or the error of the vendor's other services. It
 * is the operator's to mend and named for the operator; a client has no part in it.
 */
import type { Failure } from '../../contract/failure.js'
import type { JsonObject } from '../../contract/json.js'
import type { WholeAnswer } from '../../contract/operation.js'
import { someText } from '../json/fields.js'
import {
  type ErrorFields,
  failureOfError,
  nestedError,
  upstreamFailure,
} from './upstream-failure.js'

/** Never throws, and never blames a client. */
export function tokenFailure({ status, headers, body }: WholeAnswer): Failure {
  const isRefused = status >= 400 && status < 500
  const failure = upstreamFailure({ status, headers, head: body }, (error) => ({
    ...tokenError(error),
    ...(isRefused && { blame: 'channel' }),
  }))
  // A body that is no JSON was not asked whose fault it is.
  return failure.blame === 'client' ? failureOfError({ blame: 'channel' }, status) : failure
}

/** Behind the first line of a description stand ids and the time. */
function tokenError(body: JsonObject): ErrorFields {
  const { error, error_description: description } = body
  if (typeof error !== 'string') return nestedError(body) ?? {}
  const [message] = (someText(description) ?? '').split(/[\r\n]| Trace ID:/)
  return { message, code: error }
}

/**
 * How this service refuses: `{code, message, status}`, with a status of 400 for much that only the maker of the app
 * can put right.
 */
import type { Failure } from '../../kernel/contract/failure.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import {
  type ErrorFields,
  failureOfError,
  nestedError,
  upstreamFailure,
} from '../../kernel/toolkit/errors/index.js'
import { blames } from './error-codes.js'

export const fail: Adapter['fail'] = (status, headers, head) =>
  asClients(upstreamFailure({ status, headers, head }, pick))

/** An error in the middle of a stream carries its status itself. */
export function failureOfEvent(event: JsonObject): Failure {
  const { status } = event
  return asClients(failureOfError(pick(event) ?? {}, typeof status === 'number' ? status : 500))
}

/** `status` is no code here, so only the words of the error are read. */
function pick({ code, message }: JsonObject): ErrorFields | undefined {
  const fields = nestedError({ code, message })
  const blame = blames.get(fields?.code ?? '')
  return blame === undefined ? fields : { ...fields, blame }
}

/** A file that is too large for the store comes as a 503. */
function asClients(failure: Failure): Failure {
  return failure.blame === 'client' && failure.status >= 500 ? { ...failure, status: 413 } : failure
}

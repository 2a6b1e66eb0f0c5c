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

export const fail: Adapter['fail'] = (status, headers, head) =>
  upstreamFailure({ status, headers, head }, pick)

/** An error in the middle of a stream carries its status itself. */
export function failureOfEvent(event: JsonObject): Failure {
  const { status } = event
  return failureOfError(pick(event) ?? {}, typeof status === 'number' ? status : 500)
}

const blames: Readonly<Record<string, Failure['blame']>> = {
  app_unavailable: 'channel',
  not_chat_app: 'channel',
  provider_not_initialize: 'channel',
  provider_quota_exceeded: 'channel',
  model_currently_not_support: 'channel',
  completion_request_error: 'upstream',
}

/** `status` is no code here, so only the words of the error are read. */
function pick({ code, message }: JsonObject): ErrorFields | undefined {
  const fields = nestedError({ code, message })
  const blame = blames[fields?.code ?? '']
  return blame === undefined ? fields : { ...fields, blame }
}

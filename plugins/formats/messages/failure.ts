/**
 * Errors in the words of the messages format: what an upstream's error event means as a failure, and how an error of
 * the gateway is written for a client of this format (ERR-1).
 */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { ClientError } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { failureOfError, Refusal } from '../../../kernel/toolkit/errors/index.js'

/** Status each error word stands for where no HTTP status came with it. */
const statuses: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

/** An error inside a stream or a 200 body (M14). An unknown type adds nothing to the status 200. */
export function streamFailure(error: Json | undefined): Failure {
  const { type, message } = isObject(error) ? error : {}
  const known = typeof type === 'string' && Object.hasOwn(statuses, type)
  const reported = typeof message === 'string' ? { message } : {}
  return known
    ? failureOfError({ ...reported, type }, statuses[type]!)
    : failureOfError(reported, 200)
}

/** The upstream sent something this format cannot read. */
export function unreadable(): Failure {
  const reason = 'its answer is not in the messages format.'
  return failed(new Refusal('upstream_error', { reason }))
}

function failed({ code, message }: Refusal): Failure {
  return { blame: 'upstream', status: 200, code, message }
}

export function encodeError(given: ClientError): { status: number; body: JsonObject } {
  const { status, message, param, code } = given
  const reported = { type: errorType(given), message, param, code }
  const error = param === 'thread' ? { ...reported, details: noThreads } : reported
  return { status, body: { type: 'error', error } }
}

/** On this word the maker's own client sends the whole conversation instead of its thread. */
const noThreads = { error_code: 'thread_unsupported_request' }

const ownTypes = new Set(Object.keys(statuses))

/** Clients branch on these types; what the format has no type for is an `api_error`, or follows its status. */
function errorType({ type, status }: ClientError): string {
  if (status === 413) return 'request_too_large'
  if (status === 504) return 'timeout_error'
  if (ownTypes.has(type)) return type
  const named = Object.entries(statuses).find(([, known]) => known === status)
  return named?.[0] ?? (status >= 400 && status < 500 ? 'invalid_request_error' : 'api_error')
}

/**
 * Errors in the words of this format: what an upstream's error, blocked prompt or nonsense means as a failure, and how
 * an error of the gateway is written for a client (ERR-1).
 */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { ClientError } from '../../../kernel/contract/format.js'
import { isObject, type Json, type JsonObject } from '../../../kernel/contract/json.js'
import { failureOfError, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { objectOf, objectsOf, someText } from './fields.js'

/** The service's word for each status, as its own mapping of errors to HTTP has it. */
const words: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
}

const statuses: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.entries(words).map(([status, word]) => [word, Number(status)])),
  FAILED_PRECONDITION: 400,
  OUT_OF_RANGE: 400,
  ALREADY_EXISTS: 409,
  UNAVAILABLE: 503,
  UNKNOWN: 500,
  DATA_LOSS: 500,
}

export function encodeError(error: ClientError): { status: number; body: JsonObject } {
  const { code } = error
  return { status: error.status, body: { error: { code, ...fieldsOf(error) } } }
}

/**
 * A stream has no HTTP status for what happened: the makers' clients look for it in `code`, as a number, and take anything
 * else for a piece of the answer. The gateway's own word then stands where the service has one of its own for machines.
 */
export function streamError(error: ClientError): JsonObject {
  const { status, code } = error
  const info = { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code }
  return { error: { code: status, ...fieldsOf(error), details: [info] } }
}

function fieldsOf({ message, status, type, param }: ClientError): JsonObject {
  const word = words[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL')
  return { message, status: word, type, param }
}

/** The failure a body or a chunk is in truth (M14); undefined for a proper one. */
export function failureIn(body: JsonObject): Failure | undefined {
  const { error, promptFeedback } = body
  if (isObject(error) || someText(error) !== undefined) return errorFailure(error)
  const reason = someText(objectOf(promptFeedback)?.blockReason)
  return reason === undefined ? undefined : blocked(reason)
}

/** What is wrong with a whole reply: an error in disguise, a blocked prompt, or nothing this format knows. */
export function failureOfReply(body: JsonObject): Failure | undefined {
  return failureIn(body) ?? (objectsOf(body.candidates).length > 0 ? undefined : unreadable())
}

function errorFailure(error: Json | undefined): Failure {
  const { code, status, message } = objectOf(error) ?? { message: error }
  const word = someText(status) ?? ''
  const reported = Number(code)
  const known = Number.isInteger(reported) && reported >= 400 && reported <= 599
  const worded = Object.hasOwn(statuses, word) ? statuses[word]! : 200
  return failureOfError({ message: someText(message), type: word }, known ? reported : worded)
}

/** The prompt itself is at fault: no other channel would take it. */
function blocked(reason: string): Failure {
  const word = /^[A-Z_]{1,64}$/.test(reason) ? reason : 'OTHER'
  return {
    blame: 'client',
    status: 400,
    code: 'prompt_blocked',
    message: `The upstream blocked the prompt: ${word}.`,
    type: 'invalid_request_error',
  }
}

/** The upstream sent something this format cannot read. */
export function unreadable(): Failure {
  const reason = 'its answer is not in the generative format.'
  return failed(new Refusal('upstream_error', { reason }))
}

function failed({ code, message }: Refusal): Failure {
  return { blame: 'upstream', status: 200, code, message }
}

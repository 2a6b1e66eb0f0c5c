/** Errors in the responses format: how they are written for clients, and what an upstream's error inside a 200 or a stream means. */
import type { Failure } from '../../../kernel/contract/failure.js'
import type { ClientError } from '../../../kernel/contract/format.js'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { failureOfError, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { objectOf, textOf } from './fields.js'

export function encodeError(error: ClientError): { status: number; body: JsonObject } {
  return { status: error.status, body: { error: nested(error) } }
}

/**
 * The event of an error in the middle of a stream. Its fields stand at the top, as the format has them, and nested as
 * in a body, where the common client library looks for them.
 */
export function errorEvent(error: ClientError, sequence: number): JsonObject {
  const { code, message, param } = error
  return { type: 'error', code, message, param, sequence_number: sequence, error: nested(error) }
}

function nested({ message, type, param, code }: ClientError): JsonObject {
  return { message, type, param, code }
}

/** The failure an `error` event, a failed response or an error body amounts to (M14). */
export function failureIn(wire: JsonObject): Failure {
  const response = objectOf(wire.response)
  const error = objectOf(response?.error) ?? objectOf(wire.error)
  const reported = error ?? wire
  const fields = {
    message: textOf(reported.message) ?? textOf(wire.error),
    code: textOf(reported.code),
    // At the top the type names the event.
    type: error === undefined ? undefined : textOf(error.type),
    param: textOf(reported.param),
  }
  return failureOfError(fields, statusOf(reported, `${fields.type ?? ''} ${fields.code ?? ''}`))
}

/** A whole reply that is an error in truth, or nothing this format knows. */
export function failureOfReply(body: JsonObject): Failure | undefined {
  const { error, status, object, output } = body
  if (isGiven(error) || status === 'failed') return failureIn(body)
  return object === 'response' || Array.isArray(output) ? undefined : unreadable()
}

function isGiven(error: Json | undefined): boolean {
  return objectOf(error) !== undefined || (typeof error === 'string' && error !== '')
}

/** The upstream sent something this format cannot read. */
export function unreadable(): Failure {
  const reason = 'its answer is not in the responses format.'
  return failed(new Refusal('upstream_error', { reason }))
}

function failed({ code, message }: Refusal): Failure {
  return { blame: 'upstream', status: 502, code, message }
}

/** No HTTP status comes with these errors: a status as code, else the words for it. */
function statusOf({ status, code }: JsonObject, words: string): number {
  const reported = [status, code]
    .map(Number)
    .find((one) => Number.isInteger(one) && one >= 400 && one <= 599)
  return reported ?? wordedStatuses.find(([pattern]) => pattern.test(words))?.[1] ?? 502
}

const wordedStatuses: readonly (readonly [pattern: RegExp, status: number])[] = [
  [/quota|billing|balance/i, 402],
  [/rate.?limit|too.?many/i, 429],
  [/api.?key|authenticat|unauthor/i, 401],
  [/permission|forbidden|access.?denied|residency/i, 403],
  [/model.?not.?found|no.?such.?model/i, 404],
  [/overload|unavailable/i, 503],
  [/timeout/i, 504],
  [/server.?error|internal/i, 500],
  [/invalid|image|context.?length|polic(y|ies)|filter|unsupported|too.?large|not.?found/i, 400],
]

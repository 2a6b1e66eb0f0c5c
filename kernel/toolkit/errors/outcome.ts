/**
 * Refusals and failures, one made into the other: inside the attempt loop everything that went wrong is a value, and
 * at the edge that value becomes the error the client receives.
 */

import type { Failure } from '../../contract/failure.js'
import type { ClientError } from '../../contract/format.js'
import type { Failed } from '../../contract/line/attempt.js'
import type { Received } from '../../contract/line/record.js'
import { catalogue, Refusal, type RefusalCode, type RefusalDetails } from './refusal.js'

/** A refusal as the outcome of a stage. `retry`: another channel may still be able to take the request. */
export function refused(code: RefusalCode, details: RefusalDetails = {}, retry = false): Failed {
  return { failure: failureOf(new Refusal(code, details)), retry }
}

/** What a stage returned is its failure. */
export function isFailed(outcome: object): outcome is Failed {
  return 'failure' in outcome
}

/** The failure a refusal amounts to: the client receives it, nothing was relayed. */
export function failureOf(refusal: Refusal): Failure {
  const { status, code, message, type, param } = refusal
  return { blame: status < 500 ? 'client' : 'channel', status, code, message, type, param }
}

/** What ends an answer under way: its words stay true where something was delivered and is charged. */
export function midwayFailure(code: RefusalCode): Failure {
  const entry = catalogue[code]
  const failure = failureOf(new Refusal(code))
  return 'midway' in entry && entry.midway !== undefined
    ? { ...failure, message: entry.midway }
    : failure
}

/** Tells the client in its own format what went wrong, in place of an answer. */
export function answerError({ format, sink }: Received, error: ClientError): void {
  const { status, body } = format.encodeError(error)
  sink.note({ code: error.code })
  const headers = { ...error.headers, 'content-type': 'application/json' }
  sink.send(status, headers, JSON.stringify(body))
}

/**
 * The error a client receives for a failure. The channel's status mapping changes the returned code only, and is looked
 * up by the upstream's original status (CHAN-1, CHAN-2). Every error has a body, so a target that cannot carry one is
 * passed over.
 */
export function toClientError(
  failure: Failure,
  mapping: Readonly<Record<string, number>> = {},
): ClientError {
  // Formats of others are not checked at run time.
  const entry = catalogue[failure.code] ?? catalogue.upstream_error
  const mapped = isUpstreams(failure) ? mapping[String(failure.status)] : undefined
  const status = carrying(mapped) ?? failure.clientStatus ?? clientStatus(failure, entry.status)
  const headers = comeAgain(failure, status)
  return {
    status,
    message: failure.message,
    type: failure.type || entry.type,
    param: failure.param ?? '',
    code: failure.clientCode ?? failure.code,
    ...(headers !== undefined && { headers }),
  }
}

/** RFC 9110: answers of 1xx, 204 and 304 end with their headers, and one of 205 has no content. */
function carrying(status: number | undefined): number | undefined {
  const isBare = status === undefined || status < 200 || [204, 205, 304].includes(status)
  return isBare ? undefined : status
}

/** The status is the upstream's own: what the gateway itself refuses, short of quota say, is no channel's to rename. */
function isUpstreams({ code }: Failure): boolean {
  return code.startsWith('upstream_') || code === 'channel:invalid_key'
}

/** A client that shall try again later is sent the time: of a budget too, which comes back by itself. */
function comeAgain({ retryAfterMs, code }: Failure, status: number) {
  if (retryAfterMs === undefined) return undefined
  const later = status === 429 || status === 503 || code === 'pre_consume_token_quota_failed'
  if (!later) return undefined
  return { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) }
}

/**
 * An upstream's 401 is about the operator's key, not the client's, so it never reaches the client as 401. What a
 * client can act on keeps its status: its own mistakes, 429, and the two that mean "later".
 */
function clientStatus(failure: Failure, catalogued: number): number {
  if (!failure.code.startsWith('upstream_')) return catalogued
  const { blame, status } = failure
  if (blame === 'client' && status >= 400 && status < 500) return status
  if (status === 429 || status === 503) return status
  return status === 529 ? 503 : catalogued === 504 ? 504 : 502
}

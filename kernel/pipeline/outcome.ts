/**
 * Refusals and failures, one made into the other: inside the attempt loop everything that went wrong is a value, and
 * at the edge that value becomes what the client is told.
 */
import type { Failed } from '../contract/exchange.js'
import type { Failure } from '../contract/failure.js'
import type { ClientError } from '../contract/format.js'
import { catalogue, Refusal, type RefusalCode, type RefusalDetails } from '../errors.js'

/** A refusal as the outcome of a stage. `retry`: another channel may still be able to take the request. */
export function refused(code: RefusalCode, details: RefusalDetails = {}, retry = false): Failed {
  return { failure: failureOf(new Refusal(code, details)), retry }
}

/** The failure a refusal amounts to: the client is told, nothing was relayed. */
export function failureOf(refusal: Refusal): Failure {
  const { status, code, message, type, param } = refusal
  return { blame: status < 500 ? 'client' : 'channel', status, code, message, type, param }
}

/** The upstream refused, broke or fell silent: may another channel be tried (failures.md S18)? */
export function mayRetry(failure: Failure): boolean {
  if (failure.blame === 'client') return false
  return failure.status !== 504 && failure.status !== 524
}

/**
 * What the client is told of a failure. The channel's status mapping changes the returned code only, and is looked
 * up by the upstream's original status (CHAN-1, CHAN-2).
 */
export function toClientError(
  failure: Failure,
  mapping: Readonly<Record<string, number>> = {},
): ClientError {
  const entry = catalogue[failure.code as RefusalCode] ?? catalogue.upstream_error
  return {
    status: mapping[String(failure.status)] ?? clientStatus(failure, entry.status),
    message: failure.message,
    type: failure.type || entry.type,
    param: failure.param ?? '',
    code: failure.code,
  }
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

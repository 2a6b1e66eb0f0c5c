/** Carries a failure out of the reading of a reply. */
import type { Usage } from '../../../kernel/contract/event.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import {
  EgressError,
  failureOf,
  internalFailure,
  Refusal,
} from '../../../kernel/toolkit/errors/index.js'

export class FailureError extends Error {
  constructor(
    readonly failure: Failure,
    /** What the upstream reported before, and charges for. */
    readonly usage?: Usage,
    options?: ErrorOptions,
  ) {
    super(failure.message, options)
  }
}

/** The failure behind anything thrown while a reply was read. */
export function failureFrom(error: unknown): Failure {
  if (error instanceof FailureError || error instanceof EgressError) return error.failure
  return error instanceof Refusal ? failureOf(error) : internalFailure()
}

/** The same failure, of an upstream that had reported this. */
export function reporting(error: unknown, usage: Usage | undefined): unknown {
  return usage === undefined ? error : new FailureError(failureFrom(error), usage, { cause: error })
}

/** A limit of our own ran out: no status came, so another channel may be tried at once (S6, S18). */
export function timeout(limit: string): FailureError {
  const failure = failureOf(new Refusal('upstream_timeout', { limit }))
  return new FailureError({ ...failure, blame: 'upstream', status: 0 })
}

/** The upstream's answer makes no sense or broke off: its fault, and another may do better. */
export function brokenReply(code: 'upstream_broke_off' | 'upstream_too_large'): FailureError {
  return new FailureError({ ...failureOf(new Refusal(code)), blame: 'upstream', status: 502 })
}

export function garbledReply(reason: string): FailureError {
  const failure = failureOf(new Refusal('upstream_error', { reason }))
  return new FailureError({ ...failure, blame: 'upstream', status: 502 })
}

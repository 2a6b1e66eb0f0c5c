/**
 * Why an upstream call came to nothing, as an error that carries the failure ready for the attempt loop. No address,
 * key or text of the upstream stands in it; the cause is for the log.
 */
import type { Failure } from '../../contract/failure.js'
import { Refusal, type RefusalCode, type RefusalDetails } from './refusal.js'

export class EgressError extends Error {
  constructor(
    readonly failure: Failure,
    options?: ErrorOptions,
  ) {
    super(failure.message, options)
    this.name = 'EgressError'
  }
}

/** How far the call had come: not yet on a connection, written, or answered with headers. */
export type Progress = 'connecting' | 'waiting' | 'answered'

export function addressRefused(cause: string): EgressError {
  return made('channel:address_refused', { blame: 'channel' }, {}, new Error(cause))
}

export function tooLarge(): EgressError {
  return made('upstream_too_large', { status: 502 })
}

/** The gateway itself has no room for the answer: nobody else is at fault, and no other channel helps. */
export function noRoom(): EgressError {
  const reported = { blame: 'client', status: 503, retryAfterMs: 1000 } as const
  return made('no_room_for_answer', reported, { seconds: 1 })
}

export function callCancelled(): EgressError {
  return made('client_gone', { blame: 'client', status: 499 })
}

/** The whole call took longer than it may. */
export function timedOut(): EgressError {
  return made('upstream_timeout', {}, { limit: 'the whole call' })
}

/** Nothing but blanks, comments and empty events came for too long. */
export function noContent(): EgressError {
  return made('upstream_timeout', {}, { limit: 'silence within the answer' })
}

/** The answer came in a coding the gateway did not ask for (S11). */
export function unsupportedEncoding(): EgressError {
  const reason = 'its answer is compressed although that was not asked for.'
  return made('upstream_error', { status: 502 }, { reason })
}

/** Makes sense of what undici, node:net and node:tls report. */
export function egressError(error: Error, progress: Progress): EgressError {
  if (error instanceof EgressError) return error
  const code = 'code' in error ? String(error.code) : ''
  const limit = limitNames[code]
  if (limit !== undefined) return made('upstream_timeout', {}, { limit }, error)
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return made('upstream_too_large', {}, {}, error)
  if (progress === 'connecting') return made('upstream_unreachable', {}, {}, error)
  const status = progress === 'answered' ? 502 : 0
  return made('upstream_broke_off', { status }, {}, error)
}

const limitNames: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'connecting',
  UND_ERR_HEADERS_TIMEOUT: 'response headers',
  UND_ERR_BODY_TIMEOUT: 'silence within the answer',
}

/** The upstream is to blame and gave no status, unless `facts` state otherwise. */
function made(
  code: RefusalCode,
  facts: Partial<Failure>,
  details: RefusalDetails = {},
  cause?: Error,
): EgressError {
  const { message, type, param } = new Refusal(code, details)
  const failure: Failure = { blame: 'upstream', status: 0, code, message, type, param, ...facts }
  return new EgressError(failure, { cause })
}

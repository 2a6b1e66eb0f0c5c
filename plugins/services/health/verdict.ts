/** What a failure means for the channel it came from. */
import type { Failure } from '../../../kernel/contract/failure.js'

/** Longest time a Retry-After is heeded for. */
const parkMsMax = 600_000

/** Statuses that mean "later". */
const later = new Set([429, 503, 529])

/** The codes of `channel:` for how a call to the upstream went; the others come before any call. */
const channelCodes = new Set(['channel:invalid_key', 'channel:address_refused'])

/** It came from the upstream or the way there, and the client is not to blame: all that counts for a channel. */
export function isConclusive({ blame, code }: Failure): boolean {
  return blame !== 'client' && (code.startsWith('upstream_') || channelCodes.has(code))
}

/** How long the upstream requests no further calls, milliseconds; 0: it does not. */
export function parkMs({ status, retryAfterMs = 0 }: Failure): number {
  return later.has(status) ? Math.min(retryAfterMs, parkMsMax) : 0
}

/** A rate limit that was announced, and is kept, is no sign of trouble. */
export function isPace(failure: Failure): boolean {
  return failure.status === 429 && parkMs(failure) > 0
}

/** For the operator: status and, masked, the upstream's own words. */
export function reasonOf({ status, upstreamMessage: text, message }: Failure): string {
  const words = text || message
  return status > 0 ? `Status ${status}: ${words}` : words
}

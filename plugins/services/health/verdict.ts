/** What a failure says about the channel it came from. */
import type { Failure } from '../../../kernel/contract/failure.js'

/** Longest time a Retry-After is heeded for. */
const parkMsMax = 600_000

/** Statuses that mean "later". */
const later = new Set([429, 503, 529])

/** The codes of `channel:` that say how a call to the upstream went; the others come before any call. */
const channelCodes = new Set(['channel:invalid_key', 'channel:address_refused'])

/** It came from the upstream or the way there, and the client is not to blame: all that says anything of a channel. */
export function isConclusive({ blame, code }: Failure): boolean {
  return blame !== 'client' && (code.startsWith('upstream_') || channelCodes.has(code))
}

/** How long the upstream asks to be left alone, milliseconds; 0: it does not. */
export function parkMs({ status, retryAfterMs = 0 }: Failure): number {
  return later.has(status) ? Math.min(retryAfterMs, parkMsMax) : 0
}

/** A pace that was told, and is kept to, is no sign of trouble. */
export function isPace(failure: Failure): boolean {
  return failure.status === 429 && parkMs(failure) > 0
}

/** For the operator: status and, masked, the upstream's own words. */
export function reasonOf({ status, upstreamMessage: text, message }: Failure): string {
  const words = text || message
  return status > 0 ? `Status ${status}: ${words}` : words
}

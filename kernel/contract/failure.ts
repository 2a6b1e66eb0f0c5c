/**
 * What went wrong on the way to or from an upstream, as a value. A provider makes one out of an answer it does not
 * like; the gateway makes one when a limit of its own runs out. Blame decides what happens next (S18):
 * `client` is reported to the client and never retried, `channel` and `upstream` move on to the next channel.
 */
import type { ErrorCode } from './error-code.js'

export interface Failure {
  /** client: the request is at fault; channel: this key, quota or address; upstream: the service behind it. */
  readonly blame: 'client' | 'channel' | 'upstream'
  /** The upstream's original HTTP status; 0 when no answer came. Retry decisions read this one (CHAN-2). */
  readonly status: number
  /** Code of the error catalogue: of a provider nearly always `upstream_rejected` or `upstream_error`. */
  readonly code: ErrorCode
  /** A safe sentence for the client: no key, no address, no raw upstream body (ERR-2). */
  readonly message: string
  /** The upstream's own word for the kind of error, when it is safe and short. Absent: the catalogue's. */
  readonly type?: string
  /** The request field the upstream named. Absent: none. */
  readonly param?: string
  /** How long the upstream requests no further calls, in milliseconds. Absent: it named no time. */
  readonly retryAfterMs?: number
  /** The upstream's own words, masked and cut, for the operator and its rules: never sent to the client. Absent: none. */
  readonly upstreamMessage?: string
  /** Under which the upstream's own support finds the call. Absent: it named none. */
  readonly upstreamRequestId?: string
  /** The status the client is sent, whatever the upstream's. Absent: it follows from the code. */
  readonly clientStatus?: number
  /** The code sent to the client, as the operator names it. Absent: `code`. */
  readonly clientCode?: string
}

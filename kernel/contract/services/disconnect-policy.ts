/** How long an upstream call outlives its reader. */
import type { Sink } from '../sink.js'

/** Decides how long an upstream call outlives its reader (M9, M11), and ends calls when the gateway stops. */
export interface DisconnectPolicy {
  watch(options: DisconnectOptions): DisconnectWatch
}

export interface DisconnectOptions {
  readonly sink: Sink
  /** `drain`: read on within limits, so that the upstream's own count can be billed; `abort`: end the call at once. */
  readonly policy: 'drain' | 'abort'
  /** Called at most once, when the call is to end now. */
  end(reason: 'clientGone' | 'stopping'): void
  /** The client left and the call goes on unread. */
  drain?(): void
}

export interface DisconnectWatch {
  /** Bytes read since the client left; past the bound the call ends. */
  read(bytes: number): void
  /** The call is over; nothing is called any more. */
  release(): void
}

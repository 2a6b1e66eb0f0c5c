/**
 * The client's side of a relayed request. It alone touches the raw response: head, request id, CORS, errors and the
 * access log line. A client that leaves is a state (`gone`), never an exception.
 */
import type { RequestId } from './names.js'

export interface Sink {
  readonly requestId: RequestId
  /** The head is on its way; nothing may be retried from here on (S17). */
  readonly started: boolean
  /** The client left before the answer was complete. */
  readonly gone: boolean
  /** Called once, at once if the client is gone already. One listener; a later one replaces the earlier. */
  onGone(listener: () => void): void
  /**
   * Sends status and headers; hop-by-hop and malformed ones are dropped (ERR-3), and of those of `headers` what only an upstream
   * knows. `own`: what the gateway itself states. Event streams are flushed per write.
   */
  head(
    status: number,
    headers: Readonly<Record<string, string>>,
    own?: Readonly<Record<string, string>>,
  ): void
  /** False: the client is slow; wait for `onDrain` before writing more. Writing to a gone client is ignored. */
  write(chunk: Buffer): boolean
  /** One listener; a later one replaces the earlier. */
  onDrain(listener: () => void): void
  end(): void
  /** Cuts the connection: what was begun cannot be completed. */
  destroy(): void
  /** Head and whole body in one write. */
  send(
    status: number,
    headers: Readonly<Record<string, string>>,
    body: Buffer | string,
    own?: Readonly<Record<string, string>>,
  ): void
  /** Tells one watcher of everything that is sent from now on. Absent: it cannot be watched. */
  watch?(watcher: SinkWatcher): void
  /** Adds fields to the one access log line of this request. */
  note(fields: Readonly<Record<string, unknown>>): void
}

/** What a client is sent, for whoever keeps it. */
export interface SinkWatcher {
  /** Names and values in turn. */
  head(status: number, headers: readonly string[]): void
  bytes(chunk: Buffer | string): void
  /** Once and last. `gone`: the client left before the end. */
  closed(gone: boolean): void
}

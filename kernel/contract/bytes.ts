/** Sources of bytes and ends of sockets, as whoever opened them hands them on. */

import type { Failure } from './failure.js'
import type { Sink } from './sink.js'

export interface Frame {
  readonly bytes: Buffer
  /** Text otherwise. */
  readonly binary: boolean
}

/** One end of a WebSocket. Pings, time limits and the closing handshake are its own business. */
export interface FrameSocket {
  /** Starts the flow. A later consumer replaces the earlier. */
  consume(consumer: FrameConsumer): void
  /** False: the other side does not keep up; wait for `drained`. Once the socket closes nothing is sent any more. */
  send(bytes: Buffer, binary: boolean): boolean
  /** No frame comes until `resume`. */
  pause(): void
  resume(): void
  /** Sends a close frame and ends, whether or not the other side answers. Frames that still come are dropped. */
  close(code: number, reason: string): void
}

export interface FrameConsumer {
  frame(bytes: Buffer, binary: boolean): void
  /** The other side has caught up. */
  drained(): void
  /** Once and last. 1006: the connection broke or fell silent. */
  closed(code: number): void
}

/** A client that requested a WebSocket. Until it is accepted it can be refused like any other. */
export interface SocketSink extends Sink {
  /** Answers 101. Undefined: the client has left. */
  accept(): FrameSocket | undefined
  /** Called once, when the gateway begins to stop. One listener; a later one replaces the earlier. */
  onStopping(listener: () => void): void
}

/** The room of one request in the process; everything in it is given back when the request is over (decision 0060). */
export interface ByteRoom {
  /** Bytes held now. */
  readonly held: number
  /** More than this is never held for one body, however little else is. */
  readonly largestBytes: number
  /** Holds so many bytes more. False, and nothing changed: there is no room for them now. */
  add(bytes: number): boolean
  /** Gives back what is above these bytes. */
  keep(bytes: number): void
}

/** A pushing source of bytes: undici's dispatch with a face. Exactly one consumer, attached once. */
export interface ByteSource {
  /** Bytes there will be, as far as its sender declared that. */
  readonly declaredBytes?: number | undefined
  /** Starts the flow. `data` returns false to pause; `resume` goes on. Exactly one of `end` and `fail` comes last. */
  consume(consumer: ByteConsumer): void
  resume(): void
  /** Ends the upstream call now; no further callback comes. Safe to call twice. */
  abort(): void
}

export interface ByteConsumer {
  data(chunk: Buffer): boolean
  end(): void
  fail(failure: Failure): void
}

/** How an upstream answered: a stream of events, one whole answer, or a socket. */
import type { ByteSource, Frame, FrameSocket } from '../bytes.js'
import type { Event, Usage } from '../event.js'
import type { StreamWatch, Transform } from '../format.js'
import type { JsonObject } from '../json.js'
import type { SocketSession } from '../operation.js'

/** How an upstream answered once its first content was there. */
export type Reply = EventsReply | JsonReply | SocketReply

export interface EventsReply {
  readonly kind: 'events'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly source: ByteSource
  /** No error can be written in the middle: the connection is cut instead. Absent: the format has a way. */
  readonly binary?: boolean
  /** Bytes read before the first content was certain, as the watch or decoder released them. */
  readonly mode:
    | { readonly kind: 'verbatim'; readonly watch: StreamWatch; readonly head: readonly Buffer[] }
    | {
        readonly kind: 'converted'
        readonly decoder: Transform<Buffer, Event>
        readonly head: readonly Event[]
      }
}

/** An answer in one piece: JSON nearly always, the bytes of some media where an upstream wraps them. */
export interface JsonReply {
  readonly kind: 'json'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Ready for the client: the upstream's own bytes, or encoded in the client's format. */
  readonly bytes: Buffer
  readonly usage?: Usage
  readonly raw?: JsonObject
  readonly estimatedTokens: number
  /** The same as JSON where it was made here, so that a later request may refer to it. */
  readonly answer?: JsonObject
}

/** A WebSocket the upstream opened; frames go both ways until either side closes. */
export interface SocketReply {
  readonly kind: 'socket'
  readonly socket: FrameSocket
  readonly session: SocketSession
  /** What the upstream sent before the client was let in. */
  readonly head: readonly Frame[]
}

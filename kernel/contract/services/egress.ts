/** The way out of the process. */
import type { Socket } from 'node:net'
import type { ByteSource, FrameSocket } from '../bytes.js'

/** The only way out of the process (X1). */
export interface Egress {
  /**
   * Sends one request and resolves with status and headers; the body has not begun to flow. Rejects with an
   * `EgressError` that states which limit ran out or why the address was refused.
   */
  open(request: EgressRequest): Promise<EgressReply>
  /** Opens a WebSocket by the same rules. An upstream that refuses it is an answer; everything else rejects as above. */
  connect(request: EgressSocketRequest): Promise<EgressSocketReply>
  /** A TCP connection to a host an admin named, for protocols that are not HTTP. Rejects as above. */
  dial(host: string, port: number): Promise<Socket>
}

export interface EgressSocketRequest {
  /** Absolute ws(s) address. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly protocols: readonly string[]
  readonly namedBy: 'admin' | 'user'
  /** Milliseconds from the request to its answer. */
  readonly handshakeTimeoutMs: number
  /** Filled by `connect`: ends the attempt while it is under way. Afterwards the socket's own `close` does. */
  readonly cancel?: Cancel
  /** As of `EgressRequest`. */
  readonly proxy?: string
}

export type EgressSocketReply =
  | { readonly kind: 'open'; readonly socket: FrameSocket }
  | {
      readonly kind: 'refused'
      readonly status: number
      /** As of `EgressReply`. */
      readonly headers: Readonly<Record<string, string>>
      /** The beginning of the body. */
      readonly head: Buffer
    }

export interface EgressRequest {
  readonly method: string
  /** Absolute http(s) address. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer | string
  /** Who named the address: an admin's may be private while `ALLOW_PRIVATE_UPSTREAMS`, a user's never. */
  readonly namedBy: 'admin' | 'user'
  /** Milliseconds until response headers. */
  readonly headersTimeoutMs: number
  /** Longest time in the body without content, milliseconds. Blanks, comments and empty events are none. */
  readonly idleTimeoutMs: number
  /** Filled by `open`: ends the call while its headers are still awaited. Afterwards the body's own `abort` does. */
  readonly cancel?: Cancel
  /** Address of the proxy the call goes through, named by an admin: http, https or socks5. Absent: straight. */
  readonly proxy?: string
}

/** A place for the one who may end a call: `open` puts the way to do so here. */
export interface Cancel {
  abort?: () => void
}

export interface EgressReply {
  readonly status: number
  /** Lower case, last one wins; `set-cookie` and hop-by-hop headers are gone already. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ByteSource
  /** Unix milliseconds at which the request went onto a connection. Absent: unknown. */
  readonly sentAt?: number
}

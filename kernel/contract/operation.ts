/**
 * An operation is a relay besides chat: embeddings, images, speech and so on. It has one wire form, the one its clients
 * already speak; most upstreams take it as it is, and a provider whose upstream does not gives its own (`Adapter.shape`
 * and `answer`). Like a format it is pure, and it reads just enough to route and to bill.
 */

import type { Body } from './body.js'
import type { Usage } from './event.js'
import type { Failure } from './failure.js'
import type {
  ClientError,
  Limits,
  ReplyReading,
  RequestedOptions,
  RequestHints,
  StreamWatch,
} from './format.js'
import type { JsonObject } from './json.js'
import type { OperationName } from './names.js'

export interface Operation {
  readonly name: OperationName
  /** Its requests are media tasks: the client gets a task, and fetches what it made later. Only adapters of the form `task` serve it. */
  readonly task?: true
  /** Checks a client's body field by field; throws a `Refusal` that names the field. */
  check(body: Body, hints?: RequestHints): RequestedOptions
  /** The same body asking for another model; the same object where it already does. */
  named(body: Body, model: string): Body
  /**
   * The JSON of a stream, with usage requested where the client left that open; the same object where
   * nothing needs to change. Absent: usage cannot be requested.
   */
  requestUsage?(wire: JsonObject): JsonObject
  /** The name whose price this is, before the model's own. Absent: the model as the client named it. */
  priceName?(model: string): string
  limits(wire: Body): Limits
  /**
   * What the outgoing body will cost at least, for the hold, and for the charge where the upstream counts nothing: tokens
   * by character class, `quantity` for what is paid by the piece, `serverTools` for a surcharge.
   */
  estimate(wire: Body): Usage
  /** Usage and failure of a whole JSON answer. `wire` is what was sent. */
  readReply(body: JsonObject, wire: Body): ReplyReading
  /**
   * A whole answer as the client's body requested it, where the upstream ignored that; the same object where it fits.
   * Absent: the answer always matches the request.
   */
  fitted?(answer: JsonObject, requested: Body): JsonObject
  /**
   * Which addresses of a whole answer the client requested the bytes of. Absent, or nothing returned: the answer is as requested.
   * The gateway fetches them.
   */
  inlines?(answer: JsonObject, requested: Body): Inlining | undefined
  /** The answers of one request that was sent in parts (`Adapter.split`), in order, as one. Absent: it cannot be sent so. */
  joined?(answers: readonly JsonObject[]): JsonObject
  /** An answer that is no JSON, or a stream: passes as it is. `type` is its content type, lower case. */
  watch(type: string, wire: Body): OperationWatch
  /** Only for an operation over a WebSocket: what passes in one session, as far as money and safety need it. */
  session?(options: SessionOptions): SocketSession
}

export interface SessionOptions {
  /** The requested model, whose price is planned. */
  readonly model: string
  readonly upstreamModel: string
}

/** Watches one session over a WebSocket: many answers, one bill. */
export interface SocketSession {
  /** The first frame of the upstream: the failure it amounts to, while another channel may still be tried. */
  refusal(frame: Buffer): Failure | undefined
  /**
   * Called once for each frame of the client, in order. A promise: the frame is so large that it is read with turns for
   * others in between; the frames behind it wait for it.
   */
  fromClient(frame: Buffer): FrameVerdict | Promise<FrameVerdict>
  /** Called once for each frame of the upstream, in order. */
  fromUpstream(frame: Buffer): FrameVerdict
  /** An answer is being written. */
  readonly busy: boolean
  /** Output tokens of all answers, counted here as they come. Only grows. */
  readonly estimatedTokens: number
  /** What the upstream has counted so far. Only grows. */
  readonly confirmed: Usage
  /** The same and, estimated, what was delivered and is not counted yet. */
  readonly usage: Usage
  /** What the session will have used once the answers under way, or else the next one, have gone on by a step. */
  ahead(): Usage
  /** Counts of `usage` that stem from the local estimate. */
  readonly estimated: readonly string[]
  /** A report of the upstream was absurd and has been clamped (M21). */
  readonly anomaly: boolean
  /** Frames that cancel the answers the upstream is writing. */
  cancel(): readonly Buffer[]
  /** An error as a frame of this protocol (ERR-1). */
  encodeError(error: ClientError): Buffer
}

/** What becomes of a frame. `frame` goes on in its place where it had to be changed. */
export type FrameVerdict =
  | { readonly kind: 'pass'; readonly frame?: Buffer }
  /** An answer begins with it: the hold has to cover that answer. */
  | { readonly kind: 'begin'; readonly frame?: Buffer }
  /** It goes no further; its sender gets `answer`. */
  | { readonly kind: 'stop'; readonly answer?: Buffer }

/** What passes through without being understood, as far as billing needs it. */
export interface OperationWatch extends StreamWatch {
  /** No error can be written into the middle of it, e.g. audio: where it breaks, the connection is cut. */
  readonly binary: boolean
}

/** A whole answer of an upstream, before the client sees any of it. `replyObject` of the toolkit reads its JSON, large or small. */
export interface WholeAnswer {
  readonly status: number
  /** Lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * What a provider makes of an upstream's own answer: the operation's form, bytes of a media type, or a public address at which the
 * gateway fetches them. `type` of an address goes before the content type it is served with.
 */
export type Answered =
  | { readonly json: JsonObject }
  | { readonly bytes: Buffer; readonly type: string; readonly usage?: Usage }
  | { readonly url: string; readonly type?: string; readonly usage?: Usage }

/** Addresses in an answer whose bytes were requested. */
export interface Inlining {
  readonly urls: readonly string[]
  /** The answer with the bytes in the place of their addresses. @param files in the order of `urls` */
  filled(files: readonly Buffer[]): JsonObject
}

/**
 * An operation is a relay besides chat: embeddings, images, speech and so on. It has one wire form, the one its clients
 * already speak; most upstreams take it as it is, and a provider whose upstream does not gives its own (`Adapter.shape`
 * and `answer`). Like a format it is pure, and it reads just enough to route and to bill.
 */
import type { Usage } from './event.js'
import type { Body, OperationName } from './exchange.js'
import type { Asked, Limits, ReplyReading, Said, StreamWatch } from './format.js'
import type { JsonObject } from './json.js'

export interface Operation {
  readonly name: OperationName
  /** Checks a client's body field by field; throws a `Refusal` that names the field. */
  check(body: Body, said?: Said): Asked
  /** The same body asking for another model; the same object where it already does. */
  named(body: Body, model: string): Body
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
  /** An answer that is no JSON, or a stream: passes as it is. `type` is its content type, lower case. */
  watch(type: string, wire: Body): OperationWatch
}

/** What passes through without being understood, as far as billing needs it. */
export interface OperationWatch extends StreamWatch {
  /** Nothing can be told in the middle of it, e.g. audio: where it breaks, the connection is cut. */
  readonly binary: boolean
}

/** A whole answer of an upstream, before the client sees any of it. */
export interface WholeAnswer {
  readonly status: number
  /** Lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** What a provider makes of an upstream's own answer: the operation's form, or bytes of a media type. */
export type Answered =
  | { readonly json: JsonObject }
  | { readonly bytes: Buffer; readonly type: string; readonly usage?: Usage }

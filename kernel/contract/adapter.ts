/** What adapters of every form have in common: what they see of a channel, the calls they make, and how they fail. */

import type { Body } from './body.js'
import type { Call } from './call.js'
import type { Failure } from './failure.js'
import type { JsonObject } from './json.js'
import type { FormatName } from './names.js'
import type { WholeAnswer } from './operation.js'

/** The part of a channel a provider may see: never its key. */
export interface ChannelView {
  readonly id: number
  /** Number of the channel type in the manifest, the family's numbering. */
  readonly type: number
  /** Origin without version or trailing slash; the manifest's default already filled in. */
  readonly baseUrl: string
  /** The provider's own fields of this channel, declared as `channelSettings` in its manifest. */
  readonly settings: JsonObject
}

/** What authorises one call. `key` is one key of the channel; `token` what `authorize` exchanged it for. */
export interface Credentials {
  readonly key: string
  readonly token?: string
  /** Unix milliseconds at which `token` stops being good. */
  readonly expiresAt?: number
  /** The exchange spent the key: this one takes its place in the channel. */
  readonly renewedKey?: string
}

/** One outgoing HTTP call, complete. Header names are lower case. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Absolute, with query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Replaces the wire body; absent: the gateway serialises `wire`. */
  readonly body?: Buffer | string
}

/** What the client sent along that a provider may forward: an allow-list of headers, lower case. */
export interface Forwarded {
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** What every adapter declares of its upstream: how it is called, and how it fails. */
export interface AdapterBase {
  /**
   * Whether this adapter serves the channel with this upstream model, for a client of this format. Absent: always. Asked
   * with every pick: no search. One that declines because of the `call` leaves another adapter that serves; the call is
   * made on its first use, so it is read only where the model alone is not enough. Absent: it is not known.
   */
  serves?(channel: ChannelView, model: string, client?: FormatName, call?: () => Call): boolean
  /** Content types, beside `text/event-stream`, of an answer that is a stream `read` understands. */
  readonly streamTypes?: readonly string[]
  /** Client headers this upstream may be given, lower case. Absent: none. */
  readonly forwards?: readonly string[]
  /** False: the upstream refuses requests for usage in a stream. Absent: it accepts them. */
  readonly requestsUsage?: boolean
  /** Whether the upstream of this channel documents the role `developer`. Absent: it does not, and is sent `system`. */
  knowsDeveloper?(channel: ChannelView): boolean
  /**
   * Names of what this upstream refuses of the JSON, for this upstream model: reported in `X-Waybill-Lost`. Members of
   * the top level are left out; what lies deeper is written with dots, and `adjust` takes it out. Asked before `adjust`.
   */
  refuses?(wire: JsonObject, channel: ChannelView, model: string): readonly string[]
  /** Last word on the JSON before override: spelling of fields this upstream insists on. Returns the same object where nothing changes. */
  adjust?(wire: JsonObject, channel: ChannelView): JsonObject
  /**
   * Only where other calls go before this one, e.g. uploads of files: the body as `address` is given it, or why there is none.
   * Runs after the override, with every try; the same body where nothing has to be done.
   */
  prepare?(
    wire: Body,
    channel: ChannelView,
    credentials: Credentials,
    context: PrepareContext,
  ): Promise<Body | { readonly failure: Failure }>
  /**
   * Only where one call holds less than a request may: the outgoing body as several, in order; one where it fits. They are sent
   * side by side, and what comes back is joined. Only for operations whose answers can be (`Operation.joined`).
   */
  split?(wire: Body, model: string): readonly Body[]
  /** URL, headers and signature. Runs after override; `now` is Unix milliseconds, for signatures. */
  address(
    wire: Body,
    channel: ChannelView,
    credentials: Credentials,
    context: AddressContext,
  ): UpstreamRequest
  /** An error this upstream hides in a whole answer of status 200, in words no format knows. Absent: it hides none. */
  failureIn?(body: JsonObject): Failure | undefined
  /** Makes a value of a refusal. `head` is at most 1 MiB of the body and may be anything at all. */
  fail(status: number, headers: Readonly<Record<string, string>>, head: Buffer): Failure
}

export interface PrepareContext {
  /** Unix milliseconds, for signatures. */
  readonly now: number
  /** The model as the upstream knows it. */
  readonly model: string
  /** One call to the channel's address or a host of the manifest. Rejects where nothing comes back; its answer has at most 1 MiB. */
  fetch(request: UpstreamRequest): Promise<WholeAnswer>
}

export interface AddressContext {
  readonly now: number
  readonly forwarded: Forwarded
  /** The model as the upstream knows it; some addresses carry it in the path. */
  readonly model: string
  readonly stream: boolean
  /** The gateway's own id of the request, for services that want one of each call. Absent: not known, e.g. in a test kit. */
  readonly requestId?: string
  /** The client's format. Absent: not known, e.g. in a test of the channel. */
  readonly client?: FormatName
}

/**
 * A provider knows one upstream service: its addresses, its headers and its way of failing. It is pure: no network,
 * clock, log, retry or money. The gateway does the calling; `address` and `fail` are called as often as it likes.
 */
import type { Call } from './call.js'
import type { Event } from './event.js'
import type { Body, OperationName } from './exchange.js'
import type { Failure } from './failure.js'
import type { FormatName, Transform } from './format.js'
import type { JsonObject } from './json.js'

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
}

/** One outgoing HTTP call, complete. Header names are lower case. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST'
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

export interface Adapter {
  /** The upstream's wire format. The client's own: the body passes verbatim. `own`: `encode` and `read` speak. */
  readonly format: FormatName | 'own'
  /** Client headers this upstream may be given, lower case. Absent: none. */
  readonly forwards?: readonly string[]
  /** False: the upstream refuses to be asked for usage in a stream. Absent: it may be asked. */
  readonly asksUsage?: boolean
  /** Only for `own`: the canonical call as this upstream's JSON. */
  encode?(call: Call, channel: ChannelView): JsonObject
  /** Last word on the JSON before override: spelling of fields this upstream insists on. Returns the same object where nothing changes. */
  adjust?(wire: JsonObject, channel: ChannelView): JsonObject
  /** URL, headers and signature. Runs after override; `now` is Unix milliseconds, for signatures. */
  address(
    wire: Body,
    channel: ChannelView,
    credentials: Credentials,
    context: AddressContext,
  ): UpstreamRequest
  /** Only where the format is `own` or deviates: the stream as events. */
  read?(): Transform<Buffer, Event>
  /** Makes a value of a refusal. `head` is at most 1 MiB of the body and may be anything at all. */
  fail(status: number, headers: Readonly<Record<string, string>>, head: Buffer): Failure
}

export interface AddressContext {
  readonly now: number
  readonly forwarded: Forwarded
  /** The model as the upstream knows it; some addresses carry it in the path. */
  readonly model: string
  readonly stream: boolean
}

export interface Provider {
  /** A verb that is present is a capability. */
  readonly operations: Readonly<Partial<Record<OperationName, Adapter>>>
}

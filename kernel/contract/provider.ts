/**
 * A provider knows one upstream service: its addresses, its headers and its way of failing. It is pure: no network,
 * clock, log, retry or money. The gateway does the calling; `address` and `fail` are called as often as it likes.
 */

import type {
  AdapterBase,
  AddressContext,
  ChannelView,
  Credentials,
  UpstreamRequest,
} from './adapter.js'
import type { Body } from './body.js'
import type { Call } from './call.js'
import type { Event } from './event.js'
import type { Failure } from './failure.js'
import type { Transform } from './format.js'
import type { FrameTranslator } from './frames.js'
import type { JsonObject } from './json.js'
import type { FormatName, Issuer, OperationName } from './names.js'
import type { Answered, WholeAnswer } from './operation.js'
import type { TaskAdapter } from './task.js'

export type {
  AdapterBase,
  AddressContext,
  ChannelView,
  Credentials,
  Forwarded,
  PrepareContext,
  UpstreamRequest,
} from './adapter.js'

/**
 * What a call may hold beside texts of user and assistant, by field of the canonical call. `tools` stands for functions
 * that are offered, their calls and their results; `image` to `file` for what the model is shown.
 */
export type Expressible =
  | 'system'
  | 'tools'
  | 'toolChoice'
  | 'parallelTools'
  | 'toolResult.failed'
  | 'serverTools'
  | 'image'
  | 'audio'
  | 'video'
  | 'file'
  | 'media.detail'
  | 'output.json'
  | 'output.schema'
  | 'modalities'
  | 'reasoning'
  | 'reasoning.history'
  | 'limit'
  | 'sampling.temperature'
  | 'sampling.topP'
  | 'sampling.topK'
  | 'sampling.seed'
  | 'sampling.presencePenalty'
  | 'sampling.frequencyPenalty'
  | 'sampling.logitBias'
  | 'sampling.stop'
  | 'sampling.choices'
  | 'sampling.logprobs'
  | 'user'
  | 'metadata'
  | 'turns.name'
  | 'cache'

/** Chat in a wire format the gateway knows. A client of that format is passed through verbatim, others are converted. */
export interface FormatAdapter extends AdapterBase {
  readonly format: FormatName
  /**
   * Only where the upstream frames a stream in its own way: its bytes as the server-sent events of `format`, before
   * anyone reads or watches them. Never throws: what it cannot read becomes an error of that format.
   */
  unframe?(): Transform<Buffer, Buffer>
  /** Only where the stream deviates from the format: the stream as events. */
  read?(channel?: ChannelView): Transform<Buffer, Event>
}

/** Chat in a form of the upstream's own. */
export interface OwnFormAdapter extends AdapterBase {
  readonly format: 'own'
  /**
   * The canonical call as this upstream's JSON. Of `only`, seals and opaque parts it holds what this plugin issued, and the
   * fields of `ownFields`.
   */
  encode(call: Call, channel: ChannelView): JsonObject
  /**
   * The stream, or the whole answer, as events. Seals, opaque parts and notes are issued under the id of this plugin. Absent
   * `channel`: it is read apart from one, as by a test kit.
   */
  read(channel?: ChannelView): Transform<Buffer, Event>
  /**
   * What `encode` writes of a call beside texts of user and assistant. What a call holds and this does not
   * name never reaches `encode` in silence: where it changes the meaning the call is refused, so that another channel is
   * tried, else it is named in `X-Waybill-Lost`. Absent: texts alone.
   */
  readonly expresses?: readonly Expressible[]
  /** Top-level fields only this upstream has, which clients of the chat format may send along. */
  readonly ownFields?: readonly string[]
  /**
   * What `encode` cannot express even of that, e.g. images that are bytes, in the words of
   * `Format.unsupportedFields`. Absent: it can express all that `expresses` names.
   */
  unsupportedFields?(call: Call): {
    readonly refuse: readonly string[]
    readonly report: readonly string[]
  }
}

/** Another operation in its one form. */
export interface SameFormAdapter extends AdapterBase {
  readonly format: 'same'
  /** Members of the body that others do not know and this upstream takes. Absent: none. */
  readonly takes?: readonly string[]
  /** Only where an answer deviates: the upstream's whole answer in the operation's form, or why not. */
  answer?(
    answer: WholeAnswer,
    requested: Body,
    model: string,
  ): Answered | { readonly failure: Failure }
  /** Only for `realtime`: the socket to open. */
  socket?(channel: ChannelView, credentials: Credentials, context: AddressContext): SocketRequest
  /** Only beside `socket`, where its upstream speaks in frames of its own: a translator for one session. */
  frames?(channel: ChannelView, context: AddressContext): FrameTranslator
}

/** Another operation in a form of the upstream's own. */
export interface OwnOperationAdapter extends AdapterBase {
  readonly format: 'own'
  readonly takes?: readonly string[]
  /** The client's body as this upstream's. */
  shape(body: Body, channel: ChannelView, model: string): Body
  /** The upstream's whole answer in the operation's form, or why not. */
  answer(
    answer: WholeAnswer,
    requested: Body,
    model: string,
  ): Answered | { readonly failure: Failure }
}

export type ChatAdapter = FormatAdapter | OwnFormAdapter
export type OperationAdapter = SameFormAdapter | OwnOperationAdapter | TaskAdapter

/** Any of them, as the gateway looks up its verbs: a verb that is missing is a capability that is. */
export type Adapter = AdapterBase &
  Partial<Omit<FormatAdapter, keyof AdapterBase | 'format'>> &
  Partial<Omit<OwnFormAdapter, keyof AdapterBase | 'format'>> &
  Partial<Omit<SameFormAdapter, keyof AdapterBase | 'format'>> &
  Partial<Omit<OwnOperationAdapter, keyof AdapterBase | 'format' | 'shape'>> &
  Partial<Omit<TaskAdapter, keyof AdapterBase | 'format'>> & {
    readonly format: FormatName | 'own' | 'same' | 'task'
    /** Whose it is: the id of the plugin, set by the registry. */
    readonly issuer?: Issuer
  }

/** By name; several of one operation in a list. */
export type ProvidedOperations = {
  readonly [Name in OperationName]?: Name extends 'chat'
    ? ChatAdapter | readonly ChatAdapter[]
    : OperationAdapter | readonly OperationAdapter[]
}

/** A WebSocket to open. Header names are lower case. */
export interface SocketRequest {
  /** Absolute `ws(s)` address, with query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Offered to the upstream; one that names none of them back refuses the handshake, so empty is the safe choice. */
  readonly protocols: readonly string[]
}

export interface AuthorizeContext {
  /** Unix milliseconds. */
  readonly now: number
  /** A token this key was exchanged for and the upstream refused since: only another one will do. Absent: none. */
  readonly refused?: string
  /** One call through the gateway's egress, to the hosts the manifest names. Rejects where nothing answers. */
  fetch(request: UpstreamRequest): Promise<WholeAnswer>
}

export interface Provider {
  /**
   * A verb that is present is a capability. Of several adapters those that serve the channel and model count; the
   * one in the client's own format is taken, else the first.
   */
  readonly operations: ProvidedOperations
  /** Asks for the names of the upstream's models. Absent: it has no such list. */
  readonly models?: UpstreamQuery<readonly string[]>
  /** Reads the balance of the account behind the key, in US dollars, as a decimal text. Absent: the upstream does not report it. */
  readonly balance?: UpstreamQuery<string>
  /** What is wrong with the settings of a channel beyond the types of their fields, in one sentence. Absent: nothing. */
  faultOf?(settings: JsonObject): string | undefined
  /**
   * Exchanges a key of the channel for what its calls carry, e.g. a service account for a token. The gateway keeps the
   * answer until shortly before `expiresAt`. Absent: the key itself is used.
   */
  authorize?(
    key: string,
    channel: ChannelView,
    context: AuthorizeContext,
  ): Promise<Credentials | { readonly failure: Failure }>
}

/**
 * A question to the upstream beside its operations: one call, or several pages. The values of pages belong together:
 * lists become one list, amounts are added up. Its failures never blame the client.
 */
export interface UpstreamQuery<T> {
  /** `page` is what `read` named as next; absent at first. `now` is Unix milliseconds, for signatures. */
  request(
    channel: ChannelView,
    credentials: Credentials,
    context: { readonly now: number; readonly page?: string },
  ): UpstreamRequest
  /** Never throws. `next`: the page to ask for after this one. */
  read(
    answer: WholeAnswer,
  ): { readonly value: T; readonly next?: string } | { readonly failure: Failure }
}

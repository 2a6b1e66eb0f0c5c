/**
 * The record of one relayed request. It grows along the line: each stage takes a readonly record and answers the field
 * or two it adds, and nothing after a stage changes what was decided before it. The one thing that changes over
 * a request is its Hold.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Call } from './call.js'
import type { Dialect } from './endpoint.js'
import type { Event, Usage } from './event.js'
import type { Failure } from './failure.js'
import type { Format, FormatName, Limits, Said, StreamWatch, Transform } from './format.js'
import type { JsonObject } from './json.js'
import type { Operation, SocketSession } from './operation.js'
import type { Adapter, ChannelView } from './provider.js'
import type { Sink } from './sink.js'

declare const requestId: unique symbol
/** `req_` and 26 time-ordered characters, minted here (never the client's word, failures.md X16). Keys every movement of money. */
export type RequestId = string & { readonly [requestId]: true }

export type OperationName =
  | 'chat'
  | 'completions'
  | 'embeddings'
  | 'images'
  | 'edits'
  | 'speech'
  | 'transcriptions'
  | 'translations'
  | 'rerank'
  | 'moderations'
  | 'search'
  | 'compact'
  | 'realtime'

export type Body =
  /**
   * `bytes` are the very text of `value`. `original` is what `value` was made of by changing members, so that the rest
   * goes out as it came. Neither: it was made here and is written anew.
   */
  | {
      readonly kind: 'json'
      readonly value: JsonObject
      readonly bytes?: Buffer
      readonly original?: { readonly value: JsonObject; readonly bytes: Buffer }
    }
  | { readonly kind: 'form'; readonly fields: JsonObject; readonly files: readonly FormFile[] }
  | { readonly kind: 'none' }

export interface FormFile {
  readonly field: string
  readonly filename: string
  readonly mime: string
  readonly bytes: Buffer
}

export interface Client {
  readonly headers: IncomingHttpHeaders
  readonly query: Readonly<Record<string, string | undefined>>
  /** The address of the caller, behind trusted proxies (AUTH-11). */
  readonly address: string
}

/** How the client says who it is. `none` is refused by auth, with the format's own words. */
export type Credential =
  | { readonly kind: 'key'; readonly key: string }
  /** Signed in by a session, which the endpoint has checked: the Playground (FMT-15). */
  | { readonly kind: 'user'; readonly user: User }
  | { readonly kind: 'none' }

export interface User {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly group: string
  /** Ledger account of the wallet. */
  readonly walletId: number
}

export interface Token {
  readonly id: number
  readonly name: string
  /** Legacy group; empty: the user's group. */
  readonly group: string
  /** Legacy switch, read where no policy is stored (ROUTE-9). */
  readonly crossGroupRetry: boolean
  /** The policy as stored. Absent: none is, and one is made of the two above at run time. */
  readonly routing?: RoutingPolicy
  /** Models the token may use; absent: all. */
  readonly models?: ReadonlySet<string>
}

/** Where a token's requests may go, in the spelling of its record (ROUTE-5). */
export interface RoutingPolicy {
  readonly version: 1
  readonly mode: 'smart' | 'manual'
  /** `smart`: key of the auto route whose chain is followed; empty otherwise. */
  readonly auto_route: string
  /** `manual`: groups in order, at most 8; empty otherwise. */
  readonly groups: readonly string[]
  /** After a failure the next group may be tried; retries inside a group are unaffected. */
  readonly retry_on_failure: boolean
}

/** One key of a channel. */
export interface ChannelKey {
  /** Of its row; stays while the key does, also when others come and go. */
  readonly id: number
  readonly text: string
  /** False: switched off, by an admin or by the gateway. */
  readonly enabled: boolean
}

/** One channel as the line sees it. Records are replaced, never changed, when an admin edits the channel. */
export interface Channel extends ChannelView {
  readonly name: string
  readonly groups: readonly string[]
  readonly models: ReadonlySet<string>
  readonly priority: number
  readonly weight: number
  /** Requested name → upstream name; chains are followed. */
  readonly modelMapping: Readonly<Record<string, string>>
  /** The override document as saved, in the legacy or the operations form; empty: none. */
  readonly paramOverride: JsonObject
  /** The header document as saved: names and values with placeholders; empty: none. */
  readonly headerOverride: JsonObject
  /** Upstream status → status the client sees; retry decisions never read it (CHAN-2). */
  readonly statusCodeMapping: Readonly<Record<string, number>>
  /** What to do with an upstream whose client left (failures.md M11). */
  readonly onClientGone: 'drain' | 'abort'
  /** In the order of their ids; those switched off stay in their places. */
  readonly keys: readonly ChannelKey[]
  /** How a key is chosen among several. */
  readonly keyMode: 'random' | 'polling'
  /** False: switched off; it is found by its id and stands in no tier. */
  readonly enabled: boolean
  /** The gateway may switch it off by itself. */
  readonly autoBan: boolean
  /** Text put before the conversation. Absent: none. */
  readonly systemPrompt?: string
  /** The text stands before a system prompt the client sent too; otherwise it gives way to it. */
  readonly overrideSystemPrompt: boolean
  /** Where both sides speak one format, the client's body goes out as it came, mapping and override aside. */
  readonly passThroughBody: boolean
  /** Address of the proxy its calls go through: http, https or socks5. Absent: none. */
  readonly proxy?: string
  /** Longest wait for the first content of a stream, milliseconds. Absent: the gateway's. */
  readonly firstContentMs?: number
}

/** Groups in the order they are tried. */
export interface Route {
  readonly groups: readonly string[]
  /** After a failure the next group may be tried. */
  readonly crossGroup: boolean
  /** The only channel that may take the request, and only once. Absent: any. */
  readonly pinned?: number
}

/** What ties a request to the channel that answered others like it (ROUTE-16). */
export interface AffinityTie {
  readonly rule: string
  readonly key: string
  /** The channel remembered. Absent: none yet. */
  readonly channelId?: number
  /** The rule forbids a retry elsewhere. */
  readonly skipRetry: boolean
}

/** An immutable version of the whole price table, pinned when the request is admitted (money.md section 5). */
export interface PriceTable {
  readonly version: string
  /** The price of a model in a group. Undefined: none configured, so the request is refused (failures.md M15). */
  price(ask: PriceAsk): Price | undefined
}

export interface PriceAsk {
  readonly requestedModel: string
  readonly upstreamModel: string
  /** The group whose channel answers. */
  readonly group: string
  /** The caller's own group, for special ratios between groups. */
  readonly userGroup: string
}

export interface Price {
  /** The name whose price this is (logged as `price_model`). */
  readonly model: string
  /** True when nothing this price covers can ever cost anything. */
  readonly free: boolean
  /** What to set aside for at most this usage; rounds up. Quota. */
  hold(usage: Usage): bigint
  /** What this usage costs; exact sum, rounded once, half up (money.md section 1). Quota. */
  cost(usage: Usage): bigint
  /** Every input and step of `cost`, so that any charge can be recomputed. */
  explain(usage: Usage): JsonObject
}

export type CoverVerdict = 'ok' | 'short' | 'shortToken' | 'gone'

/**
 * Why an answer under way can no longer be paid from its hold. `disabled`: its key, or the owner of it, was disabled or
 * has expired. `lost`: this process no longer owns the hold, since it was cut off from the database for longer than its
 * lease; this says nothing about the key or about money.
 */
export type GoneReason = 'disabled' | 'lost'

/** The one reservation of a request. Every call is safe to repeat. */
export interface Hold {
  /**
   * Raises what is set aside to `quota`, cumulative: a smaller amount leaves it. Mints the revision and pins the
   * funding account on first success. `short`: not enough money, nothing changed. `shortToken`: the token's cap does not
   * allow it, nothing changed. `gone`: account or token disabled or expired. Throws the refusal `database_unavailable`
   * when the database does not answer, cannot take the reserve, or has given the hold to another process: the caller
   * then knows nothing about money.
   */
  cover(quota: bigint, draft: LogDraft): Promise<CoverVerdict>
  /** What is set aside now; 0 before the first success. */
  readonly covered: bigint
  /**
   * An answer is under way: every 2 seconds the ledger asks what it has cost so far and marks that durably, until the
   * hold is closed. A later call replaces the earlier.
   */
  follow(cost: () => bigint): void
  /** The listener is called at most once, when a mark finds the hold gone. */
  onGone(listener: (reason: GoneReason) => void): void
  /** Settles once; later calls answer the first result. `delivered` false and quota 0 releases without a row. */
  close(actual: Closing): Promise<Charge>
}

/** What is known of a request when money is first set aside; the sweeper writes its log row from it after a crash. */
export interface LogDraft {
  readonly username: string
  readonly tokenName: string
  readonly model: string
  readonly upstreamModel: string
  readonly group: string
  readonly channelId: number
  readonly channelName: string
  readonly isStream: boolean
  readonly address: string
}

export type Outcome = End | 'failed' | 'refused'

export interface Closing {
  readonly quota: bigint
  /** Whether anything reached the client that the price covers; true at price 0 writes a row of 0. */
  readonly delivered: boolean
  readonly outcome: Outcome
  readonly usage: Usage
  /** How the quota came about: `Price.explain`. */
  readonly snapshot: JsonObject
  /** Absent: the draft of the last cover stands. */
  readonly draft?: LogDraft
  /** Whole milliseconds from receipt to the end. */
  readonly durationMs: number
  /** Further facts for the log row: first event, retry chain, flags. */
  readonly detail: JsonObject
}

export interface Charge {
  readonly state: 'settled' | 'released' | 'none'
  readonly quota: bigint
  /** How far the balance went below its floor by this charge. */
  readonly shortfall: bigint
}

export interface Received {
  readonly requestId: RequestId
  /** Unix milliseconds. */
  readonly receivedAt: number
  readonly operation: OperationName
  /** How the operation is read and billed. Absent: it is chat, of which `format` says all. */
  readonly work?: Operation
  /** The client's format: how errors and answers are dressed. */
  readonly format: Format
  /** Path the client called, for the log. */
  readonly path: string
  readonly body: Body
  readonly client: Client
  readonly credential: Credential
  /** What the address says of the request. Absent: the body says it all. */
  readonly said?: Said
  /** The group the client asks for by name; it goes before any stored policy (FMT-15). */
  readonly askedGroup?: string
  /** The client asks for the operation in words of its own. Absent: in those of the operation. */
  readonly dialect?: Dialect
  readonly sink: Sink
}

export interface Admitted extends Received {
  readonly user: User
  /** Absent: the Playground's session. */
  readonly token?: Token
  /** The channel an admin's key names behind its second dash. Absent: any. */
  readonly pinned?: number
}

export interface Planned extends Admitted {
  /** The model the client asked for. */
  readonly model: string
  readonly stream: boolean
  /** The client wants usage in its stream. */
  readonly wantsUsage: boolean
  /** The canonical call, decoded on first use. */
  readonly call: () => Call
  readonly route: Route
  /** Absent: no affinity rule matches. */
  readonly affinity?: AffinityTie
  readonly prices: PriceTable
  readonly hold: Hold
}

/** Made by the attempt loop only: what it has learned so far. */
export interface Attempt extends Planned {
  /** Counts from 1. */
  readonly number: number
  /** What failed before, in order: none of these channels, whatever key it has left, takes this try (ROUTE-3). */
  readonly tried: readonly AttemptTrace[]
}

/** The place a try takes in the watch over its channel. */
export interface Claim {
  /** Called exactly once, when the round ended: without a failure the channel has answered. */
  ended(failure?: Failure): void
}

export interface Picked extends Attempt {
  readonly channel: Channel
  readonly key: string
  /** Id of the key's row. */
  readonly keyId: number
  /** The group whose channel this is. */
  readonly group: string
  /** Index of `group` in the route; a retry goes on from here. */
  readonly position: number
  readonly adapter: Adapter
  readonly claim: Claim
}

export interface Mapped extends Picked {
  readonly upstreamModel: string
  /** The upstream's wire format; absent: the adapter's own. */
  readonly upstreamFormat?: Format
  /** The client's bytes go through: same format on both sides. */
  readonly verbatim: boolean
  readonly wire: Body
  /** The client's names of tools by those this upstream was told, where it refuses the client's. Absent: all are the same. */
  readonly toolNames?: ReadonlyMap<string, string>
  /** Cosmetic fields this upstream cannot be told (header `X-Waybill-Lost`). */
  readonly lost: readonly string[]
}

export interface Overridden extends Mapped {
  /** Headers the operator sets on the upstream call, lower case; null takes one away. Absent: none. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Changes the operator's override made to members that matter, for the log. Absent: none. */
  readonly audit?: readonly string[]
  readonly limits: Limits
  /** Prompt estimate of the outgoing JSON. */
  readonly estimate: Usage
}

export interface Reserved extends Overridden {
  readonly price: Price
  /** What the ledger keeps with the hold; the same object goes with the close, so that it is stored once. */
  readonly draft: LogDraft
  /** Output tokens the hold was made for, besides the prompt: up to here no look at the price is needed. */
  readonly heldOutput: number
  /** The last byte of a complete answer leaves after its charge is committed (decision 0037). */
  readonly settleFirst: boolean
}

/** How an upstream answered once its first content was there. */
export type Reply = EventsReply | JsonReply | SocketReply

export interface EventsReply {
  readonly kind: 'events'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly source: ByteSource
  /** No error can be told in the middle: the connection is cut instead. Absent: the format has a way. */
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
  readonly units: number
  /** The same as JSON where it was made here, so that a later request may refer to it. */
  readonly answer?: JsonObject
}

/** A WebSocket the upstream opened; frames go both ways until either side closes. */
export interface SocketReply {
  readonly kind: 'socket'
  readonly socket: FrameSocket
  readonly session: SocketSession
  /** What the upstream said before the client was let in. */
  readonly head: readonly Frame[]
}

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
  /** Says goodbye and ends, whether or not the other side answers. Frames that still come are dropped. */
  close(code: number, reason: string): void
}

export interface FrameConsumer {
  frame(bytes: Buffer, binary: boolean): void
  /** The other side has caught up. */
  drained(): void
  /** Once and last. 1006: the connection broke or fell silent. */
  closed(code: number): void
}

/** A client that asked for a WebSocket. Until it is accepted it can be refused like any other. */
export interface SocketSink extends Sink {
  /** Answers 101. Undefined: the client has left. */
  accept(): FrameSocket | undefined
  /** Called once, when the gateway begins to stop. One listener; a later one replaces the earlier. */
  onStopping(listener: () => void): void
}

/** A pushing source of bytes: undici's dispatch with a face. Exactly one consumer, attached once. */
export interface ByteSource {
  /** Starts the flow. `data` answers false to pause; `resume` goes on. Exactly one of `end` and `fail` comes last. */
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

export interface Opened extends Reserved {
  readonly reply: Reply
  /** Milliseconds from receipt to the upstream's first content. */
  readonly firstMs: number
}

export interface Failed {
  readonly failure: Failure
  /** Another channel may be tried. */
  readonly retry: boolean
}

/** complete | cut by the gateway's own stop or a dead owner | the client left | money ran out | the upstream broke off. */
export type End = 'complete' | 'cut' | 'clientGone' | 'outOfFunds' | 'upstreamBroke'

/** A count that was reported and cannot be, with what is charged in its place. */
export interface Correction {
  readonly count: string
  /** A number where it was one. */
  readonly reported: number | string
  readonly charged: number
}

/** How a delivery ended; together with the opened record all that settling reads. */
export interface Delivery {
  readonly end: End
  /** As billed: reported counts, completed from the local count where they are missing, made sane. */
  readonly usage: Usage
  /** What is charged, where it is known already. Absent: the price of `usage` where something was delivered. */
  readonly quota?: bigint
  /** Usage as the upstream reported it. Absent: it did not. */
  readonly raw?: JsonObject
  /** Counts that came from the local estimate, e.g. `output`. */
  readonly estimated: readonly string[]
  /** A hostile or absurd report was clamped (failures.md M21). */
  readonly anomaly: boolean
  /** Where it was clamped, and to what. Absent: nowhere, or in no single place. */
  readonly corrections?: readonly Correction[]
  /** Model content reached the client, or was consumed at its word and is charged all the same. */
  readonly delivered: boolean
  readonly failure?: Failure
}

/** One line of the retry chain, for the log. */
export interface AttemptTrace {
  readonly channelId: number
  readonly keyId: number
  readonly group: string
  /** Index of `group` in the route. */
  readonly position: number
  readonly failure: Failure
}

/** What `settle` reads: how it ended, and the chain that led there. */
export type Settling =
  | {
      readonly kind: 'delivered'
      readonly state: Opened
      readonly delivery: Delivery
      readonly attempts: readonly AttemptTrace[]
    }
  | {
      readonly kind: 'abandoned'
      readonly state: Planned
      readonly outcome: Outcome
      readonly attempts: readonly AttemptTrace[]
    }

export type StageName =
  | 'auth'
  | 'route-plan'
  | 'channel-pick'
  | 'mapping'
  | 'override'
  | 'pre-consume'
  | 'upstream'
  | 'settle'

/**
 * A stage of the line: takes the record as it stands and answers what it adds. The line puts both together; a stage
 * never writes to the record. Before a hold exists it throws a `Refusal`; afterwards it answers a `Failed`.
 */
export interface Stage<In, Adds> {
  run(state: In): Adds | Promise<Adds>
}

/** The fields one record has more than the other. */
export type Added<Next, Before> = Omit<Next, keyof Before>

/** What each stage takes and adds, by name: what the compiler checks the line against. */
export interface Stages {
  readonly auth: Stage<Received, Added<Admitted, Received>>
  readonly 'route-plan': Stage<Admitted, Added<Planned, Admitted>>
  readonly 'channel-pick': Stage<Attempt, Added<Picked, Attempt> | Failed>
  readonly mapping: Stage<Picked, Added<Mapped, Picked> | Failed>
  /** Replaces `wire` where it changes it, and adds to `lost` what it leaves out. */
  readonly override: Stage<Mapped, Added<Overridden, Omit<Mapped, 'wire' | 'lost'>> | Failed>
  readonly 'pre-consume': Stage<Overridden, Added<Reserved, Overridden> | Failed>
  readonly upstream: Stage<Reserved, Added<Opened, Reserved> | Failed>
  readonly settle: Stage<Settling, void>
}

/**
 * Third-party hook: refuses (throws a `Refusal`) or observes at one stage; it never changes the record. Behind a stage it
 * is not called where the stage failed; where it refuses behind `upstream`, the reply is let go.
 */
export interface Guard {
  check(state: Readonly<Received>): void | Promise<void>
}

export type { FormatName }

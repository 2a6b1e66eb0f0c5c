/**
 * Services by name. The kernel's own stand here; a service plugin adds its own by declaration merging in its
 * `index.ts`: `declare module '../../../kernel/contract/service.js' { interface Services { ledger: Ledger } }`.
 */

import type { Socket } from 'node:net'
import type { Knex } from 'knex'
import type { QueryResult } from 'pg'
import type { Call } from './call.js'
import type { Usage } from './event.js'
import type {
  Admitted,
  AttemptTrace,
  Body,
  Channel,
  ChannelKey,
  FrameSocket,
  Opened,
  OperationName,
  RequestId,
  Settling,
} from './exchange.js'
import type { Failure } from './failure.js'
import type { ClientError, Format, FormatName, Said } from './format.js'
import type { JsonObject } from './json.js'
import type { Settings } from './kit.js'
import type { AuditNote, LoadedRoute, Principal } from './management.js'
import type {
  ChannelType,
  Manifest,
  PluginStatus,
  RouteManifest,
  SettingField,
} from './manifest.js'
import type { Notifier } from './notifier.js'
import type { OAuthProvider } from './oauth.js'
import type { Operation } from './operation.js'
import type { Adapter, ChannelView, Provider } from './provider.js'
import type { Sink } from './sink.js'

export interface Services {
  database: Database
  changes: Changes
  egress: Egress
  catalog: Catalog
  formats: Formats
  operations: Operations
  providers: Providers
  secrets: SecretBox
  schedule: Schedule
  departures: Departures
  answers: Answers
  probe: Probe
  extensions: Extensions
  system: System
  traffic: Traffic
  live: Live
}

/**
 * One dialect over PostgreSQL or the embedded PGlite. Values come out the same everywhere: int8 (so `count(*)` and
 * `sum` of integers too) as `bigint`, numeric as `string`, timestamptz as `Date`, bytea as `Buffer`. Sessions run in
 * UTC and READ COMMITTED; a statement ends after 5 s (PostgreSQL), a transaction that asks nothing for 5 s is rolled
 * back (both). `SET LOCAL` only. On PGlite an open transaction keeps everyone else out.
 */
export interface Database {
  readonly kind: 'postgresql' | 'pglite'
  /** Management work: query builder, transactions, objection models (bind per query). */
  readonly knex: Knex
  /** Short single statements outside a transaction, by raw pg: reads of the hot path. Named on PostgreSQL only. */
  query(statement: Statement): Promise<QueryResult>
  /** The billing lane: its connections alone run billing functions, with named statements. */
  billing(statement: Statement): Promise<QueryResult>
  /**
   * Runs work that takes longer than a statement may, on a connection of its own without that limit. When the signal
   * aborts, what runs is cancelled in the database (PostgreSQL) or ends with its statement (PGlite), and the promise
   * rejects with the reason of the signal.
   */
  dedicated<Result>(
    run: (query: DedicatedQuery) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>
  /** How many billing statements may run at once. */
  readonly billingLanes: number
  /** Resolves when the database answers; rejects within 2 s when it does not. */
  probe(): Promise<void>
}

/** Rejects with the reason of the signal once that has aborted. */
export type DedicatedQuery = (text: string, values?: readonly unknown[]) => Promise<QueryResult>

/** Keeps the memory of every process in step with the tables (design.md section 6). Never used on the billing path. */
export interface Changes {
  /** Inside a management transaction: every process hears of this row, or these, once the transaction commits. */
  note(trx: Knex.Transaction, topic: string, id: RowId | readonly RowId[]): Promise<void>
  /** Hears of changed rows in batches; may hear of one twice. Awaited before the next batch of the topic. */
  on(topic: string, listener: (ids: ReadonlySet<string>) => Promise<void> | void): void
  /** Resolves when every note committed before this call has been heard in this process: read your own writes. */
  settled(): Promise<void>
}

export type RowId = number | string

export interface Statement {
  /** Prepared under this name where the connection keeps prepared statements. */
  readonly name: string
  readonly text: string
  readonly values: readonly unknown[]
}

/** The only way out of the process (failures.md X1). */
export interface Egress {
  /**
   * Sends one request and resolves with status and headers; the body has not begun to flow. Rejects with an
   * `EgressError` that says which limit ran out or why the address was refused.
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
  readonly body: import('./exchange.js').ByteSource
}

/** Every plugin, its manifest and state; the shape of the line. */
export interface Catalog {
  list(): readonly PluginStatus[]
  /** The printed line: stages in order, with the guards before and after each. */
  line(): readonly {
    readonly stage: string
    readonly before: readonly string[]
    readonly after: readonly string[]
  }[]
  channelTypes(): readonly (ChannelType & {
    readonly plugin: string
    readonly fields: readonly SettingField[]
  })[]
  /** What endpoints and management areas in use serve; complete once every plugin was created. */
  routes(): readonly LoadedRoute[]
}

export interface Formats {
  get(name: FormatName): Format
}

/** Answers this gateway gave in the words of another format than the upstream's. */
export interface Answers {
  /** The part of an earlier answer to this user; undefined: unknown, or long ago. */
  recall(userId: number, id: string): JsonObject | undefined
}

/** Sends one request down the line to one channel, without a caller and without money: a test of the channel. */
export interface Probe {
  /** Mapping, override and upstream stage run as for everybody; the answer is read to its end, within bounds. */
  run(ask: ProbeAsk): Promise<ProbeResult>
}

export interface ProbeAsk {
  readonly channel: Channel
  readonly key: ChannelKey
  readonly operation: OperationName
  /** The client's format a caller would use. */
  readonly format: FormatName
  /** Holds the model under the name callers use. */
  readonly body: Body
  readonly said?: Said
}

export interface ProbeResult {
  /** Absent: the channel answered well. */
  readonly failure?: Failure
  readonly model: string
  readonly upstreamModel?: string
  /** Milliseconds until the whole answer was there, and until its first content. */
  readonly ms: number
  readonly firstMs?: number
  /** As billed for anybody else. Absent: nothing came. */
  readonly usage?: Usage
  /** The beginning of what a client would have read. */
  readonly head: string
}

export interface Operations {
  /** Undefined for chat, which is a matter of formats. */
  get(name: OperationName): Operation | undefined
}

/** What an adapter is looked for. */
export interface AdapterAsk {
  readonly operation: OperationName
  /** The client's format: of several adapters that serve, the one that speaks it is taken. */
  readonly format: FormatName
  /** As the upstream knows it. */
  readonly model: string
  /** The request, for adapters that depend on it. Absent: not known. */
  readonly call?: () => Call
}

export interface Providers {
  /** The adapter that serves a channel; undefined: none does, or the provider is still being loaded. */
  adapter(channel: ChannelView, ask: AdapterAsk): Adapter | undefined
  /** The provider of a channel type; undefined until it is loaded. */
  provider(channelType: number): Provider | undefined
  /** Hosts its calls may reach beside the channel's own, as the manifest names them; a leading `*.` stands for any name. */
  hosts(channelType: number): readonly string[]
  /** A plugin serves the channel type, and has not failed; it need not be loaded yet. */
  knows(channelType: number): boolean
  /** Default origin of a channel type; empty: none. Undefined: unknown type. */
  defaultBaseUrl(channelType: number): string | undefined
  /** Loads the provider of a channel type, so that `adapter` can answer at once. */
  warm(channelType: number): Promise<void>
}

/** AES-256-GCM envelopes for secrets at rest. The place (`table:row:column`) is bound into the envelope. */
export interface SecretBox {
  seal(place: string, secret: string): string
  /** Throws when the envelope was made for another place or with another key. */
  open(place: string, sealed: string): string
  /** The same for a whole text that is sealed for what it may hold: it is no word the log has to mask. */
  openText(place: string, sealed: string): string
  /** A key derived for one purpose, 32 bytes, stable across restarts and changes of the master key. */
  derive(purpose: string): Buffer
}

/** Decides how long an upstream call outlives its reader (failures.md M9, M11), and ends calls when the gateway stops. */
export interface Departures {
  watch(terms: DepartureTerms): DepartureWatch
}

export interface DepartureTerms {
  readonly sink: Sink
  /** `drain`: read on within limits, so that the upstream's own count can be billed; `abort`: end the call at once. */
  readonly policy: 'drain' | 'abort'
  /** Called at most once, when the call is to end now. */
  end(reason: 'clientGone' | 'stopping'): void
  /** The client left and the call goes on unread. */
  drain?(): void
}

export interface DepartureWatch {
  /** Bytes read since the client left; past the bound the call ends. */
  read(bytes: number): void
  /** The call is over; nothing is called any more. */
  release(): void
}

export interface Schedule {
  /** Runs every `ms` until stopped, never twice at once; a failure is logged and the next run comes. */
  every(
    name: string,
    ms: number,
    run: () => Promise<void> | void,
  ): { stop(): void; now(): Promise<void> }
  /**
   * The same for a job that one process at a time does, whichever comes first: the others skip their turn while its
   * lease lasts, and take over when its holder is gone.
   */
  everyLeased(
    name: string,
    ms: number,
    run: () => Promise<void> | void,
  ): { stop(): void; now(): Promise<void> }
}

export interface System {
  /** As `v1.0.5-preview.4` (OPS-1). */
  readonly version: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly nodeName: string
  readonly environment: Environment
  /** False once the gateway is stopping. */
  accepting(): boolean
}

/** What this process answers, settles and fails at, for those who count it. Listeners run within the request: they wait for nothing. */
export interface Traffic {
  onAnswered(listener: (answer: AnsweredRequest) => void): void
  onSettled(listener: (settling: Settling) => void): void
  /** Once a request at most, and never of one that the usage log has a charge of. */
  onFailed(listener: (request: FailedRequest) => void): void
  /** Answers so far by the class of their status, `1xx` to `5xx`. */
  answers(): Readonly<Record<string, number>>
  /** Settled requests so far whose reported usage could not be and was bounded. */
  usageAnomalies(): number
}

/** A relayed request of somebody known that ended in an error, with nothing to charge. A client that left is none. */
export interface FailedRequest {
  /** As far as it came. */
  readonly state: Admitted & Partial<Opened>
  readonly told: ClientError
  /** The channel that had begun to answer and broke off is the last of them. */
  readonly attempts: readonly AttemptTrace[]
}

/**
 * Tells open consoles that something changed, so that they read it again. Ids and counts only: never anybody's data.
 * Changed rows reach the consoles of every process; everything else those of the process that publishes it.
 */
export interface Live {
  /** To everyone who listens to the topic and may; with `userId` to that user alone. Costs next to nothing while nobody listens. */
  publish(topic: LiveTopic, message: JsonObject, userId?: number): void
}

/**
 * `account`: each user, of their own alone. The rest is for admins: progress of long work, heartbeats of processes, states
 * of breakers and keys, and rows by the topic of `Changes`, which the kernel publishes itself.
 */
export type LiveTopic = 'account' | 'runs' | 'system' | 'health' | `changes/${string}`

/** Of the access line. */
export interface AnsweredRequest {
  readonly method: string
  /** Without query. */
  readonly path: string
  /** 499 where the client left before there was one. */
  readonly status: number
  readonly durationMs: number
  /** Word of the error catalogue, on relay paths that were refused. */
  readonly code?: unknown
}

/** What the environment set, typed and checked; `config/environment.ts` alone reads it. */
export interface Environment {
  readonly port: number
  readonly host: string
  readonly dataDir: string
  readonly databaseUrl?: string
  readonly cryptoSecret?: string
  /** The master key before this one, while what it sealed is sealed anew. */
  readonly cryptoSecretPrevious?: string
  readonly trustedProxies: readonly string[]
  /** TLS of the gateway's own. Absent: it speaks plain HTTP, as behind a proxy. */
  readonly tls?: TlsFiles
  readonly cookieSecure?: boolean
  /** Absent: an option decides, which the setup asks for. */
  readonly allowPrivateUpstreams?: boolean
  readonly maxRequestBodyBytes: number
  /** Bytes of bodies the process holds at once. Absent: by the memory there is. */
  readonly bytesInFlightMax?: number
  /** Requests in work at once. Absent: as many as come. */
  readonly concurrency?: {
    /** 0, as of the others: no bound. */
    readonly perAddress: number
    readonly perUser: number
    readonly perKey: number
  }
  /** Longest time within an upstream's answer without content, milliseconds. Blanks and comments are none. */
  readonly streamingTimeoutMs: number
  /** Longest wait for an upstream's whole answer, milliseconds; 0: no limit. */
  readonly relayTimeoutMs: number
  readonly nodeName: string
  /** Shared counters of rate limits. Absent: each process counts for itself. */
  readonly redisUrl?: string
  readonly rateLimits: RateLimitTerms
  /** Where metrics are told, on a port of their own. Absent: nowhere. */
  readonly metrics?: { readonly host: string; readonly port: number }
}

/** Whole paths of PEM files. */
export interface TlsFiles {
  /** The certificate, and those between it and its authority behind it. */
  readonly certFile: string
  readonly keyFile: string
}

/** Limits of requests by address, account and user, from the environment. Windows in seconds. */
export interface RateLimitTerms {
  readonly api: RateLimit
  readonly web: RateLimit
  readonly critical: RateLimit
  readonly criticalRoute: RateLimit
  readonly criticalSecrets: RateLimit
  readonly login: RateLimit
  /** API keys nobody has, by address. Absent: not limited. */
  readonly wrongKeys?: RateLimit
}

export interface RateLimit {
  readonly enabled: boolean
  readonly limit: number
  readonly windowSeconds: number
}

/** Who is behind a relayed request. */
export type Caller = Pick<Admitted, 'user' | 'token'>

/** What the kernel asks of the `identity` service: who stands behind a request (AUTH-1, AUTH-2). */
export interface Authenticator {
  /**
   * The token and user behind an API key, from memory where it can; asked before a body is read. Throws a `Refusal`, or
   * rejects with one.
   */
  byKey(key: string, address: string): Caller | Promise<Caller>
  /** Undefined: nobody signed in. Reads the current user state each time. */
  principal(request: {
    readonly headers: Readonly<Record<string, string | string[] | undefined>>
    /** It came by HTTPS: the cookie of plain HTTP, which a neighbouring site could have set, counts for nothing. */
    readonly secure?: boolean
    /** Asking is no use of the session: it does not keep one alive that nobody uses. */
    readonly unused?: true
    /** Also an admin who has yet to set up the second factor that is required; refused with `second_factor_missing` else. */
    readonly beforeFactor?: true
  }): Promise<Principal | undefined>
}

/** What the kernel asks of the `rate-limits` service: may this request go on (LIMIT-1, LIMIT-3, LIMIT-4, LIMIT-7, API-2)? */
export interface RequestLimiter {
  /**
   * Before anybody is asked who they are. Undefined at once: not limited. Resolves with the headers that tell the
   * tightest bucket; rejects with `rate_limit_exceeded`.
   */
  arrived(ask: ArrivalAsk): Promise<RateHeaders> | undefined
  /** The same once it is known who calls (AUTH-4, AUTH-6). No user: the route asks nobody who they are. */
  known(ask: ArrivalAsk, userId?: number): Promise<RateHeaders> | undefined
}

export interface ArrivalAsk {
  /** As the manifest of the route says; `web`: a page no route serves. */
  readonly limiter: RouteManifest['limiter'] | 'web'
  /** Name of the route, as `management.users.login`. */
  readonly route: string
  /** The caller's, behind trusted proxies. */
  readonly address: string
}

export type RateHeaders = Readonly<Record<string, string>>

/** What the kernel asks of the `audit` service: every management write that succeeded is told (failures.md section E). */
export interface Auditor {
  record(entry: AuditEntry): Promise<void>
  /** A sign-in or a proof that failed. Those of a minute become few lines; nothing is waited for. */
  refused(entry: AuditEntry): void
}

export interface AuditEntry extends AuditNote {
  readonly requestId: RequestId
  readonly address: string
  /** Absent: nobody was signed in; then `actor` may say who is now. */
  readonly principal?: Principal
  /** Name of the route, as `users.manage`. */
  readonly action: string
}

/** Plugins that are looked up by name and imported on first use. */
export interface Extensions {
  /** All of a kind that their manifest lets be used, sorted by id. */
  list(kind: 'oauth' | 'notifier' | 'payment'): readonly Manifest[]
  /** By name: `github` for `oauth.github`. Rejects where there is none or it failed. */
  oauth(name: string): Promise<OAuthProvider>
  /** One more of its kind, which reads these values of its `instanceSettings` instead of stored settings. */
  oauthOf(name: string, values: JsonObject): Promise<OAuthProvider>
  notifier(name: string): Promise<Notifier>
}

/** What the kernel asks of the `options` service: stored settings of every plugin. */
export interface SettingsSource {
  /** A live view over one plugin's declared fields. Usable from `create` on; values are there after `start`. */
  of(manifest: Manifest): Settings
}

export type { JsonObject }

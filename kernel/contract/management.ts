/**
 * A management area: the paths under `/api` that consoles and scripts use. Handlers answer the `data` of the
 * family's envelope `{success, message, data}` (management/README.md section 1); refusals are thrown and carry the honest status besides.
 */
import type { Schema } from 'joi'
import type { EndpointRoute } from './endpoint.js'
import type { Json } from './json.js'
import type { Manifest, RouteManifest } from './manifest.js'
import type { RequestId } from './names.js'

/** Who is calling, as of this request. Roles: 1 common, 10 admin, 100 root. */
export interface Principal {
  readonly userId: number
  readonly username: string
  readonly role: number
  readonly group: string
  /** How they showed it; some verbs are for live sessions only. */
  readonly via: 'session' | 'accessToken'
  readonly sessionId?: string
  /** The access token shown; absent for sessions. */
  readonly accessToken?: ShownAccessToken
}

export interface ShownAccessToken {
  readonly id: number
  /** Given by its owner, for them to tell their tokens apart. */
  readonly name: string
  /** What it is confined to, within what its owner may do at this moment; `all`: not confined. */
  readonly scopes: readonly string[]
  /** Quota it may credit and debit a day (UTC), together, without a person who verifies. Absent: none. */
  readonly dailyCredit?: bigint
}

export interface ManagementRequest<Query = unknown, Body = unknown> {
  readonly requestId: RequestId
  readonly params: Readonly<Record<string, string>>
  /** Checked by the route's schema. */
  readonly query: Query
  /** Checked by the route's schema; undefined where the route takes none. */
  readonly body: Body
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The caller's address behind trusted proxies. */
  readonly address: string
  /** The request came by HTTPS, directly or through a trusted proxy. */
  readonly secure: boolean
  readonly principal?: Principal
  /** Aborts when the caller leaves before the answer. For work that only an answer makes worth doing; writes go on. */
  readonly signal?: AbortSignal
  /** Keys a write that moves money: user, route and `Idempotency-Key`, else the request id (BILL-2). */
  readonly moneyKey: string
  /** SHA-256 of the request under the caller's own `Idempotency-Key`. Absent: the caller named none. */
  readonly moneyPrint?: Buffer
}

export interface ManagementRoute {
  /**
   * joi schemas; they also make the OpenAPI document. Absent: nothing is taken. A field whose own check states nothing about
   * its type adds it: `.description('…')`, or `.meta({ openapi: { … } })` with a JSON Schema.
   */
  readonly query?: Schema
  readonly params?: Schema
  readonly body?: Schema
  /**
   * joi schema of `data` in a successful response, or of the whole body where `bare`. A key is always there unless the schema
   * calls it `.optional()`, and there are no keys beside those it names. `.id('Vendor')` makes an object a named schema of the
   * OpenAPI document; a place that refers to it may add `.allow(null)` and nothing else, since a description of its own would
   * make it another form. Only documents and tests read it; no response is checked while serving.
   */
  readonly response?: Schema
  /** Fields the envelope has beside `data`, as `Answer.beside` sets them. */
  readonly beside?: Readonly<Record<string, Schema>>
  /** Statuses of 400 and more that the handler itself returns, beside those every route may be refused with. */
  readonly failureStatuses?: readonly number[]
  /** The answer is a body of its own, without the envelope; the OpenAPI document states that. */
  readonly bare?: boolean
  /** A successful answer is a file of this media type, as `application/pdf` (`Answer.bytes`). In place of `response`. */
  readonly mediaType?: string
  /** It reads many rows for a list, a search or sums: few of these run at once, the others wait for their turn. */
  readonly searches?: boolean
  /** Under the limiter `secrets`: this call writes a key or a secret, so it is counted. Absent: every call does. */
  // biome-ignore lint/suspicious/noExplicitAny: the schema above is what gives the body its type.
  writesSecrets?(body: any): boolean
  // biome-ignore lint/suspicious/noExplicitAny: the schema above is what gives the request its type.
  handle(request: ManagementRequest<any, any>): Promise<unknown> | unknown
}

export interface Management {
  /** By route name of the manifest. */
  readonly routes: Readonly<Record<string, ManagementRoute>>
}

/** A route of a plugin in use: what its manifest declares, and what its code adds. */
export interface LoadedRoute {
  readonly manifest: Manifest
  readonly declared: RouteManifest
  /** Of a management area. */
  readonly management?: ManagementRoute
  /** Of an endpoint. */
  readonly endpoint?: EndpointRoute
}

/** Returned by a handler that sets more than `data`. */
export interface Answer {
  readonly answer: true
  readonly status?: number
  readonly data?: unknown
  readonly message?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** What the audit log records besides, where the route alone is not enough. */
  readonly audit?: AuditNote
  /** Fields beside `data` (the family has some). */
  readonly beside?: Readonly<Record<string, Json>>
  /** The whole body, in place of the envelope. */
  readonly bare?: unknown
  /** The same as JSON text that was made before. */
  readonly text?: string
  /** A file to be saved, in place of the envelope. The route declares its `mediaType`. */
  readonly bytes?: AnswerFile
}

export interface AnswerFile {
  readonly body: Buffer
  /** Media type, as the route declares it. */
  readonly type: string
  /** What it is saved as; any text, of which no path is left. */
  readonly fileName: string
}

/** What a handler adds to the audit line of its write. Never a secret. */
export interface AuditNote {
  /** The route changes something as a rule and has only read this time: nothing is recorded. */
  readonly onlyRead?: true
  /** Who acted, where nobody was signed in before: a login, a registration. */
  readonly actor?: { readonly userId: number; readonly username: string; readonly role: number }
  /** What it was done to, as `user 7`. */
  readonly object?: string
  /** A few words, as `promote`. */
  readonly detail?: string
  /** States before and after; only their hashes are kept. */
  readonly before?: unknown
  readonly after?: unknown
}

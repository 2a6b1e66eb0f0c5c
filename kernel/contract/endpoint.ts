/**
 * A relay endpoint: what API clients call. Most only read the request and send it down the line; a few (the model
 * list) answer by themselves. Errors take the route's format either way.
 */
import type { Body } from './body.js'
import type { ByteSource } from './bytes.js'
import type { Client, Credential } from './client.js'
import type { RequestHints } from './format.js'
import type { JsonObject } from './json.js'
import type { FormatName, OperationName, RequestId } from './names.js'

export interface Inbound {
  readonly requestId: RequestId
  readonly method: string
  readonly path: string
  readonly params: Readonly<Record<string, string>>
  readonly client: Client
  /** It came by HTTPS, here or to a proxy that is named. Absent: by plain HTTP. */
  readonly secure?: boolean
  /** Decompressed and within the route's limit; empty when the route takes none. */
  readonly payload: Buffer
  /** Who calls, as the route's `caller` found out before the body was read. */
  readonly credential?: Credential
}

/** What an endpoint makes of a request for the line. */
export interface RelayRequest {
  readonly operation: OperationName
  readonly format: FormatName
  readonly body: Body
  readonly credential: Credential
  /** What the address states of the request. Absent: the body holds everything. */
  readonly hints?: RequestHints
  /** The group the client names. */
  readonly requestedGroup?: string
  /** For an operation requested in another form than its own. Absent: the client uses the operation's form. */
  readonly dialect?: Dialect
  /** Only of operations whose requests are media tasks. Absent: nothing beside the body. */
  readonly task?: TaskRequest
}

/** What a media task needs beside its body. */
export interface TaskRequest {
  /** The task it goes on from, as clients know it. */
  readonly originId?: string
  /** One that has not succeeded will do. */
  readonly originUnfinished?: true
  /** The client's address for reports of this task. It is checked before the task is planned. */
  readonly callbackUrl?: string
  /** What the client calls that field. Absent: `callback_url`. */
  readonly callbackField?: string
}

/** How a client's own words for an operation, put into the operation's form by its endpoint, find their way back. */
export interface Dialect {
  /** Members of the body that only upstreams which name them take (`Adapter.takes`); the others are sent the body without them. */
  readonly optional: readonly string[]
  /** A whole answer in the client's words. */
  answer(body: JsonObject): JsonObject
}

export interface Endpoint {
  /** By route name of the manifest. */
  readonly routes: Readonly<Record<string, EndpointRoute>>
}

export type EndpointRoute =
  /**
   * Throws a `Refusal`; checks the declared content type first (FMT-16). What it answers by itself goes down no line: at an address
   * with several actions only some of them are for an upstream.
   */
  | (CallerKnown & {
      readonly kind: 'relay'
      receive(inbound: Inbound): Received | Promise<Received>
    })
  | (CallerKnown & { readonly kind: 'answer'; answer(inbound: Inbound): Promise<EndpointAnswer> })
  /** Bytes that pass through as fast as the client takes them, e.g. a clip. Of HEAD the head alone is sent. */
  | (CallerKnown & { readonly kind: 'stream'; open(inbound: Inbound): Promise<EndpointStream> })
  /** GET: requests a WebSocket, which the client gets once the upstream's is open; every refusal is plain HTTP. */
  | { readonly kind: 'socket'; receive(inbound: Inbound): RelayRequest | Promise<RelayRequest> }

export type Received = RelayRequest | EndpointAnswer

/** A body is read only once it is known who sends it. */
export interface CallerKnown {
  /**
   * Who calls, by the head of the request alone; throws a `Refusal`, or rejects with one. Absent: by the API key that
   * stands where clients of the route's format put it, where the manifest requires one.
   */
  caller?(head: Pick<Inbound, 'method' | 'client' | 'secure'>): Credential | Promise<Credential>
}

export interface EndpointAnswer {
  readonly status: number
  /** Beside the body, lower case. Absent: none. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body: JsonObject
}

export interface EndpointStream {
  readonly status: number
  /** Lower case. What describes the content passes, its length and range included; others do not. */
  readonly headers: Readonly<Record<string, string>>
  /** Of a length the headers state it has to be exactly that long, or the client's connection is cut. */
  readonly body: ByteSource
}

/**
 * The record of one relayed request. It grows along the line: each stage takes a readonly record and returns the field
 * or two it adds, and nothing after a stage changes what was decided before it. What changes over
 * a request is its Hold, and the times it reached what.
 */

import type { Body } from '../body.js'
import type { ByteRoom } from '../bytes.js'
import type { Call } from '../call.js'
import type { Client, Credential } from '../client.js'
import type { Dialect, TaskRequest } from '../endpoint.js'
import type { Usage } from '../event.js'
import type { Format, Limits, RequestHints } from '../format.js'
import type { OperationName, RequestId } from '../names.js'
import type { Operation } from '../operation.js'
import type { Adapter } from '../provider.js'
import type { Sink } from '../sink.js'
import type { LinkedTask, TaskContext } from '../task.js'
import type { AttemptTrace } from './attempt.js'
import type { AffinityTie, Channel, Claim, Route } from './channel.js'
import type { KeyUse } from './key-use.js'
import type { Hold, LogDraft, Price, PriceTable } from './money.js'
import type { Token, User } from './people.js'
import type { Recording } from './recording.js'
import type { Reply } from './reply.js'

export interface Received {
  readonly requestId: RequestId
  /** Unix milliseconds. */
  readonly receivedAt: number
  readonly operation: OperationName
  /** How the operation is read and billed. Absent: it is chat, which `format` describes fully. */
  readonly work?: Operation
  /** The client's format: how errors and answers are dressed. */
  readonly format: Format
  /** Path the client called, for the log. */
  readonly path: string
  readonly body: Body
  readonly client: Client
  readonly credential: Credential
  /** What the address states of the request. Absent: the body holds everything. */
  readonly hints?: RequestHints
  /** The group the client names; it goes before any stored policy (FMT-15). */
  readonly requestedGroup?: string
  /** The form in which the client requests the operation. Absent: the operation's own. */
  readonly dialect?: Dialect
  /** Absent: it is no media task, or one that needs nothing beside its body. */
  readonly task?: TaskRequest
  readonly sink: Sink
  /** Where whole answers of upstreams are held. Absent: nobody counts them. */
  readonly room?: ByteRoom
  /**
   * When what was reached, in whole milliseconds since receipt; −1: not reached. Three moments of the request, then five of each
   * try (`requestMoments`, `tryMoments` of the room `stage`). Written while the request runs. Absent: nobody keeps them.
   */
  readonly times?: number[]
}

export interface Admitted extends Received {
  readonly user: User
  /** Absent: the Playground's session. */
  readonly token?: Token
  /** The channel an admin's key names behind its second dash. Absent: any. */
  readonly pinned?: number
  /** Absent: what this request holds is not kept. */
  readonly recording?: Recording
}

export interface Planned extends Admitted {
  /** The requested model. */
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
  /** Absent: the key has no limits. */
  readonly keyUse?: KeyUse
  /** What adapters of media tasks are given beside the request. Absent: it is none. */
  readonly taskContext?: TaskContext & { readonly origin?: LinkedTask }
}

/** Made by the attempt loop only: what it has learned so far. */
export interface Attempt extends Planned {
  /** Counts from 1. */
  readonly number: number
  /** What failed before, in order: none of these channels, whatever key it has left, takes this try (ROUTE-3). */
  readonly tried: readonly AttemptTrace[]
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
  /** The client's names of tools by those sent to this upstream, where it refuses the client's. Absent: all are the same. */
  readonly toolNames?: ReadonlyMap<string, string>
  /** Cosmetic fields this upstream cannot be sent (header `X-Waybill-Lost`). */
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

export interface Opened extends Reserved {
  readonly reply: Reply
  /** Milliseconds from receipt to the upstream's first content. */
  readonly firstMs: number
}

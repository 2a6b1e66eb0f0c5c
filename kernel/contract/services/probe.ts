/** Requests to one channel along the line that nobody pays for. */

import type { Body } from '../body.js'
import type { Client } from '../client.js'
import type { Usage } from '../event.js'
import type { Failure } from '../failure.js'
import type { RequestHints } from '../format.js'
import type { Channel, ChannelKey } from '../line/channel.js'
import type { FormatName, OperationName } from '../names.js'

/** Sends one request down the line to one channel, without a caller and without money: a test of the channel. */
export interface Probe {
  /** Mapping, override and upstream stage run as for everybody; the answer is read to its end, within bounds. */
  run(request: ProbeRequest): Promise<ProbeResult>
}

export interface ProbeRequest {
  readonly channel: Channel
  readonly key: ChannelKey
  readonly operation: OperationName
  /** The client's format a caller would use. */
  readonly format: FormatName
  /** Holds the model under the name callers use. */
  readonly body: Body
  readonly hints?: RequestHints
  /** Whose request it is: headers that a provider forwards. Absent: the gateway's own. */
  readonly client?: Client
  /** Its client leaves with the first bytes of the answer: that they came is all that is wanted. */
  readonly leavesEarly?: true
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

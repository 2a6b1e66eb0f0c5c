/** Where a request may go: channels with their keys, and the groups in the order they are tried. */

import type { Failure } from '../failure.js'
import type { JsonObject } from '../json.js'
import type { ChannelView } from '../provider.js'
import type { CostTerms } from './money.js'

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
  /** What to do with an upstream whose client left (M11). */
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
  /** What its upstream charges. Absent: that is not known. */
  readonly costTerms?: CostTerms
}

/** Groups in the order they are tried. */
export interface Route {
  readonly groups: readonly string[]
  /** After a failure the next group may be tried. */
  readonly crossGroup: boolean
  /** The only channel that may take the request, and only once. Absent: any. */
  readonly pinned?: number
  /** The only key of it. Absent: any. */
  readonly pinnedKey?: number
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

/** The place a try takes in the watch over its channel. */
export interface Claim {
  /** Called exactly once, when the round ended: without a failure the channel has answered. */
  ended(failure?: Failure): void
}

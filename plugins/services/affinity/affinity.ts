/**
 * Affinity: requests that belong together, such as the turns of one session, go to the channel that answered the first
 * of them, so that the upstream's prompt cache is hit. Ties live in the memory of the processes of this address.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { JsonObject } from '../../../kernel/contract/json.js'

export interface Affinity {
  /** What ties this request to a channel, by the first rule that finds a key in it; undefined: nothing does. Counts. */
  match(query: AffinityQuery): AffinityMatch | undefined
  /** The request was answered well by this channel: the tie is made, moved or lives on. */
  remember(match: AffinityMatch, answered: AffinityAnswer): void
  /** The remembered channel could not take the request: it is forgotten, so that nobody is trapped on it. */
  forget(match: AffinityMatch, channelId: number): void
  /** Of every rule, in order; counted by the processes of this address since each started. */
  stats(): Promise<readonly RuleStats[]>
  /** Ends the ties of one rule, or all, in this process; answers how many there were. */
  clear(rule?: string): number
}

export interface AffinityQuery {
  readonly userId: number
  readonly userGroup: string
  readonly model: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Absent: the request has no JSON. */
  readonly body: JsonObject | undefined
}

export interface AffinityMatch {
  /** Name of the rule. */
  readonly rule: string
  /** Digest of what the tie belongs to; the user is always part of it. */
  readonly key: string
  /** The remembered channel. Absent: none yet. */
  readonly channelId?: number
  /** The rule forbids a retry elsewhere; only ever true with a remembered channel. */
  readonly skipRetry: boolean
  /** How often the ties of the rule had been cleared: a request under way since before makes none of them anew. */
  readonly era?: number
}

export interface AffinityAnswer {
  readonly channelId: number
  /** Input tokens the upstream read from its cache. */
  readonly cachedTokens: number
}

export interface RuleStats {
  readonly rule: string
  /** Ties alive now. */
  readonly entries: number
  /** Matched requests with a remembered channel, and without. */
  readonly hits: number
  readonly misses: number
  /** Sum over the answers of matched requests. */
  readonly cachedTokens: number
}

/** Row ids of the change topic `affinity`: what every process clears. */
export type AffinityClearing = 'all' | `rule ${string}`

declare module '../../../kernel/contract/service.js' {
  interface Services {
    affinity: Affinity
  }
}

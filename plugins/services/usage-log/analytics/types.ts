/** Figures of usage over days (UTC), of everybody or of one of what is counted by. */

export type Dimension = 'model' | 'channel' | 'token' | 'user' | 'group'

export type Measure = 'requests' | 'errors' | 'quota' | 'tokens'

/** At most one of model, channel, token and group. With a user: of theirs alone, and no channel. */
export interface UsageScope {
  readonly userId?: number
  readonly model?: string
  readonly channelId?: number
  readonly tokenId?: number
  readonly group?: string
}

/** The first and the last day, Unix seconds of their beginnings. */
export interface DaySpan {
  readonly from: number
  readonly to: number
}

export interface UsageSums {
  /** Charges. */
  readonly requests: bigint
  readonly errors: bigint
  /** Charges less refunds. */
  readonly quota: bigint
  /** Those of caches included. */
  readonly inputTokens: bigint
  readonly cacheReadTokens: bigint
  readonly cacheWriteTokens: bigint
  readonly outputTokens: bigint
}

/** Milliseconds, off by a tenth at most. */
export interface Percentiles {
  readonly p50: number
  readonly p95: number
  readonly p99: number
}

export interface UsageFigures extends UsageSums {
  /** Absent: nothing was timed. */
  readonly tokensPerSecond?: number
  readonly latency?: Percentiles
  /** Of streams. */
  readonly firstToken?: Percentiles
}

export interface UsageStep extends UsageFigures {
  /** Beginning of the hour or day, Unix seconds. */
  readonly at: number
}

/** What a channel, an API key or a user of the scope is called now. */
export interface ScopeName {
  /** Empty: there is none, or none any more. */
  readonly name: string
  readonly isDeleted: boolean
}

/** Of what the scope names by its id. */
export interface ScopeNames {
  readonly channel?: ScopeName
  readonly token?: ScopeName
  /** The owner of an API key as well. */
  readonly user?: ScopeName
}

export interface UsageOverview {
  /** Counted up to this moment, Unix seconds. Absent: nothing is counted yet. */
  readonly asOf?: number
  /** False: usage of before an upgrade is still being counted. */
  readonly isWhole: boolean
  readonly step: 'hour' | 'day'
  readonly totals: UsageFigures
  /** As many days before. Where the last day is not over, theirs ends at the same hour. */
  readonly before: UsageFigures
  /** Steps without any usage are left out. */
  readonly series: readonly UsageStep[]
  readonly names: ScopeNames
}

export interface RankedUsage extends UsageFigures {
  /** Of a channel, an API key or a user. 0: none. */
  readonly id: number
  readonly name: string
  /** Of the API key or user. */
  readonly userId: number
  readonly username: string
}

export interface UsageRanking {
  readonly items: readonly RankedUsage[]
  /** All that are not listed. */
  readonly others: UsageSums
}

export interface RankingQuery extends DaySpan {
  readonly dimension: Dimension
  readonly order: Measure
  readonly limit: number
  /** Of this user's usage alone. */
  readonly userId?: number
}

export interface ErrorCount {
  readonly code: string
  readonly status: number
  readonly errors: bigint
}

/** How fast a model was over a day, and how available. */
export interface ModelSpeed {
  /** Absent: nothing was timed. */
  readonly tokensPerSecond?: number
  /** Of streams: half of them began sooner. Absent: there were none. */
  readonly firstTokenMs?: number
  /** The last 24, the oldest first. */
  readonly hours: readonly SpeedHour[]
}

export interface SpeedHour {
  /** Its beginning (UTC), Unix seconds. */
  readonly at: number
  /** Absent, with `failed`: not known. */
  readonly requests?: number
  /** For which the request was not to blame. */
  readonly failed?: number
}

/**
 * What others see of the usage log: pages and searches of the rows the ledger wrote with its settlements and of requests
 * that failed, and sums of the former. Every read is bounded in rows and throws `invalid_field` when it would take longer
 * than two seconds.
 */
import type { Whole } from '../../../kernel/toolkit/management/index.js'
import type { KeySpending } from './analytics/key-spending.js'
import type {
  CostDay,
  DayMargin,
  MarginOverview,
  MarginQuery,
  MarginRanking,
  MarginScope,
} from './analytics/margin-types.js'
import type {
  DaySpan,
  ErrorCount,
  ModelSpeed,
  RankingQuery,
  UsageOverview,
  UsageRanking,
  UsageScope,
} from './analytics/types.js'

export type { KeySpending } from './analytics/key-spending.js'
export type * from './analytics/margin-types.js'
export type * from './analytics/types.js'

export interface UsageLog {
  /** Newest first. */
  page(query: LogQuery): Promise<LogPage>
  /**
   * The newest hundred rows that have the keyword as their request id, or hold it in a name. Looked through are the 20,000 names
   * of models, API keys and users that were used last, to the day, and all names that begin with it.
   */
  search(query: LogSearch): Promise<readonly LogRecord[]>
  /** The newest thousand rows of one API key, as its owner may see them. */
  ofToken(token: OwnedKey): Promise<readonly LogRecord[]>
  /** Names of models that were used and hold the word, the first twenty, the last used first. */
  modelsLike(word: string): Promise<readonly string[]>
  /** What is known of one request; only where it is this user's, where one is named. Undefined: nothing is. */
  trace(requestId: string, userId?: number): Promise<RequestTrace | undefined>
  /** What an API key may spend and has spent. Undefined: there is no such API key. */
  ofKey(id: number): Promise<KeyUsage | undefined>
  /** What an API key spent by day and by model, the moment's included, from that day on (Unix seconds of its beginning). */
  keySpending(token: OwnedKey, from: number): Promise<KeySpending>
  /** Sums over a filter. A type among its terms is not looked at: charges less refunds are what is summed. */
  totals(filter: LogFilter): Promise<LogTotals>
  /** Sums for charts, oldest first, the moment's included. Throws `invalid_field` above 20,000 rows. */
  chart(query: ChartQuery): Promise<readonly ChartRow[]>
  /** Totals and steps of a span of days. What came last is missing: see `asOf`. */
  overview(span: DaySpan, scope: UsageScope): Promise<UsageOverview>
  /** The greatest of a span of days. */
  ranking(query: RankingQuery): Promise<UsageRanking>
  /** Why requests failed: the fifty most frequent causes. */
  errorCounts(span: DaySpan, scope: UsageScope): Promise<readonly ErrorCount[]>
  /** Earnings and upstream costs of a span of days: for admins alone. */
  margins(span: DaySpan, scope: MarginScope): Promise<MarginOverview>
  /** The same by channel, model or user. */
  marginRanking(query: MarginQuery): Promise<MarginRanking>
  /** What a channel cost by day and by the model its upstream was asked for. More than `limit` rows: there are more. */
  costDays(span: DaySpan, channelId: number, limit: number): Promise<readonly CostDay[]>
  /** Of all and of each channel on one day, Unix seconds. */
  dayMargins(day: number): Promise<readonly DayMargin[]>
  /** Models of a channel by use, among its newest 5,000 rows since that moment (Unix seconds). */
  modelsOfChannel(channelId: number, from: number): Promise<ChannelModels>
  /** Of these models over the last 24 hours, as far as they are counted. Those nobody called are not in it. */
  modelSpeeds(models: readonly string[]): Promise<ReadonlyMap<string, ModelSpeed>>
  /** Cumulative usage of these channels or of all, charges less refunds. Channels never used are not in it. */
  channelUsage(ids?: readonly number[]): Promise<ReadonlyMap<number, bigint>>
  /**
   * Deletes rows older than this moment (Unix seconds) and answers how many. Rows not summed yet stay; sums stay too,
   * so that charts, totals and the books lose nothing.
   */
  trim(before: number): Promise<number>
  /** Sums what is old enough. Runs by itself, callable for tests. */
  roll(): Promise<void>
  /** Writes the rows of requests that failed so far. Runs by itself, callable for tests. */
  flush(): Promise<void>
}

/** An API key and whose it is. */
export interface OwnedKey {
  readonly id: number
  readonly userId: number
}

export interface LogFilter {
  /** Only this user's rows, as their owner may see them: no channel, no retry chain. Absent: everybody's. */
  readonly userId?: number
  readonly type?: number
  /** Unix seconds; both ends count. */
  readonly from?: number
  readonly to?: number
  readonly username?: string
  readonly tokenName?: string
  /** Exact; with one trailing `%` what begins so; between two `%` what holds it. Other signs stand for themselves. */
  readonly model?: string
  readonly channelId?: number
  readonly group?: string
  readonly requestId?: string
  /** Of requests that failed. */
  readonly errorCode?: string
}

export interface LogQuery extends LogFilter {
  /** Pages reach 100,000 rows. */
  readonly page: number
  readonly pageSize: number
  /** What a page had as `next`: of the rows that come after it. */
  readonly before?: string
}

export interface LogSearch {
  /** Model, token and, unless `userId` is given, user names are looked through for it, in any case. */
  readonly keyword: string
  readonly userId?: number
}

export interface LogPage {
  readonly items: readonly LogRecord[]
  /** Counted up to 10,000; a larger log shows 10,000. */
  readonly total: number
  /** Where the rows after these begin. Empty: there are none. */
  readonly next: string
}

/** One request as the log has it. */
export interface RequestTrace {
  /** Its charge or its error; else the first row it has. */
  readonly row: LogRecord
  /** The others, such as refunds, oldest first. */
  readonly others: readonly LogRecord[]
  readonly channelId?: number
  /** Of a channel with several keys, the one that served it. */
  readonly keyId?: number
  /** As `requestMoments` and `tryMoments` name them. */
  readonly times: readonly number[]
  readonly durationMs: number
  /** The tries that failed. Empty where nothing of channels may be seen. */
  readonly tried: readonly TriedChannel[]
  readonly upstreamRequestId?: string
}

export interface TriedChannel {
  readonly channel: number
  readonly channelName: string
  readonly keyId?: number
  readonly group: string
  readonly status: number
  readonly code: string
  readonly said: string
  readonly upstreamRequestId?: string
}

export interface ChannelModels {
  readonly models: readonly ModelUse[]
  /** Rows that were looked at; older ones of the span are not counted where this is 5,000. */
  readonly rows: number
}

export interface ModelUse {
  readonly model: string
  readonly requests: number
  readonly errors: number
  readonly quota: bigint
  readonly tokens: bigint
}

/** Amounts in quota. */
export interface KeyUsage {
  readonly name: string
  /** Given in all, spent or not. Absent: no cap of its own. */
  readonly limit?: bigint
  readonly used: bigint
  /** Set aside for requests under way. */
  readonly held: bigint
  /** Unix seconds; 0: never. */
  readonly expiresAt: number
  readonly modelLimitsEnabled: boolean
  readonly modelLimits: readonly string[]
  /** Absent: none. */
  readonly budget?: KeyBudget
}

export interface KeyBudget {
  readonly quota: bigint
  readonly period: 'day' | 'week' | 'month'
  readonly used: bigint
  readonly held: bigint
  /** Unix seconds. */
  readonly resetsAt: number
}

export interface LogTotals {
  /** Charges less refunds. */
  readonly quota: bigint
  /** Charges of the last minute, whatever span the filter names. */
  readonly requestsPerMinute: number
  readonly tokensPerMinute: number
}

export interface ChartQuery {
  /** Rows by model, or by user. */
  readonly by: 'model' | 'user'
  /** `all`: one sum of the whole span. */
  readonly step: 'hour' | 'day' | 'week' | 'all'
  /** So many models or users each for itself, by quota; the rest is one sum, that of user 0 and no model. Absent: all. */
  readonly top?: number
  /** Unix seconds; the hours they fall into count whole. */
  readonly from: number
  readonly to: number
  readonly userId?: number
  readonly username?: string
}

export interface ChartRow {
  /** Beginning of the hour, day, week (Monday) or span in UTC, Unix seconds. */
  readonly at: number
  /** 0 and empty where rows are by model of everybody, or of the rest. */
  readonly userId: number
  readonly username: string
  /** Empty where rows are by user, or of the rest. */
  readonly model: string
  readonly count: number
  readonly quota: bigint
  /** Prompt and completion together. */
  readonly tokens: bigint
}

/** The family's log record (management/README.md section 8); whole numbers, times in Unix seconds. */
export interface LogRecord {
  /** Of this row alone and for good, also among several of one request; the newer of two is not always the larger. */
  readonly id: Whole
  readonly user_id: number
  readonly created_at: number
  /** 1 top-up, 2 consume, 3 manage, 4 system, 5 error, 6 refund. */
  readonly type: number
  readonly content: string
  readonly username: string
  readonly token_id: number
  readonly token_name: string
  readonly model_name: string
  readonly quota: Whole
  readonly prompt_tokens: number
  readonly completion_tokens: number
  /** Seconds, rounded up. */
  readonly use_time: number
  readonly is_stream: boolean
  readonly channel: number
  readonly channel_name: string
  readonly group: string
  readonly ip: string
  readonly request_id: string
  /** JSON text: price inputs and further facts. */
  readonly other: string
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'usage-log': UsageLog
  }
}

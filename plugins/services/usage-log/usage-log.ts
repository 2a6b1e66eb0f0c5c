/** What others see of the usage log: pages of rows the ledger wrote with its settlements. */
export interface UsageLog {
  /** Newest first. Throws `invalid_field` when the search would take longer than five seconds. */
  page(query: LogQuery): Promise<LogPage>
}

export interface LogQuery {
  /** Only this user's rows, as their owner may see them: no channel, no retry chain. Absent: everybody's. */
  readonly userId?: number
  readonly type?: number
  /** Unix seconds. */
  readonly from?: number
  readonly to?: number
  readonly username?: string
  readonly tokenName?: string
  /** Exact, or with one trailing `%` for a prefix. */
  readonly model?: string
  readonly channelId?: number
  readonly group?: string
  readonly requestId?: string
  readonly page: number
  readonly pageSize: number
}

export interface LogPage {
  readonly items: readonly LogRecord[]
  /** Counted up to 10,000; a larger log says 10,000. */
  readonly total: number
}

/** The family's log record (family.md 2.8); whole numbers, times in Unix seconds. */
export interface LogRecord {
  /** Place in the whole list, 1 for the newest: rows have no number of their own. */
  readonly id: number
  readonly user_id: number
  readonly created_at: number
  /** 1 top-up, 2 consume, 3 manage, 4 system, 5 error, 6 refund. */
  readonly type: number
  readonly content: string
  readonly username: string
  readonly token_id: number
  readonly token_name: string
  readonly model_name: string
  readonly quota: number
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

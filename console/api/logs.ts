/** The usage log: pages and sums over a filter, one's own or everybody's, and what a row's `other` holds. */
import type { Scope } from './data.js'
import { readUsableModels } from './groups.js'
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

/** Types of the rows that are about a request. */
export const logTypes = { charge: 2, failure: 5, refund: 6 } as const

/** Other types move no money of a request. */
export function isPriced({ type }: Pick<LogRow, 'type'>): boolean {
  return type === logTypes.charge || type === logTypes.refund
}

export type LogRow = components['schemas']['LogRow']

/** Zeros and empty texts stand for any. */
export interface LogFilter {
  readonly type: number
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly token_name: string
  readonly model_name: string
  readonly group: string
  readonly request_id: string
  readonly username: string
  readonly channel: number
  /** Of requests that failed; exact. */
  readonly error_code: string
}

/** What `other` may hold beside the price. Amounts in quota, times in milliseconds. */
export interface LogFacts {
  readonly frt?: number
  readonly use_time_ms?: number
  readonly request_path?: string
  /** The media task it is about. */
  readonly task_id?: string
  readonly outcome?: string
  readonly failure?: string
  readonly usage_anomaly?: boolean
  /** By count: what was reported and could not be, and what is charged. */
  readonly usage_corrected?: Readonly<
    Record<string, { readonly reported: number | string; readonly charged: number }>
  >
  readonly reasoning_tokens?: number
  readonly reserved_quota?: number | string
  readonly shortfall_quota?: number | string
  readonly is_model_mapped?: boolean
  readonly upstream_model_name?: string
  readonly counts?: Readonly<Record<string, number>>
  /** Of errors: what the client got, and how many more of the minute this row stands for. */
  readonly status_code?: number
  readonly error_code?: string
  readonly error_type?: string
  readonly further_errors?: number
  readonly admin_info?: AdminFacts
  readonly [more: string]: unknown
}

interface AdminFacts {
  /** Ids of the channels tried, in order. */
  readonly use_channel?: readonly number[]
  readonly attempts?: readonly LogAttempt[]
  readonly local_count_tokens?: readonly string[]
  readonly multi_key_index?: number
  readonly channel_affinity?: string
  readonly override_audit?: readonly string[]
  readonly upstream_request_id?: string
  /** Billionths of a US dollar. Absent: it is not known. */
  readonly upstream_cost?: number | string
  /** Of calls that were not charged. */
  readonly attempt_costs?: readonly AttemptCost[]
}

export interface AttemptCost {
  readonly channel: number
  /** Absent: it was deleted. */
  readonly channel_name?: string
  /** As it is sent upstream. */
  readonly model: string
  /** Digits, billionths of a US dollar; null: it is not known. */
  readonly cost: string | null
}

/** A channel that was tried before the one that served the request, or failed as the last. */
export interface LogAttempt {
  readonly channel: number
  /** As it is called now; absent: it was deleted. */
  readonly channel_name?: string
  readonly group: string
  readonly status: number
  readonly code: string
}

export type LogSums = components['schemas']['LogSums']

export function readLog(
  scope: Scope,
  query: PageQuery & Partial<LogFilter>,
  signal?: AbortSignal,
): Promise<Page<LogRow>> {
  return request('GET', scope === 'own' ? '/api/log/self' : '/api/log/', {
    query: queryOf(scope, query),
    signal,
  })
}

export function readLogSums(
  scope: Scope,
  filter: Partial<LogFilter>,
  signal?: AbortSignal,
): Promise<LogSums> {
  return request('GET', scope === 'own' ? '/api/log/self/stat' : '/api/log/stat', {
    query: queryOf(scope, filter),
    signal,
  })
}

/** Names to filter by: of everybody those that were used, of oneself those that may be. */
export async function modelsLike(scope: Scope, keyword: string): Promise<readonly string[]> {
  if (scope === 'all') return request('GET', '/api/log/models', { query: { keyword } })
  const word = keyword.toLowerCase()
  const all = await readUsableModels()
  return all.filter((name) => name.toLowerCase().includes(word)).slice(0, 20)
}

/** What a row holds beside its columns; nothing where it cannot be read. */
export function factsOf({ other }: Pick<LogRow, 'other'>): LogFacts {
  try {
    const facts: unknown = JSON.parse(other)
    return typeof facts === 'object' && facts !== null ? (facts as LogFacts) : {}
  } catch {
    return {}
  }
}

/** People look for a part of a name; the log takes that between two `%`. */
function queryOf<Query extends Partial<LogFilter>>(scope: Scope, query: Query) {
  const { model_name = '', username, channel, ...rest } = query
  const model = model_name === '' || model_name.includes('%') ? model_name : `%${model_name}%`
  const ofAll = scope === 'all' ? { username, channel: channel || undefined } : {}
  return { ...rest, ...ofAll, model_name: model }
}

/** Sums of usage for charts: `GET /api/data/…`, one's own or everybody's. */
import { request } from './request.js'

export type Scope = 'own' | 'all'

export interface UsageSum {
  /** Beginning of the hour, or day in UTC, Unix seconds. */
  readonly created_at: number
  readonly username: string
  readonly model_name: string
  readonly count: number
  /** May be text where it is larger than a number is exact, as the next. */
  readonly quota: number | string
  readonly token_used: number | string
}

export interface UsageSpan {
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly default_time: 'hour' | 'day'
}

export function readUsageByModel(
  scope: Scope,
  span: UsageSpan,
  signal?: AbortSignal,
): Promise<readonly UsageSum[]> {
  const path = scope === 'own' ? '/api/data/self' : '/api/data/'
  return request('GET', path, { query: { ...span }, signal })
}

/** Admins only. */
export function readUsageByUser(
  span: UsageSpan,
  signal?: AbortSignal,
): Promise<readonly UsageSum[]> {
  return request('GET', '/api/data/users', { query: { ...span }, signal })
}

/** Sums of usage for charts: `GET /api/data/…`, one's own or everybody's. */
import { request } from './request.js'
import type { components } from './schema.js'

export type Scope = 'own' | 'all'

export type UsageSum = components['schemas']['UsageSum']

export interface UsageSpan {
  readonly start_timestamp: number
  readonly end_timestamp: number
  /** `all`: one sum of the whole span. */
  readonly default_time: 'hour' | 'day' | 'all'
  /** So many models or users by name, those that cost most; the rest is one row of each step, of user 0 and no model. */
  readonly top?: number
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

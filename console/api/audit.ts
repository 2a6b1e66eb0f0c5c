/** The audit log: who did what to what, chained by hashes day by day. */
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type AuditEntry = components['schemas']['AuditEntry']

/** Texts are whole, but for `action`, which may be the beginning. */
export interface AuditFilter {
  readonly actor: string
  readonly action: string
  readonly object: string
  readonly request_id: string
  /** What was done to this channel. */
  readonly channel: number
  readonly start_timestamp: number
  readonly end_timestamp: number
}

export function readAudit(
  query: PageQuery & Partial<AuditFilter>,
  signal: AbortSignal,
): Promise<Page<AuditEntry>> {
  return request('GET', '/api/audit/', { query, signal })
}

export type DayVerdict = components['schemas']['AuditVerdict']

/** Root's alone. `day`: as 2026-01-31, in UTC. */
export function verifyDay(day: string): Promise<DayVerdict> {
  return request('GET', '/api/audit/verify', { query: { day } })
}

/** The audit log: who did what to what, chained by hashes day by day. */
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'

export interface AuditEntry {
  readonly id: string | number
  readonly created_at: number
  /** 0 or null: nobody signed in. */
  readonly actor_id: number | null
  readonly actor_name: string
  readonly actor_role: number
  /** How they were signed in. */
  readonly via: string
  readonly ip: string
  readonly action: string
  readonly object: string
  readonly detail: string
  /** Of what it was before and after; empty: unknown. */
  readonly before_hash: string
  readonly after_hash: string
  readonly request_id: string
  readonly hash: string
}

/** Texts are whole, but for `action`, which may be the beginning. */
export interface AuditFilter {
  readonly actor: string
  readonly action: string
  readonly object: string
  readonly request_id: string
  readonly start_timestamp: number
  readonly end_timestamp: number
}

export function readAudit(
  query: PageQuery & AuditFilter,
  signal: AbortSignal,
): Promise<Page<AuditEntry>> {
  return request('GET', '/api/audit/', { query, signal })
}

export interface DayVerdict {
  readonly day: string
  readonly rows: number
  readonly intact: boolean
  /** Hash of the last row that holds. */
  readonly head: string
  /** Hashes of the day that were kept outside the database and compared. */
  readonly heads: number
  /** The first row that does not. */
  readonly broken?: { readonly id: string | number; readonly fault: 'link' | 'content' | 'missing' }
}

/** Root's alone. `day`: as 2026-01-31, in UTC. */
export function verifyDay(day: string): Promise<DayVerdict> {
  return request('GET', '/api/audit/verify', { query: { day } })
}

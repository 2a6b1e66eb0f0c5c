/** What happened to the safety of the signed-in user's own account. */
import { request } from './request.js'

export interface SecurityEvent {
  readonly id: number
  readonly kind: string
  /** Unix seconds. */
  readonly at: number
  readonly address: string
  /** A number as text where there are several of a kind; empty otherwise. */
  readonly detail: string
}

export interface SecurityEvents {
  readonly total: number
  readonly items: readonly SecurityEvent[]
}

export function readSecurityEvents(page: number, page_size: number): Promise<SecurityEvents> {
  return request('GET', '/api/user/self/security_events', { query: { page, page_size } })
}

/** What happened to the safety of the signed-in user's own account. */
import { request } from './request.js'
import type { components } from './schema.js'

export type SecurityEvent = components['schemas']['SecurityEvent']

export interface SecurityEvents {
  readonly total: number
  readonly items: readonly SecurityEvent[]
}

export function readSecurityEvents(page: number, page_size: number): Promise<SecurityEvents> {
  return request('GET', '/api/user/self/security_events', { query: { page, page_size } })
}

/** Everybody's notices and mails on their way. */
import type { Notice } from './notifications.js'
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'

export type OutboxEntry = Notice

/** An empty text and 0 stand for any. */
export interface OutboxFilter {
  readonly state: string
  readonly user_id: number
}

export function readOutbox(
  query: PageQuery & OutboxFilter,
  signal: AbortSignal,
): Promise<Page<OutboxEntry>> {
  return request('GET', '/api/outbox/', { query, signal })
}

/** Root's alone. */
export async function retryNotice(id: number): Promise<void> {
  await request('POST', `/api/outbox/${id}/retry`)
}

/** How notices are sent to the signed-in user, and their delivery. */
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type Way = components['schemas']['NotificationWay']

export interface NoticeSetting {
  readonly notify_type: string
  readonly quota_warning_threshold: number
  /** A notice is sent of sign-ins from a new network or browser. */
  readonly sign_in_notices: boolean
  /** Names of secrets that are kept; they come back blank. */
  readonly stored_secrets: readonly string[]
  readonly fields: readonly Way[]
  readonly [value: string]: unknown
}

export function readNoticeSetting(): Promise<NoticeSetting> {
  return request('GET', '/api/user/setting')
}

/** What is left out stays, and so does a secret that is blank. */
export async function changeNoticeSetting(body: Readonly<Record<string, unknown>>): Promise<void> {
  await request('PUT', '/api/user/setting', { body })
}

export interface TestOutcome {
  readonly delivered: boolean
  readonly reason: string
}

export function sendTestNotice(): Promise<TestOutcome> {
  return request('POST', '/api/user/setting/test')
}

export type Notice = components['schemas']['OutboxNotice']

export function readNotices(query: PageQuery, signal: AbortSignal): Promise<Page<Notice>> {
  return request('GET', '/api/user/notices', { query, signal })
}

/** Sessions of the signed-in user. */
import { request } from './request.js'

export interface Session {
  readonly sid: string
  /** How it was opened. */
  readonly method: string
  readonly address: string
  readonly user_agent: string
  readonly created_at: number
  readonly last_seen_at: number
  /** The session of this request. */
  readonly current: boolean
}

export function readSessions(): Promise<readonly Session[]> {
  return request('GET', '/api/user/sessions')
}

export async function endSession(sid: string): Promise<void> {
  await request('DELETE', `/api/user/sessions/${encodeURIComponent(sid)}`)
}

export async function endOtherSessions(): Promise<void> {
  await request('POST', '/api/user/sessions/revoke-others')
}

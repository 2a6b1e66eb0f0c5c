/** Sessions of the signed-in user. */
import { request } from './request.js'
import type { components } from './schema.js'

export type Session = components['schemas']['Session']

export function readSessions(): Promise<readonly Session[]> {
  return request('GET', '/api/user/sessions')
}

export async function endSession(sid: string): Promise<void> {
  await request('DELETE', `/api/user/sessions/${encodeURIComponent(sid)}`)
}

export async function endOtherSessions(): Promise<void> {
  await request('POST', '/api/user/sessions/revoke-others')
}

/** The signed-in user: `GET /api/user/self`, and the end of the session. */
import { request } from './request.js'
import type { components } from './schema.js'

export type Self = components['schemas']['Self']

export function readSelf(): Promise<Self> {
  return request('GET', '/api/user/self', { ofAnyone: true })
}

export async function signOut(): Promise<void> {
  await request('POST', '/api/user/logout', { body: {}, renewsSession: true })
}

/** What anyone may know of the gateway: `GET /api/status` and `/api/setup`. Fields this console does not know are left alone. */
import { request } from './request.js'
import type { components } from './schema.js'

export type SiteStatus = components['schemas']['Status']

export function readStatus(): Promise<SiteStatus> {
  return request('GET', '/api/status')
}

/** Which version runs, for those who are signed in. */
export async function readVersion(): Promise<string> {
  return (await request<{ version: string }>('GET', '/api/status/version')).version
}

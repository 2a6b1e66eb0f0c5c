/** The authenticator app of the signed-in user, and recovery codes. Whatever changes ends their other sessions. */
import { request } from './request.js'
import type { components } from './schema.js'

export type AppState = components['schemas']['TwoFactorStatus']

export type AppSetup = components['schemas']['TwoFactorSetup']

export function readApp(): Promise<AppState> {
  return request('GET', '/api/user/2fa/status')
}

/** Shown this once; not in force until it is enabled. */
export function setUpApp(): Promise<AppSetup> {
  return request('POST', '/api/user/2fa/setup', { body: {} })
}

export async function enableApp(code: string): Promise<void> {
  await request('POST', '/api/user/2fa/enable', { body: { code }, renewsSession: true })
}

export async function disableApp(code: string): Promise<void> {
  await request('POST', '/api/user/2fa/disable', { body: { code }, renewsSession: true })
}

/** In place of all before, shown this once. */
export async function renewRecoveryCodes(code: string): Promise<readonly string[]> {
  const path = '/api/user/2fa/backup_codes'
  const answer = await request<Pick<AppSetup, 'backup_codes'>>('POST', path, {
    body: { code },
    renewsSession: true,
  })
  return answer.backup_codes
}

/** Passkeys of the signed-in user. */
import { request } from './request.js'
import type { components } from './schema.js'

export type Passkey = components['schemas']['Passkey']

export async function readPasskeys(): Promise<readonly Passkey[]> {
  const { passkeys } = await request<components['schemas']['Passkeys']>('GET', '/api/user/passkey')
  return passkeys
}

/** Has the browser make one. Rejects with the browser's error where the person did not go on. */
export async function addPasskey(name: string): Promise<Passkey> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = await request<CreationOptions>('POST', '/api/user/passkey/register/begin', {
    body: {},
  })
  const made = await startRegistration({ optionsJSON })
  const body = { ...made, name }
  return request('POST', '/api/user/passkey/register/finish', { body, renewsSession: true })
}

export async function renamePasskey(id: number, name: string): Promise<void> {
  await request('PUT', `/api/user/passkey/${id}`, { body: { name } })
}

export async function deletePasskey(id: number): Promise<void> {
  await request('DELETE', `/api/user/passkey/${id}`, { renewsSession: true })
}

type CreationOptions = Parameters<
  typeof import('@simplewebauthn/browser').startRegistration
>[0]['optionsJSON']

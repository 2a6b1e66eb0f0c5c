/** Verification of a sensitive operation (AUTH-4, AUTH-5). Each of these renews the session's id. */
import { request } from './request.js'
import type { components } from './schema.js'

export type VerifyMethod = 'password' | '2fa' | 'passkey' | 'session'

export type Proof = components['schemas']['Proof']

export async function readWays(scope: string): Promise<readonly VerifyMethod[]> {
  const { methods } = await request<{ methods: readonly VerifyMethod[] }>(
    'GET',
    '/api/verify/methods',
    { query: { scope } },
  )
  return methods
}

export type Shown =
  | { readonly method: 'password'; readonly password: string }
  | { readonly method: '2fa'; readonly code: string }
  | { readonly method: 'session' }

export function verify(scope: string, shown: Shown): Promise<Proof> {
  return request('POST', '/api/verify', { body: { scope, ...shown }, renewsSession: true })
}

/** Asks the browser for a passkey and shows it. */
export async function verifyByPasskey(scope: string): Promise<Proof> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = await request<PasskeyOptions>('POST', '/api/user/passkey/verify/begin', {
    body: { scope },
  })
  const body = await startAuthentication({ optionsJSON })
  return request('POST', '/api/user/passkey/verify/finish', { body, renewsSession: true })
}

type PasskeyOptions = Parameters<
  typeof import('@simplewebauthn/browser').startAuthentication
>[0]['optionsJSON']

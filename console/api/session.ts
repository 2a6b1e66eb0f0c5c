/** Signing in. A second factor is required before the session opens, where the user has one. */
import { solvedBy } from './challenge.js'
import { ApiFailure } from './failure.js'
import { request } from './request.js'
import type { components } from './schema.js'

/** Of who is signed in, nothing is read; else the code of the app is required. */
export type SignInAnswer = Partial<components['schemas']['SecondStep']>

export interface PasswordForm {
  readonly username: string
  readonly password: string
}

/** `token`: of the bot challenge, where one is required. */
export function signInByPassword(form: PasswordForm, token?: string): Promise<SignInAnswer> {
  const headers = solvedBy(token)
  return request('POST', '/api/user/login', { body: form, headers, renewsSession: true })
}

export async function signInByCode(code: string, flowToken: string): Promise<void> {
  const body = { code, flow_token: flowToken }
  await request('POST', '/api/user/login/2fa', { body, renewsSession: true })
}

export function passkeysWork(): boolean {
  return typeof PublicKeyCredential === 'function'
}

/** Asks the browser for a passkey, whoever it belongs to. Undefined: the person did not go on. */
export async function signInByPasskey(token?: string): Promise<SignInAnswer | undefined> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = await request<PasskeyOptions>('POST', '/api/user/passkey/login/begin', {
    body: {},
    headers: solvedBy(token),
  })
  const body = await startAuthentication({ optionsJSON }).catch(unlessLeft)
  if (body === undefined) return undefined
  return request('POST', '/api/user/passkey/login/finish', { body, renewsSession: true })
}

type PasskeyOptions = Parameters<
  typeof import('@simplewebauthn/browser').startAuthentication
>[0]['optionsJSON']

/** Browsers do not distinguish "cancelled", "took too long" and "has none". */
function unlessLeft(error: unknown): undefined {
  if (error instanceof ApiFailure) throw error
  const name = error instanceof Error ? error.name : ''
  if (name === 'NotAllowedError' || name === 'AbortError') return undefined
  throw error
}

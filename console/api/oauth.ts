/** Signing in by another place, and binding one: the state it begins with, and what the browser brings back (AUTH-8). */
import { request } from './request.js'
import type { components } from './schema.js'
import type { SignInAnswer } from './session.js'

export type OAuthProvider = components['schemas']['SignInProvider']

type OAuthIntent = 'login' | 'bind'

export interface OAuthWish {
  readonly intent: OAuthIntent
  /** Code of who invited them. */
  readonly aff?: string
  /** Path of this site to go to afterwards. */
  readonly redirect?: string
}

export type OAuthState = components['schemas']['BegunSignIn']

export interface OAuthAnswer extends SignInAnswer {
  /** Of a binding. */
  readonly action?: 'bind'
  /** Path of this site. */
  readonly redirect?: string
}

export function readOAuthProviders(): Promise<readonly OAuthProvider[]> {
  return request('GET', '/api/oauth/providers')
}

export function beginOAuth(provider: string, wish: OAuthWish): Promise<OAuthState> {
  return request('POST', '/api/oauth/state', { body: { provider, ...wish } })
}

export type Brought = Readonly<Record<string, string | number | boolean>>

/** In the body, where no log of addresses sees it. */
export function finishOAuth(provider: string, brought: Brought): Promise<OAuthAnswer> {
  const path = `/api/oauth/${encodeURIComponent(provider)}`
  return request('POST', path, { body: brought, renewsSession: true })
}

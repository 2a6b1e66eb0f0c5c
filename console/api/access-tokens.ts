/** Access tokens, for scripts: of the signed-in user, and of a user an admin looks at. */
import { request } from './request.js'

export interface AccessToken {
  readonly id: number
  readonly name: string
  readonly scopes: readonly string[]
  /** Unix seconds, as the others. */
  readonly created_at: number
  readonly expires_at: number
  /** 0: never. */
  readonly last_used_at: number
  readonly last_used_address: string
  readonly expired: boolean
}

export interface NewAccessToken {
  readonly name: string
  readonly scopes: readonly string[]
  readonly lifetime_days: number
}

/** A scope the caller may give, with the number of routes it opens to them. */
export interface AccessScope {
  readonly scope: string
  readonly routes_count: number
}

export function readAccessTokens(): Promise<readonly AccessToken[]> {
  return request('GET', '/api/user/access_tokens')
}

export function readAccessScopes(): Promise<readonly AccessScope[]> {
  return request('GET', '/api/user/access_token_scopes')
}

/** `token` is shown this once. */
export function makeAccessToken(
  body: NewAccessToken,
): Promise<AccessToken & { readonly token: string }> {
  return request('POST', '/api/user/access_tokens', { body })
}

export async function endAccessToken(id: number): Promise<void> {
  await request('DELETE', `/api/user/access_tokens/${id}`)
}

export function readAccessTokensOf(userId: number): Promise<readonly AccessToken[]> {
  return request('GET', `/api/user/${userId}/access_tokens`)
}

export async function endAccessTokenOf(userId: number, id: number): Promise<void> {
  await request('DELETE', `/api/user/${userId}/access_tokens/${id}`)
}

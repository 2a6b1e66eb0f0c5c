/** Access tokens, for scripts: of the signed-in user, and of a user an admin looks at. */
import { request, requestWhole } from './request.js'
import type { components } from './schema.js'

export type AccessToken = components['schemas']['AccessToken']

export interface NewAccessToken {
  readonly name: string
  readonly scopes: readonly string[]
  readonly lifetime_days: number
  /** Quota it may credit and debit a day. Absent: none. */
  readonly daily_credit?: number
}

/** A scope the caller may give, with the number of routes it opens to them. */
export type AccessScope = components['schemas']['UsableScope']

export interface OwnAccessTokens {
  readonly tokens: readonly AccessToken[]
  /** Days a new one is good for by default, and at most. */
  readonly daysUsual: number
  readonly daysMax: number
}

export async function readAccessTokens(): Promise<OwnAccessTokens> {
  const path = '/api/user/access_tokens'
  const { data, beside } = await requestWhole<readonly AccessToken[]>('GET', path)
  const { days_default, days_max } = beside
  return { tokens: data, daysUsual: Number(days_default), daysMax: Number(days_max) }
}

export function readAccessScopes(): Promise<readonly AccessScope[]> {
  return request('GET', '/api/user/access_token_scopes')
}

/** `token` is shown this once. */
export function makeAccessToken(
  body: NewAccessToken,
): Promise<components['schemas']['CreatedAccessToken']> {
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

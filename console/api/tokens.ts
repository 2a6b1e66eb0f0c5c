/** API keys of the signed-in user: `/api/token`. */
import type { RoutingPolicy } from '../../kernel/contract/line/people.js'
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type { RoutingPolicy }

/** What may be seen of the state of a key; 3 and 4 follow from the rest. */
export const tokenStates = { on: 1, off: 2, expired: 3, exhausted: 4 } as const

export type Token = components['schemas']['Token']

export interface TokenForm {
  readonly name: string
  readonly expired_time: number
  readonly unlimited_quota: boolean
  readonly remain_quota?: number
  readonly model_limits_enabled: boolean
  readonly model_limits: readonly string[]
  readonly allow_ips: readonly string[]
  readonly routing?: RoutingPolicy
  /** Empty: the account's own group, whatever it is at the time. */
  readonly group?: string
  readonly cross_group_retry?: boolean
  readonly budget_period?: Token['budget_period']
  readonly budget_quota?: number
  readonly rpm_limit?: number
  readonly tpm_limit?: number
}

export interface TokenFilters {
  readonly keyword: string
  readonly token: string
  /** 0: all. */
  readonly status: number
}

export function readTokens(
  { status, ...query }: PageQuery & TokenFilters,
  signal: AbortSignal,
): Promise<Page<Token>> {
  const chosen = { ...query, status: status === 0 ? undefined : status }
  return request('GET', '/api/token/search', { query: chosen, signal })
}

export function readToken(id: number): Promise<Token> {
  return request('GET', `/api/token/${id}`)
}

/** As admins see the keys of others. */
export type OwnedToken = components['schemas']['OwnedToken']

export interface OwnedTokenFilters {
  readonly keyword: string
  readonly user: number
}

export function readTokensOfAll(
  { user, ...query }: PageQuery & OwnedTokenFilters,
  signal?: AbortSignal,
): Promise<Page<OwnedToken>> {
  const of = user === 0 ? undefined : user
  return request('GET', '/api/token/all', { query: { ...query, user: of }, signal })
}

export function switchTokenOfOther(id: number, on: boolean): Promise<OwnedToken> {
  const status = on ? tokenStates.on : tokenStates.off
  return request('PUT', `/api/token/all/${id}`, { body: { status } })
}

export type TokenUsage = components['schemas']['TokenUsage']

export function readTokenUsage(
  id: number,
  days: number,
  signal?: AbortSignal,
): Promise<TokenUsage> {
  return request('GET', `/api/token/${id}/usage`, { query: { days }, signal })
}

/** The key itself comes with the answer, this once unmasked. */
export function createToken(body: TokenForm): Promise<Token> {
  return request('POST', '/api/token/', { body })
}

/** The same key with another secret, which comes with the answer, this once unmasked. The one before stops at once. */
export function replaceToken(id: number): Promise<Token> {
  return request('POST', `/api/token/${id}/replace`)
}

/** What is left out stays. */
export function changeToken(id: number, changes: Partial<TokenForm>): Promise<Token> {
  return request('PUT', '/api/token/', { body: { ...changes, id } })
}

export function switchToken(id: number, on: boolean): Promise<Token> {
  const body = { id, status: on ? tokenStates.on : tokenStates.off }
  return request('PUT', '/api/token/', { query: { status_only: 1 }, body })
}

/** Answers how many there were. */
export async function deleteTokens(ids: readonly number[]): Promise<number> {
  let count = 0
  for (const some of batches(ids)) {
    count += await request<number>('POST', '/api/token/batch', { body: { ids: some } })
  }
  return count
}

/** The whole key. */
export async function revealToken(id: number): Promise<string> {
  return (await request<{ readonly key: string }>('POST', `/api/token/${id}/key`)).key
}

/** Whole keys by id. */
export async function revealTokens(
  ids: readonly number[],
): Promise<Readonly<Record<string, string>>> {
  type Answer = { readonly keys: Readonly<Record<string, string>> }
  const found: Record<string, string> = {}
  for (const some of batches(ids)) {
    const body = { ids: some }
    Object.assign(found, (await request<Answer>('POST', '/api/token/batch/keys', { body })).keys)
  }
  return found
}

/** More the gateway does not take at a time. */
const batchMax = 100

function batches(ids: readonly number[]): readonly (readonly number[])[] {
  const count = Math.ceil(ids.length / batchMax)
  return Array.from({ length: count }, (_, at) => ids.slice(at * batchMax, (at + 1) * batchMax))
}

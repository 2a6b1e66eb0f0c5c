/** Users as admins see and change them: `/api/user/…`. */
import type { UsageSpan, UsageSum } from './data.js'
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'

export interface User {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly email: string
  readonly email_verified: boolean
  readonly role: number
  /** 1 on, 2 off. */
  readonly status: number
  readonly group: string
  /** Spendable: posted less held. */
  readonly quota: number | string
  readonly used_quota: number | string
  readonly request_count: number
  readonly aff_code: string
  readonly aff_count: number
  readonly aff_history_quota: number | string
  /** 0: nobody. */
  readonly inviter_id: number
  readonly remark: string
  readonly created_at: number
  /** 0: never. */
  readonly last_login_at: number
  readonly DeletedAt: string | null
}

interface UserBinding {
  readonly provider: string
  readonly title: string
  /** Who they are there. */
  readonly name: string
  readonly created_at: number
}

export interface WholeUser extends User {
  readonly held: number | string
  readonly has_password: boolean
  /** An app for codes. */
  readonly two_factor: boolean
  readonly passkeys: number
  readonly bindings: readonly UserBinding[]
}

export function readUsers(query: PageQuery, signal?: AbortSignal): Promise<Page<User>> {
  return request('GET', '/api/user/search', { query, signal })
}

export function readUser(id: number): Promise<WholeUser> {
  return request('GET', `/api/user/${id}`)
}

export interface NewUser {
  readonly username: string
  readonly password: string
  readonly display_name: string
  readonly group: string
  readonly role: number
}

export function createUser(body: NewUser): Promise<User> {
  return request('POST', '/api/user/', { body })
}

/** What is left out stays, and so does a blank password. */
export interface UserChanges {
  readonly id: number
  readonly username?: string
  readonly display_name?: string
  readonly password?: string
  readonly group?: string
  readonly remark?: string
  readonly role?: number
}

export async function changeUser(body: UserChanges): Promise<void> {
  await request('PUT', '/api/user/', { body })
}

export type UserAct = 'disable' | 'enable' | 'promote' | 'demote' | 'delete'

export async function actOnUser(id: number, action: UserAct): Promise<void> {
  await request('POST', '/api/user/manage', { body: { id, action } })
}

export type BalanceMode = 'add' | 'subtract' | 'override'

export interface BalanceMove {
  readonly id: number
  readonly mode: BalanceMode
  /** In quota units. */
  readonly value: number
  /** Why. */
  readonly remark: string
}

/** Needs a proof of scope `balance`. Answers the balance after it. */
export async function moveBalance(move: BalanceMove): Promise<number | string> {
  const body = { ...move, action: 'add_quota' }
  const { quota } = await request<Pick<User, 'quota'>>('POST', '/api/user/manage', { body })
  return quota
}

export async function removePasskeys(id: number): Promise<void> {
  await request('DELETE', `/api/user/${id}/reset_passkey`)
}

/** How many ended. */
export async function endSessionsOf(id: number): Promise<number> {
  const { ended } = await request<{ ended: number }>('DELETE', `/api/user/${id}/sessions`)
  return ended
}

export async function removeTwoFactor(id: number): Promise<void> {
  await request('DELETE', `/api/user/${id}/2fa`)
}

/** `binding`: `email`, or the name of a provider. */
export async function unbindUser(id: number, binding: string): Promise<void> {
  await request('DELETE', `/api/user/${id}/bindings/${encodeURIComponent(binding)}`)
}

export interface FactorStats {
  readonly total_users: number
  readonly enabled_users: number
  /** Percent. */
  readonly enabled_rate: number
  readonly passkey_users: number
}

export function readFactorStats(): Promise<FactorStats> {
  return request('GET', '/api/user/2fa/stats')
}

export function readUsageOf(
  username: string,
  span: UsageSpan,
  signal?: AbortSignal,
): Promise<readonly UsageSum[]> {
  return request('GET', '/api/data/', { query: { ...span, username }, signal })
}

/** Users as admins see and change them: `/api/user/…`. */
import type { UsageSpan, UsageSum } from './data.js'
import type { Page, PageQuery } from './page.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type User = components['schemas']['User']

export type WholeUser = components['schemas']['WholeUser']

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

export interface ManyUsersChanges {
  readonly group?: string
  readonly status?: 1 | 2
}

export type WhichUsers =
  | { readonly ids: readonly number[] }
  | { readonly filter: object; readonly expected: number }

export type EditedUsers = components['schemas']['EditedUsers']

/** Of those whom the signed-in admin may not change each is named with the reason. */
export function changeUsers(which: WhichUsers, changes: ManyUsersChanges): Promise<EditedUsers> {
  return request('POST', '/api/user/batch/edit', { body: { ...which, changes } })
}

/** What is deleted stays so. Each who may not be deleted is named with the reason. */
export function removeUsers(which: WhichUsers): Promise<EditedUsers> {
  return request('POST', '/api/user/batch/delete', { body: which })
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

/** Needs a proof of scope `balance`. Returns the balance after it. */
export async function moveBalance(move: BalanceMove): Promise<number | string> {
  const body = { ...move, action: 'add_quota' }
  const { quota = 0 } = await request<components['schemas']['UserStanding']>(
    'POST',
    '/api/user/manage',
    { body },
  )
  return quota
}

export type MovedBalances = components['schemas']['MovedBalances']

/** The same for each. Needs a proof of scope `balance`; sent again after a lost response it moves nothing twice. */
export function moveBalances(
  which: WhichUsers,
  move: Omit<BalanceMove, 'id'>,
): Promise<MovedBalances> {
  return request('POST', '/api/user/batch/balance', { body: { ...which, ...move } })
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

export type FactorStats = components['schemas']['FactorStats']

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

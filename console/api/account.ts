/** The signed-in user's own account: what its owner changes of it, the ways into it, and its end. */
import { request } from './request.js'
import type { components } from './schema.js'

export interface SelfChanges {
  readonly username?: string
  readonly display_name?: string
  readonly language?: string
  readonly first_steps_hidden?: boolean
}

export async function changeSelf(changes: SelfChanges): Promise<void> {
  await request('PUT', '/api/user/self', { body: changes })
}

export interface NewPassword {
  readonly password: string
  /** Blank where there is none. */
  readonly original_password: string
}

/** Every other session ends, and this one gets a new id. */
export async function changePassword(body: NewPassword): Promise<void> {
  await request('PUT', '/api/user/self', { body, renewsSession: true })
}

/** Off: a passkey alone opens the account. Every other session ends, and this one gets a new id. */
export async function allowPassword(enabled: boolean): Promise<void> {
  await request('PUT', '/api/user/password_login', { body: { enabled }, renewsSession: true })
}

export async function bindEmail(email: string, verification_code: string): Promise<void> {
  await request('POST', '/api/user/email', { body: { email, verification_code } })
}

export type Binding = components['schemas']['SignInBinding']

export function readBindings(): Promise<readonly Binding[]> {
  return request('GET', '/api/user/oauth/bindings')
}

export async function unbind(provider: string): Promise<void> {
  await request('DELETE', `/api/user/oauth/bindings/${encodeURIComponent(provider)}`)
}

export async function deleteAccount(): Promise<void> {
  await request('DELETE', '/api/user/self', { renewsSession: true })
}

export function readInvitationCode(): Promise<string> {
  return request('GET', '/api/user/aff')
}

/** Rewards of invitations become money in the wallet. */
export async function transferRewards(quota: number): Promise<void> {
  await request('POST', '/api/user/aff_transfer', { body: { quota } })
}

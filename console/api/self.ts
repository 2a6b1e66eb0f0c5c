/** The signed-in user: `GET /api/user/self`, and the end of the session. */
import type { Role } from '../shell/module.js'
import { request } from './request.js'

export interface Self {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly email: string
  readonly email_verified: boolean
  readonly role: Role
  readonly group: string
  /** Spendable: posted less held, in quota units. */
  readonly quota: number | string
  /** Set aside for requests under way. */
  readonly held: number | string
  readonly used_quota: number | string
  readonly request_count: number
  readonly has_password: boolean
  readonly two_factor: boolean
  readonly passkeys: number
  /** The account is opened by a passkey alone. */
  readonly password_off: boolean
  /** An admin who has yet to set up the second factor that is required here: nothing else is open to them. */
  readonly must_set_up_factor: boolean
  readonly language: string
  readonly sidebar_modules: string
  readonly [more: string]: unknown
}

export function readSelf(): Promise<Self> {
  return request('GET', '/api/user/self', { ofAnyone: true })
}

export async function signOut(): Promise<void> {
  await request('POST', '/api/user/logout', { body: {}, renewsSession: true })
}

/** Joining by form, codes by mail, and a password that was lost. `token`: of the bot challenge, where one is required. */
import { solvedBy } from './challenge.js'
import { request } from './request.js'

export interface RegisterForm {
  readonly username: string
  readonly password: string
  readonly email?: string
  readonly verification_code?: string
  /** Code of who invited them. */
  readonly aff_code?: string
}

export async function register(form: RegisterForm, token?: string): Promise<void> {
  await request('POST', '/api/user/register', { body: form, headers: solvedBy(token) })
}

/** Sends a code to an address, whoever has it. */
export async function sendMailCode(email: string, token?: string): Promise<void> {
  await request('GET', '/api/verification', { query: { email }, headers: solvedBy(token) })
}

/** Sends a link; the response is the same whether the address is known or not. */
export async function sendResetLink(email: string, token?: string): Promise<void> {
  await request('GET', '/api/reset_password', { query: { email }, headers: solvedBy(token) })
}

export interface ResetForm {
  readonly email: string
  /** From the link. */
  readonly token: string
  readonly password: string
}

export async function resetPassword(form: ResetForm): Promise<void> {
  await request('POST', '/api/user/reset', { body: form, renewsSession: true })
}

/** The cookie that carries a sign-in to its second step, for clients that send nothing but the code. */
import { ownCookie, ownCookieOf } from '../../../kernel/toolkit/management/index.js'
import type { SignInRequest } from './sign-in.js'

export const flowSeconds = 300

const name = 'sign-in'

/** Whole `Set-Cookie` value; of an empty flow, the one that takes the cookie away. */
export function flowCookie(flow: string, secure: boolean): string {
  const maxAgeSeconds = flow === '' ? 0 : flowSeconds
  return ownCookie({ name, value: flow, secure, sameSite: 'Strict', maxAgeSeconds })
}

/** Empty: the browser brings none. */
export function flowIn({ cookie }: SignInRequest['headers'], secureOnly: boolean): string {
  return ownCookieOf(cookie, name, secureOnly) ?? ''
}

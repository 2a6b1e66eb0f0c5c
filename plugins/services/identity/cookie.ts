/** The session cookie. */
import { ownCookie, ownCookieOf } from '../../../kernel/toolkit/management/index.js'

const name = 'session'

export function sessionCookie(value: string, secure: boolean, maxAgeSeconds: number): string {
  return ownCookie({ name, value, secure, sameSite: 'Lax', maxAgeSeconds })
}

export function clearedCookie(secure: boolean): string {
  return sessionCookie('', secure, 0)
}

/** The session id a request carries. */
export function sessionIdOf(
  header: string | readonly string[] | undefined,
  secureOnly: boolean,
): string | undefined {
  return ownCookieOf(header, name, secureOnly)
}

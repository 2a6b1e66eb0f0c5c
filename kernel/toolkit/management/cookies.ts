/**
 * Cookies of the gateway's own: `__Host-…` with Secure over HTTPS, the plain name without (E1). Each holds 32
 * random bytes as base64url, or nothing.
 */

export interface OwnCookie {
  readonly name: string
  /** Empty: the cookie goes. */
  readonly value: string
  readonly secure: boolean
  readonly sameSite: 'Lax' | 'Strict'
  readonly maxAgeSeconds: number
}

/** Whole `Set-Cookie` value. */
export function ownCookie({ name, value, secure, sameSite, maxAgeSeconds }: OwnCookie): string {
  const attributes = `Path=/; HttpOnly; SameSite=${sameSite}; Max-Age=${maxAgeSeconds}`
  return secure
    ? `__Host-${name}=${value}; ${attributes}; Secure`
    : `${name}=${value}; ${attributes}`
}

/** What a request carries under this name. Where every way in is HTTPS, the plain cookie counts for nothing. */
export function ownCookieOf(
  header: string | readonly string[] | undefined,
  name: string,
  secureOnly: boolean,
): string | undefined {
  const pairs = [header ?? []].flat().flatMap((line) => line.split(';'))
  return valueIn(pairs, `__Host-${name}`) ?? (secureOnly ? undefined : valueIn(pairs, name))
}

const shape = /^[A-Za-z0-9_-]{43}$/

function valueIn(pairs: readonly string[], name: string): string | undefined {
  for (const pair of pairs) {
    const [key = '', value = ''] = pair.trim().split('=', 2)
    if (key === name && shape.test(value)) return value
  }
  return undefined
}

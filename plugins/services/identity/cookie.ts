/** The session cookie: `__Host-session` with Secure over HTTPS, plain `session` without (failures.md E). */

const secureName = '__Host-session'
const plainName = 'session'
const idShape = /^[A-Za-z0-9_-]{43}$/

export function sessionCookie(id: string, secure: boolean, maxAgeSeconds: number): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`
  return secure ? `${secureName}=${id}; ${attributes}; Secure` : `${plainName}=${id}; ${attributes}`
}

export function clearedCookie(secure: boolean): string {
  return sessionCookie('', secure, 0)
}

/** The session id a request carries. Where every way in is HTTPS, the plain cookie counts for nothing. */
export function sessionIdOf(
  header: string | readonly string[] | undefined,
  secureOnly: boolean,
): string | undefined {
  const pairs = [header ?? []].flat().flatMap((line) => line.split(';'))
  const secure = cookieNamed(pairs, secureName)
  return secure ?? (secureOnly ? undefined : cookieNamed(pairs, plainName))
}

function cookieNamed(pairs: readonly string[], name: string): string | undefined {
  for (const pair of pairs) {
    const [key = '', value = ''] = pair.trim().split('=', 2)
    if (key === name && idShape.test(value)) return value
  }
  return undefined
}

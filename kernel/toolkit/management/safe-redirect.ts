/**
 * Where a browser is sent after a sign-in: a path of this site, whatever was requested (AUTH-9). Anything that some
 * browser could read as another site's address, or as a script, becomes the dashboard.
 */

const fallback = '/dashboard'
const lengthMax = 2048

/** The path as a browser will read it, query and fragment included. */
export function safeRedirect(wish: unknown): string {
  if (typeof wish !== 'string' || wish.length > lengthMax || !isSitePath(wish)) return fallback
  const made = URL.canParse(wish, site) ? new URL(wish, site) : undefined
  if (made === undefined || made.origin !== site) return fallback
  // What dots and slashes come to is looked at again: "/.//other.example" is "//other.example".
  const path = `${made.pathname}${made.search}${made.hash}`
  return path.length <= lengthMax && isSitePath(path) ? path : fallback
}

/** Stands for this site in parsing; the name is never used. */
const site = 'https://site.invalid'

/** One slash and then neither a second nor a backslash, which browsers take for one. */
function isSitePath(text: string): boolean {
  return /^\/(?![/\\])[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\\]*$/u.test(text)
}

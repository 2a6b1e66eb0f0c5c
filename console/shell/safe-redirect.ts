/** Where a person may be sent after signing in (AUTH-8). */
import { home } from './home.js'

/** A place within this site, and nothing else (AUTH-8). */
export function safeRedirect(target: unknown): string {
  if (typeof target !== 'string' || !isSitePath(target)) return home
  const url = URL.canParse(target, location.origin) ? new URL(target, location.origin) : undefined
  if (url?.origin !== location.origin) return home
  // What dots come to is looked at again: "/.//other.example" is "//other.example".
  return isSitePath(url.pathname) ? `${url.pathname}${url.search}${url.hash}` : home
}

/** One slash and then neither a second nor a backslash, which browsers take for one. */
function isSitePath(path: string): boolean {
  return /^\/(?![/\\])/.test(path)
}

/**
 * Keeps other sites from using a signed-in browser (E2). A browser states where a request comes from,
 * by `Sec-Fetch-Site` or `Origin`; where it does not, the request must be one no foreign page can send.
 */
import { Refusal } from '../errors/refusal.js'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Throws a `Refusal` for a request that changes something and that another site made, or may have made. */
export function requireSameOrigin(method: string, headers: Headers, secure: boolean): void {
  if (isSafe(method) || (isDeclaredOwn(headers, secure) ?? needsPermission(method, headers))) return
  throw new Refusal('cross_site_request')
}

/**
 * The same whatever the method, where the browser states that another site made the request, or that it was no script that
 * did: a link is followed and a picture fetched with the session of who sees it, be it in a text on a page of this site.
 */
export function refuseForeign(headers: Headers, secure: boolean): void {
  if (isDeclaredOwn(headers, secure) === false || isOfMarkup(headers)) {
    throw new Refusal('cross_site_request')
  }
}

/** For WebSockets, which no preflight stands before: a browser always states where they come from. */
export function requireOwnOrigin(headers: Headers, secure: boolean): void {
  const { origin } = headers
  if (origin === undefined || !isOwnOrigin(String(origin), headers, secure)) {
    throw new Refusal('cross_site_request')
  }
}

/** Undefined: nothing states where the request comes from. */
function isDeclaredOwn(headers: Headers, secure: boolean): boolean | undefined {
  const { 'sec-fetch-site': site, origin } = headers
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return origin === undefined ? undefined : isOwnOrigin(String(origin), headers, secure)
}

/** What somebody typed into the address line is their own wish. */
function isOfMarkup({ 'sec-fetch-dest': use, 'sec-fetch-site': site }: Headers): boolean {
  return use !== undefined && use !== 'empty' && site !== 'none'
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
}

function isOwnOrigin(origin: string, { host }: Headers, secure: boolean): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : undefined
  if (url === undefined || (secure && url.protocol !== 'https:')) return false
  return (
    url.host ===
    String(host)
      .toLowerCase()
      .replace(url.protocol === 'https:' ? /:443$/ : /:80$/, '')
  )
}

/** Cross-origin, a page may only send these after a preflight, which the management API never grants. */
function needsPermission(method: string, headers: Headers): boolean {
  if (method !== 'POST') return true
  const type = String(headers['content-type'] ?? '')
  return type.startsWith('application/json') || headers['x-requested-with'] !== undefined
}

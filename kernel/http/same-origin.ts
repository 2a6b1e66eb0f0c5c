/**
 * Keeps other sites from using a signed-in browser (failures.md section E). A browser says where a request comes from,
 * by `Sec-Fetch-Site` or `Origin`; where it says nothing, the request must be one no foreign page can send unasked.
 */
import { Refusal } from '../errors.js'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Throws a `Refusal` for a request that another site made, or may have made. */
export function requireSameOrigin(method: string, headers: Headers, secure: boolean): void {
  if (isSafe(method)) return
  const site = headers['sec-fetch-site']
  const own =
    site !== undefined
      ? site === 'same-origin' || site === 'none'
      : headers.origin !== undefined
        ? isOwnOrigin(String(headers.origin), headers, secure)
        : needsPermission(method, headers)
  if (!own) throw new Refusal('cross_site_request')
}

export function isSafe(method: string): boolean {
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

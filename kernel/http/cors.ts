/**
 * Cross-origin rules: the relay paths are open to any page, without credentials, since a key stands in a header; the
 * console's paths are open to none (E3).
 */
import { isHeaderName } from '../toolkit/endpoint/header-hygiene.js'

/** Path prefixes any page may call; the last is where older clients ask what their key has left. */
export const openPrefixes = ['/v1', '/v1beta', '/dashboard/billing'] as const

export function isOpenPath(path: string): boolean {
  return openPrefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

const exposed = [
  'X-Request-Id',
  'X-Oneapi-Request-Id',
  'request-id',
  'X-Waybill-Lost',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Policy',
].join(', ')

/** Name and value in turn, on every answer under an open path. */
export const openCors: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  exposed,
]

/** What a preflight is answered with. The headers requested are allowed by name: a `*` does not cover `Authorization`. */
export function preflightHeaders(requested: string | undefined): Readonly<Record<string, string>> {
  const names = (requested ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(isHeaderName)
  return {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers':
      names.length > 0 ? names.join(', ') : 'Authorization, Content-Type',
    'Access-Control-Max-Age': '86400',
    Vary: 'Access-Control-Request-Headers',
  }
}

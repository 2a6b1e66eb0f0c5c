/**
 * Scopes of access tokens: what each permits, which one a route requires, and the one check of it. A session has no
 * scopes and is never refused here; what a caller's role permits is checked elsewhere and before.
 */
import type { Principal } from '../../contract/management.js'
import type { RouteManifest, RouteScope, ScopeArea } from '../../contract/manifest.js'
import { Refusal } from '../errors/refusal.js'

export const scopeAreas = [
  'account',
  'tokens',
  'channels',
  'models',
  'users',
  'money',
  'logs',
  'options',
  'system',
] as const satisfies readonly ScopeArea[]

/** Every scope a token may hold: `all`, `read` (every area's read), and `<area>:read` and `<area>:write` of each area. */
export const tokenScopes: readonly string[] = [
  'all',
  'read',
  ...scopeAreas.flatMap((area) => [`${area}:read`, `${area}:write`]),
]

/** What a manifest may state of a route. */
export const routeScopes: readonly string[] = [
  'any',
  ...scopeAreas.flatMap((area) => [area, `${area}:read`, `${area}:write`]),
]

/** `<area>:read` of a GET and `<area>:write` else, where the manifest names an area alone. Undefined: `all` is required. */
export function requiredScope({
  method,
  scope,
}: Pick<RouteManifest, 'method' | 'scope'>): RouteScope | undefined {
  if (scope === undefined || scope === 'any' || scope.includes(':')) return scope
  return `${scope as ScopeArea}:${method === 'GET' ? 'read' : 'write'}`
}

/** Whether a token of these scopes may call what requires this one; a write scope includes the read of its area. */
export function permits(scopes: readonly string[], required: string | undefined): boolean {
  if (scopes.includes('all') || required === 'any') return true
  if (required === undefined) return false
  if (scopes.includes(required)) return true
  const [area, verb] = required.split(':')
  return verb === 'read' && (scopes.includes('read') || scopes.includes(`${area}:write`))
}

/** Throws `scope_missing` for an access token without the scope; a token whose scopes are unknown has none. */
export function requireScope(
  { via, accessToken }: Principal,
  required: RouteScope | undefined,
): void {
  if (via === 'session' || permits(accessToken?.scopes ?? [], required)) return
  const scope = required ?? 'all'
  throw new Refusal('scope_missing', { scope, param: scope })
}

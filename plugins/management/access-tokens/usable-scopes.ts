/** The scopes a caller of a role may give a token: those that open a route to that role. */
import type { LoadedRoute } from '../../../kernel/contract/management.js'
import type { RouteCredential } from '../../../kernel/contract/manifest.js'
import { permits, requiredScope, tokenScopes } from '../../../kernel/toolkit/management/index.js'

export interface UsableScope {
  readonly scope: string
  readonly routes_count: number
}

const ranks: Readonly<Partial<Record<RouteCredential, number>>> = { user: 1, admin: 10, root: 100 }

export function usableScopes(routes: readonly LoadedRoute[], role: number): readonly UsableScope[] {
  const required = routes
    .filter(({ management }) => management !== undefined)
    .filter(({ declared }) => (ranks[declared.credential] ?? Infinity) <= role)
    .map(({ declared }) => requiredScope(declared))
  return tokenScopes
    .map((scope) => ({
      scope,
      // Every token may call what requires no scope of its own.
      routes_count: required.filter((one) => one !== 'any' && permits([scope], one)).length,
    }))
    .filter(({ routes_count }) => routes_count > 0)
}

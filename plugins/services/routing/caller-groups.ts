/** What a caller may use of what a request, a policy or an auto route names. */
import { type AutoRouteRecord, type AutoRoutes, maySelect } from './auto-routes.js'
import type { Groups } from './groups.js'
import type { AutoRoute, Member } from './routing.js'

export interface CallerGroups {
  /** In the order they are named. Of a route that is gone or may not be selected: none (ROUTE-13). */
  usable(user: Member, named: readonly string[] | AutoRouteRecord | undefined): readonly string[]
  /** Auto routes of which something is left. */
  autoRoutes(user: Member): readonly AutoRoute[]
}

export function callerGroups(groups: Groups, routes: AutoRoutes): CallerGroups {
  const usable: CallerGroups['usable'] = (user, named) => {
    if (named === undefined) return []
    if (!('key' in named)) return named.filter((group) => groups.mayUse(user, group))
    return maySelect(user, named) ? usable(user, named.groups) : []
  }

  return {
    usable,
    autoRoutes: (user) =>
      routes
        .all()
        .map((route) => ({
          key: route.key,
          display_name: route.display_name,
          groups: usable(user, route),
        }))
        .filter((route) => route.groups.length > 0),
  }
}

/** Whether a policy may be saved for its owner: it is sound, and names nothing the owner may not use (ROUTE-6, ROUTE-14). */
import type { AutoRoutes } from './auto-routes.js'
import type { CallerGroups } from './caller-groups.js'
import type { Groups } from './groups.js'
import { policyFrom, refusalOf, shown } from './policy.js'
import type { Member, Routing } from './routing.js'

export interface PolicyCheckDependencies {
  readonly groups: Groups
  readonly autoRoutes: AutoRoutes
  readonly callers: CallerGroups
}

export function policyCheck(dependencies: PolicyCheckDependencies): Routing['checkPolicy'] {
  const { groups, autoRoutes, callers } = dependencies

  function checkRoute(key: string, user: Member): void {
    if (callers.usable(user, autoRoutes.get(key)).length > 0) return
    const sentence = `is ${shown(key)}, which is no auto route you may select`
    throw refusalOf({ param: 'routing.auto_route', sentence })
  }

  function checkGroups(named: readonly string[], user: Member): void {
    const denied = named.find((group) => !groups.mayUse(user, group))
    if (denied === undefined) return
    const sentence = `holds ${shown(denied)}, which is no group you may use`
    throw refusalOf({ param: 'routing.groups', sentence })
  }

  return (sent, user) => {
    const policy = policyFrom(sent)
    if (policy.mode === 'smart') checkRoute(policy.auto_route, user)
    checkGroups(policy.groups, user)
    return policy
  }
}

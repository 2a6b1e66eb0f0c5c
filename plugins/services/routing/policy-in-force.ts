/** The policy that holds for a caller: the stored one, else one made of the legacy fields (ROUTE-8, ROUTE-9, ROUTE-10). */
import type { RoutingPolicy } from '../../../kernel/contract/line/people.js'
import type { AutoRoutes } from './auto-routes.js'
import type { Groups } from './groups.js'
import type { Member, Routing } from './routing.js'

export interface PolicyDependencies {
  readonly groups: Groups
  readonly autoRoutes: AutoRoutes
  /** Option `DefaultUseAutoGroup`. */
  useAutoByDefault(): boolean
}

export function policyInForce(dependencies: PolicyDependencies): Routing['policyOf'] {
  const { groups, autoRoutes, useAutoByDefault } = dependencies

  function synthesized(group: string, user: Member, retry: boolean): RoutingPolicy {
    if (group === '') return withoutGroup(user, retry)
    const isRoute = !groups.isReal(group) && autoRoutes.get(group) !== undefined
    return isRoute ? smart(group, retry) : manual(group, retry)
  }

  /** A group that cannot be used still is where its member's requests belong: they are refused, not charged elsewhere. */
  function withoutGroup(user: Member, retry: boolean): RoutingPolicy {
    if (user.group !== '' && !useAutoByDefault()) return manual(user.group, retry)
    return smart(autoRoutes.theDefault()?.key ?? '', retry)
  }

  return ({ group, crossGroupRetry, routing }, user) => {
    if (routing !== undefined) return { policy: routing, synthesized: false }
    return { policy: synthesized(group, user, crossGroupRetry), synthesized: true }
  }
}

function manual(group: string, retry: boolean): RoutingPolicy {
  return { version: 1, mode: 'manual', auto_route: '', groups: [group], retry_on_failure: retry }
}

function smart(key: string, retry: boolean): RoutingPolicy {
  return { version: 1, mode: 'smart', auto_route: key, groups: [], retry_on_failure: retry }
}

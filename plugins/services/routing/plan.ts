/**
 * From who is calling to the groups in their order: the group the client names, else the stored policy, else one
 * made of the legacy fields. What cannot be used is left out; where nothing is left the request is refused (ROUTE-18).
 */
import type { Route } from '../../../kernel/contract/line/channel.js'
import type { RoutingPolicy, User } from '../../../kernel/contract/line/people.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import { type AutoRouteRecord, type AutoRoutes, maySelect } from './auto-routes.js'
import type { Groups } from './groups.js'
import { faultOf, policyFrom, refusalOf, shown } from './policy.js'
import { roleOfAdmins } from './roles.js'
import type {
  AutoRoute,
  Member,
  PlanCaller,
  PlanOptions,
  PolicySource,
  Routing,
} from './routing.js'

export interface PlannerDependencies {
  readonly groups: Groups
  readonly autoRoutes: AutoRoutes
  /** Option `DefaultUseAutoGroup`. */
  useAutoByDefault(): boolean
}

export type Planner = Pick<Routing, 'plan' | 'policyOf' | 'checkPolicy' | 'autoRoutes'>

const nothingNamed: PolicySource = { group: '', crossGroupRetry: false }

export function planner({ groups, autoRoutes, useAutoByDefault }: PlannerDependencies): Planner {
  /** Stored policies that were looked at once; a changed key brings a new object. */
  const sound = new WeakSet<RoutingPolicy>()

  function plan(caller: PlanCaller, { requested, pinned }: PlanOptions = {}): Route {
    if (pinned !== undefined) return pinnedRoute(caller, requested, pinned)
    if (requested) return askedRoute(caller.user, requested)
    return routeOf(caller) ?? unusable()
  }

  function pinnedRoute(caller: PlanCaller, requested: string | undefined, pinned: number): Route {
    const { user } = caller
    if (user.role < roleOfAdmins) throw new Refusal('channel_pin_denied')
    const route = requested ? askedRoute(user, requested) : routeOf(caller)
    return { groups: route?.groups ?? [user.group], crossGroup: false, pinned }
  }

  /** The name of a group, or of a route as the Playground offers them among the groups (FMT-15). */
  function askedRoute(user: User, requested: string): Route {
    const usable = usableOf(
      user,
      groups.isReal(requested) ? [requested] : autoRoutes.get(requested),
    )
    if (usable.length === 0) unusable(requested)
    return { groups: usable, crossGroup: false }
  }

  function routeOf({ user, token }: PlanCaller): Route | undefined {
    const { policy, synthesized } = policyOf(token ?? nothingNamed, user)
    if (!synthesized && !isSound(policy)) return undefined
    const named = policy.mode === 'manual' ? policy.groups : autoRoutes.get(policy.auto_route)
    const usable = usableOf(user, named)
    if (usable.length === 0) return undefined
    return { groups: usable, crossGroup: policy.retry_on_failure }
  }

  /** Of a route that is gone or may not be selected: none (ROUTE-13). */
  function usableOf(
    user: Member,
    named: readonly string[] | AutoRouteRecord | undefined,
  ): readonly string[] {
    if (named === undefined) return []
    if (!('key' in named)) return named.filter((group) => groups.mayUse(user, group))
    return maySelect(user, named) ? usableOf(user, named.groups) : []
  }

  function isSound(policy: RoutingPolicy): boolean {
    if (sound.has(policy)) return true
    if (faultOf(policy) !== undefined) return false
    sound.add(policy)
    return true
  }

  function policyOf({ group, crossGroupRetry, routing }: PolicySource, user: Member) {
    if (routing !== undefined) return { policy: routing, synthesized: false }
    const policy = synthesized(group, user, crossGroupRetry)
    return { policy, synthesized: true }
  }

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

  function checkPolicy(sent: unknown, user: Member): RoutingPolicy {
    const policy = policyFrom(sent)
    if (policy.mode === 'smart') checkRoute(policy.auto_route, user)
    for (const group of policy.groups) {
      if (groups.mayUse(user, group)) continue
      const sentence = `holds ${shown(group)}, which is no group you may use`
      throw refusalOf({ param: 'routing.groups', sentence })
    }
    return policy
  }

  function checkRoute(key: string, user: Member): void {
    if (usableOf(user, autoRoutes.get(key)).length > 0) return
    const sentence = `is ${shown(key)}, which is no auto route you may select`
    throw refusalOf({ param: 'routing.auto_route', sentence })
  }

  function selectable(user: Member): readonly AutoRoute[] {
    return autoRoutes
      .all()
      .map((route) => ({
        key: route.key,
        display_name: route.display_name,
        groups: usableOf(user, route),
      }))
      .filter((route) => route.groups.length > 0)
  }

  return { plan, policyOf, checkPolicy, autoRoutes: selectable }
}

function manual(group: string, retry: boolean): RoutingPolicy {
  return { version: 1, mode: 'manual', auto_route: '', groups: [group], retry_on_failure: retry }
}

function smart(key: string, retry: boolean): RoutingPolicy {
  return { version: 1, mode: 'smart', auto_route: key, groups: [], retry_on_failure: retry }
}

function unusable(group = ''): never {
  throw new Refusal('group_not_usable', { group, param: group && 'group' })
}

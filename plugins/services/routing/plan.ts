/**
 * From who is calling to the groups in their order: the group the client names, else the stored policy, else one
 * made of the legacy fields. What cannot be used is left out; where nothing is left the request is refused (ROUTE-18).
 */
import type { Route } from '../../../kernel/contract/line/channel.js'
import type { RoutingPolicy, User } from '../../../kernel/contract/line/people.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { AutoRoutes } from './auto-routes.js'
import { type CallerGroups, callerGroups } from './caller-groups.js'
import type { Groups } from './groups.js'
import { faultOf } from './policy.js'
import { policyCheck } from './policy-check.js'
import { type PolicyDependencies, policyInForce } from './policy-in-force.js'
import { roleOfAdmins } from './roles.js'
import type { PlanCaller, PolicySource, Routing } from './routing.js'

export type Planner = Pick<Routing, 'plan' | 'policyOf' | 'checkPolicy' | 'autoRoutes'>

export function planner(dependencies: PolicyDependencies): Planner {
  const { groups, autoRoutes } = dependencies
  const callers = callerGroups(groups, autoRoutes)
  const policyOf = policyInForce(dependencies)
  return {
    plan: routePlan({ groups, autoRoutes, callers, policyOf }),
    policyOf,
    checkPolicy: policyCheck({ groups, autoRoutes, callers }),
    autoRoutes: callers.autoRoutes,
  }
}

interface RoutePlanDependencies {
  readonly groups: Groups
  readonly autoRoutes: AutoRoutes
  readonly callers: CallerGroups
  readonly policyOf: Routing['policyOf']
}

const nothingNamed: PolicySource = { group: '', crossGroupRetry: false }

function routePlan(dependencies: RoutePlanDependencies): Routing['plan'] {
  const { groups, autoRoutes, callers, policyOf } = dependencies
  /** Stored policies that were looked at once; a changed key brings a new object. */
  const sound = new WeakSet<RoutingPolicy>()

  function pinnedRoute(caller: PlanCaller, requested: string | undefined, pinned: number): Route {
    const { user } = caller
    if (user.role < roleOfAdmins) throw new Refusal('channel_pin_denied')
    const route = requested ? requestedRoute(user, requested) : routeOf(caller)
    return { groups: route?.groups ?? [user.group], crossGroup: false, pinned }
  }

  /** The name of a group, or of a route as the Playground offers them among the groups (FMT-15). */
  function requestedRoute(user: User, requested: string): Route {
    const named = groups.isReal(requested) ? [requested] : autoRoutes.get(requested)
    const usable = callers.usable(user, named)
    if (usable.length === 0) unusable(requested)
    return { groups: usable, crossGroup: false }
  }

  function routeOf({ user, token }: PlanCaller): Route | undefined {
    const { policy, synthesized } = policyOf(token ?? nothingNamed, user)
    if (!synthesized && !isSound(policy)) return undefined
    const named = policy.mode === 'manual' ? policy.groups : autoRoutes.get(policy.auto_route)
    const usable = callers.usable(user, named)
    if (usable.length === 0) return undefined
    return { groups: usable, crossGroup: policy.retry_on_failure }
  }

  function isSound(policy: RoutingPolicy): boolean {
    if (sound.has(policy)) return true
    if (faultOf(policy) !== undefined) return false
    sound.add(policy)
    return true
  }

  return (caller, { requested, pinned } = {}) => {
    if (pinned !== undefined) return pinnedRoute(caller, requested, pinned)
    if (requested) return requestedRoute(caller.user, requested)
    return routeOf(caller) ?? unusable()
  }
}

function unusable(group = ''): never {
  throw new Refusal('group_not_usable', { group, param: group && 'group' })
}

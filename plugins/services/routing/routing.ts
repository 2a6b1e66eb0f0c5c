/** What others see of routing: where a caller's requests may go, and which channel takes the next try. */
import type { Call } from '../../../kernel/contract/call.js'
import type { Format } from '../../../kernel/contract/format.js'
import type { AttemptTrace } from '../../../kernel/contract/line/attempt.js'
import type { AffinityTie, Channel, Claim, Route } from '../../../kernel/contract/line/channel.js'
import type { RoutingPolicy, Token, User } from '../../../kernel/contract/line/people.js'
import type { OperationName } from '../../../kernel/contract/names.js'
import type { Adapter } from '../../../kernel/contract/provider.js'

export interface Routing {
  /**
   * Groups in order (ROUTE-1, ROUTE-9, ROUTE-10, ROUTE-13). Throws `group_not_usable` when none can be used, also where
   * the caller's own is the only one; a pinned channel needs no group.
   */
  plan(caller: PlanCaller, options?: PlanOptions): Route
  /** The channel of the next try; undefined: none is left, or no further try is due. */
  pick(query: PickQuery): Picking | undefined
  /** Why `pick` found nobody for a first try: all who serve it wait. Undefined: nobody serves it. */
  heldBack(query: PickQuery): HeldBack | undefined
  /** Models of the route, each once: those of the first group first, in order of name within a group (ROUTE-15). */
  models(route: Route): readonly string[]
  /** Real groups this user may use, each with the ratio it has for them and its description. */
  usableGroups(user: Member): readonly UsableGroup[]
  /** Auto routes this user may select, in the order admins gave them; chains hold only groups the user may use. */
  autoRoutes(user: Member): readonly AutoRoute[]
  /** A caller without a group follows the default auto route before the own group (option `DefaultUseAutoGroup`). */
  defaultsToAuto(): boolean
  /** A policy as it is sent to be saved. Throws `invalid_field` that names the part at fault (ROUTE-6, ROUTE-14). */
  checkPolicy(sent: unknown, user: Member): RoutingPolicy
  /** The policy in force for a token (ROUTE-8, ROUTE-9). */
  policyOf(
    token: PolicySource,
    user: Member,
  ): { readonly policy: RoutingPolicy; readonly synthesized: boolean }
}

export type Member = Pick<User, 'group' | 'role'>
export type PolicySource = Pick<Token, 'group' | 'crossGroupRetry' | 'routing'>

export interface PlanCaller {
  readonly user: User
  /** Absent: the Playground. */
  readonly token?: Token
}

export interface PlanOptions {
  /** The group the client named; it goes before any stored policy (FMT-15). */
  readonly requested?: string
  /** The channel an admin's key names. */
  readonly pinned?: number
}

export interface UsableGroup {
  readonly name: string
  readonly ratio: number
  readonly desc: string
}

export interface AutoRoute {
  readonly key: string
  readonly display_name: string
  readonly groups: readonly string[]
}

export interface PickQuery {
  readonly route: Route
  readonly affinity?: AffinityTie
  readonly model: string
  readonly operation: OperationName
  /** The client's. */
  readonly format: Pick<Format, 'name'>
  readonly tried: readonly AttemptTrace[]
  /** The request in canonical form, made on its first use. Absent: adapters do without. */
  readonly call?: () => Call
}

export interface HeldBack {
  /** Milliseconds until the first of them may be called. */
  readonly ms: number
  /** Its upstream requested the pause; otherwise it failed too often. */
  readonly parked: boolean
}

export interface Picking {
  readonly channel: Channel
  readonly key: string
  readonly keyId: number
  readonly group: string
  readonly position: number
  readonly adapter: Adapter
  readonly claim: Claim
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    routing: Routing
  }
}

/**
 * The two spellings of where a key's requests may go: the policy, and the legacy fields `group` and
 * `cross_group_retry`. A write keeps both in step (ROUTE-7, ROUTE-11); what is not sent stays (ROUTE-12).
 */
import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../../../kernel/contract/json.js'
import type { RoutingPolicy } from '../../../kernel/contract/line/people.js'
import { Refusal } from '../../../kernel/toolkit/errors/index.js'
import type { Member, Routing } from '../../services/routing/index.js'
import type { TokenForm } from './forms.js'
import type { TokenRow } from './token-row.js'

/** The fields of a row that decide where requests may go. */
export type RoutingColumns = Pick<TokenRow, 'routing' | 'group' | 'cross_group_retry'>

export interface RoutingOptions {
  readonly routing: Pick<Routing, 'checkPolicy' | 'policyOf' | 'usableGroups' | 'autoRoutes'>
  readonly member: Member
}

/** A key without settings follows its owner's group, and may go on to the next one. */
const unset: RoutingColumns = { routing: null, group: '', cross_group_retry: true }

/** The columns of a new key. Throws `invalid_field` that names the part at fault (ROUTE-14). */
export function firstRouting(form: TokenForm, options: RoutingOptions): RoutingColumns {
  const columns = form.routing === undefined ? legacyColumns : policyColumns
  return { ...unset, ...columns(form, unset, options) }
}

/** The columns a form changes. Throws `invalid_field` that names the part at fault (ROUTE-14). */
export function changedRouting(
  form: TokenForm,
  before: RoutingColumns,
  options: RoutingOptions,
): Partial<RoutingColumns> {
  const isGiven = form.routing !== undefined && !isEcho(form, before, options)
  return isGiven ? policyColumns(form, before, options) : legacyColumns(form, before, options)
}

/** The policy in force, and whether it is stored (ROUTE-8). */
export function routingFields(row: RoutingColumns, { routing, member }: RoutingOptions) {
  const { policy, synthesized } = routing.policyOf(sourceOf(row), member)
  return { routing: policy, routing_legacy: synthesized }
}

/**
 * A policy sent back as it was read changes nothing: another group beside it counts, and a synthesized one stays
 * synthesized. Sent without a group it is meant, and stored.
 */
function isEcho(
  { routing: sent, group }: TokenForm,
  before: RoutingColumns,
  options: RoutingOptions,
) {
  if (!isObject(sent) || (before.routing === null && group === undefined)) return false
  const { policy } = options.routing.policyOf(sourceOf(before), options.member)
  const blank = { auto_route: '', groups: [], retry_on_failure: policy.retry_on_failure }
  return isDeepStrictEqual({ ...policy }, { ...blank, ...sent })
}

/** `group` is the projection of the first group, `cross_group_retry` that of the switch (ROUTE-7). */
function policyColumns(
  { routing: sent, cross_group_retry: legacy }: TokenForm,
  before: RoutingColumns,
  { routing, member }: RoutingOptions,
): RoutingColumns {
  const checked = routing.checkPolicy(sent, member)
  const { retry_on_failure: given } = sent as Partial<RoutingPolicy>
  const retry_on_failure = switchOf(given, legacy, before.cross_group_retry)
  const chain =
    checked.mode === 'manual'
      ? checked.groups
      : routing.autoRoutes(member).find(({ key }) => key === checked.auto_route)?.groups
  return {
    routing: { ...checked, retry_on_failure },
    group: chain?.[0] ?? '',
    cross_group_retry: retry_on_failure,
  }
}

/** Two spellings of one switch: the one with a new value counts; left out of both, it stays as it was. */
function switchOf(given: boolean | undefined, legacy: boolean | undefined, before: boolean) {
  return given !== undefined && given !== before ? given : (legacy ?? before)
}

/** A switch alone keeps the groups; another group is a policy of its own. */
function legacyColumns(
  { group, cross_group_retry }: TokenForm,
  before: RoutingColumns,
  options: RoutingOptions,
): Partial<RoutingColumns> {
  if (group !== undefined && group !== before.group) {
    return groupColumns(group, cross_group_retry ?? before.cross_group_retry, options)
  }
  if (cross_group_retry === undefined) return {}
  const { routing } = before
  return {
    cross_group_retry,
    ...(routing !== null && { routing: { ...routing, retry_on_failure: cross_group_retry } }),
  }
}

/** A group by name, or an auto route by key; empty: the owner's own group, whatever it is at the time. */
function groupColumns(
  group: string,
  cross_group_retry: boolean,
  { routing, member }: RoutingOptions,
): RoutingColumns {
  if (group === '') return { routing: null, group, cross_group_retry }
  const policy = { version: 1, retry_on_failure: cross_group_retry } as const
  if (routing.usableGroups(member).some(({ name }) => name === group)) {
    const manual = { ...policy, mode: 'manual', auto_route: '', groups: [group] } as const
    return { routing: manual, group, cross_group_retry }
  }
  const route = routing.autoRoutes(member).find(({ key }) => key === group)
  if (route !== undefined) {
    const smart = { ...policy, mode: 'smart', auto_route: group, groups: [] } as const
    return { routing: smart, group: route.groups[0] ?? '', cross_group_retry }
  }
  const reason = `There is no group "${group}" that you may use.`
  throw new Refusal('invalid_field', { reason, param: 'group' })
}

function sourceOf({ routing, group, cross_group_retry }: RoutingColumns) {
  return { group, crossGroupRetry: cross_group_retry, routing: routing ?? undefined }
}

/** A key as its form holds it, and what of it is sent: of a key that is there, only what was changed. */
import type { RoutingPolicy, Token, TokenForm } from '../../api/tokens.js'

/** `account`: no policy of its own; requests follow the group of the account. */
export type RoutingMode = 'smart' | 'manual' | 'account'

/** Members are named as the server names its fields, so that its refusals find them. */
export interface TokenValues {
  name: string
  expired_time: number
  unlimited_quota: boolean
  remain_quota: number
  model_limits_enabled: boolean
  model_limits: string[]
  /** One per line. */
  allow_ips: string
  routing: RoutingValues
  /** Empty: no budget. */
  budget_period: BudgetChoice
  budget_quota: number
  /** Null as 0: no limit. */
  rpm_limit: number | null
  tpm_limit: number | null
}

export const budgetPeriods = ['', 'day', 'week', 'month'] as const
type BudgetChoice = (typeof budgetPeriods)[number]

export interface RoutingValues {
  mode: RoutingMode
  auto_route: string
  groups: string[]
  retry_on_failure: boolean
}

export function freshValues(routing: RoutingValues): TokenValues {
  return {
    name: '',
    expired_time: -1,
    unlimited_quota: true,
    remain_quota: 0,
    model_limits_enabled: false,
    model_limits: [],
    allow_ips: '',
    routing,
    budget_period: '',
    budget_quota: 0,
    rpm_limit: null,
    tpm_limit: null,
  }
}

export function valuesOf(token: Token): TokenValues {
  const { name, expired_time, unlimited_quota, remain_quota, model_limits_enabled } = token
  return {
    name,
    expired_time,
    unlimited_quota,
    // No cap that can be entered is too large for a number.
    remain_quota: Number(remain_quota),
    model_limits_enabled,
    model_limits: token.model_limits === '' ? [] : token.model_limits.split(','),
    allow_ips: token.allow_ips,
    routing: routingOf(token),
    budget_period: token.budget_period,
    budget_quota: Number(token.budget_quota),
    rpm_limit: token.rpm_limit || null,
    tpm_limit: token.tpm_limit || null,
  }
}

/** What is not stored, and follows from no group the key names, follows the account. */
function routingOf({ routing, routing_legacy, group }: Token): RoutingValues {
  const { mode, auto_route, groups, retry_on_failure } = routing
  const follows = routing_legacy && group === ''
  return { mode: follows ? 'account' : mode, auto_route, groups: [...groups], retry_on_failure }
}

export function formOf(values: TokenValues): TokenForm {
  const { name, expired_time, unlimited_quota, remain_quota, model_limits_enabled } = values
  return {
    name: name.trim(),
    expired_time,
    unlimited_quota,
    ...(!unlimited_quota && { remain_quota }),
    model_limits_enabled,
    model_limits: values.model_limits,
    allow_ips: values.allow_ips.split('\n'),
    ...routingForm(values.routing),
    budget_period: values.budget_period,
    ...(values.budget_period !== '' && { budget_quota: values.budget_quota }),
    rpm_limit: values.rpm_limit ?? 0,
    tpm_limit: values.tpm_limit ?? 0,
  }
}

function routingForm({ mode, auto_route, groups, retry_on_failure }: RoutingValues) {
  if (mode === 'account') return { group: '', cross_group_retry: retry_on_failure }
  const routing: RoutingPolicy = {
    version: 1,
    mode,
    auto_route: mode === 'smart' ? auto_route : '',
    groups: mode === 'manual' ? groups : [],
    retry_on_failure,
  }
  return { routing }
}

/** Quota that was spent meanwhile stays spent: a limit nobody touched is not sent. */
export function changesOf(before: TokenValues, after: TokenValues): Partial<TokenForm> {
  const was = Object.entries(formOf(before)).map(([name, value]) => [name, JSON.stringify(value)])
  const known = new Map(was as [string, string][])
  const now = Object.entries(formOf(after))
  return Object.fromEntries(
    now.filter(([name, value]) => known.get(name) !== JSON.stringify(value)),
  )
}

/** Where lines lead: to the page of that one alone, and to its rows of the usage log by the filters of its page. */
import type { LocationQuery } from 'vue-router'
import type { Days, Dimension, Only, RankedUsage, UsageOverview } from '../../api/analytics.js'
import type { Scope } from '../../api/data.js'
import { logTypes } from '../../api/logs.js'
import { beginOf, endOf } from '../../ui/days.js'

type Query = Readonly<Record<string, string | number>>

/** The page of what a line is about, over the same days. Undefined: it is about nothing that has a page. */
export function onlyLink(
  scope: Scope,
  query: LocationQuery,
  dimension: Dimension,
  of: RankedUsage,
) {
  const value = dimension === 'model' || dimension === 'group' ? of.name : of.id
  if (!value) return undefined
  const { by: _, page: __, ...kept } = query
  // An API key is of one user by itself.
  if (dimension === 'token') delete kept.user
  return { path: '/analytics', query: { ...kept, scope, [dimension]: String(value) } }
}

function spanQuery(scope: Scope, { from, to }: Days): Query {
  return { scope, start_timestamp: beginOf(from), end_timestamp: endOf(to) }
}

/** Undefined: the log cannot be filtered by it, as by what has no name. */
export function logLink(scope: Scope, days: Days, dimension: Dimension, of: RankedUsage) {
  const only = filterOf(scope, dimension, of)
  return only && { path: '/logs', query: { ...spanQuery(scope, days), ...only } }
}

function filterOf(scope: Scope, dimension: Dimension, of: RankedUsage): Query | undefined {
  if (dimension === 'channel') return of.id > 0 ? { channel: of.id } : undefined
  if (of.name === '') return undefined
  const owner: Query = scope === 'all' && of.username !== '' ? { username: of.username } : {}
  if (dimension === 'model') return { model_name: of.name, ...owner }
  if (dimension === 'group') return { group: of.name, ...owner }
  if (dimension === 'user') return { username: of.username }
  return { token_name: of.name, ...owner }
}

export interface Shown {
  readonly scope: Scope
  readonly days: Days
  readonly only: Only
  readonly names: UsageOverview['names'] | undefined
}

/** Of requests that failed. Undefined: the log cannot be filtered by what has no name any more. */
export function errorsLink({ scope, days, only, names }: Shown, error_code?: string) {
  const { model, group, channel, token, user } = only
  const username = names?.user?.name ?? ''
  const token_name = names?.token?.name ?? ''
  if (token > 0 && (token_name === '' || (scope === 'all' && username === ''))) return undefined
  if (user > 0 && username === '') return undefined
  const filters = {
    ...(model && { model_name: model }),
    ...(group && { group }),
    ...(channel && { channel }),
    ...(token && { token_name }),
    ...(scope === 'all' && (user || token) && { username }),
    ...(error_code && { error_code }),
  }
  return {
    path: '/logs',
    query: { ...spanQuery(scope, days), type: logTypes.failure, ...filters },
  }
}

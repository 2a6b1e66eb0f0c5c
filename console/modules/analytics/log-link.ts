/** The rows of the usage log that a line is about, by the filters of its page. */
import type { Days, Dimension, RankedUsage } from '../../api/analytics.js'
import type { Scope } from '../../api/data.js'
import { logTypes } from '../../api/logs.js'
import { beginOf, endOf } from '../../ui/days.js'

type Query = Readonly<Record<string, string | number>>

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
  if (dimension === 'model') return { model_name: of.name }
  if (dimension === 'group') return { group: of.name }
  if (dimension === 'user') return { username: of.username }
  return { token_name: of.name, ...(scope === 'all' && { username: of.username }) }
}

export function errorsLink(scope: Scope, days: Days, error_code?: string) {
  const only = error_code ? { error_code } : {}
  return { path: '/logs', query: { ...spanQuery(scope, days), type: logTypes.failure, ...only } }
}

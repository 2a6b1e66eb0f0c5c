/** Rows of a channel in the usage log, over days. */
import type { Days } from '../../../api/analytics.js'
import { beginOf, endOf } from '../../../ui/days.js'

export function logLink(
  channel: number,
  { from, to }: Days,
  only: Readonly<Record<string, string | number>>,
) {
  const span = { start_timestamp: beginOf(from), end_timestamp: endOf(to) }
  return { path: '/logs', query: { scope: 'all', channel, ...span, ...only } }
}

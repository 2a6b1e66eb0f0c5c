/** What of usage is shown: all of it, or that of one model, channel, API key, user or group. */
import type { Dimension, Only } from '../../api/analytics.js'
import type { Scope } from '../../api/data.js'

export const nothing: Only = { model: '', group: '', token: 0, channel: 0, user: 0 }

const order: readonly Dimension[] = ['channel', 'user', 'token', 'model', 'group']

/** Of everybody there is nothing to choose from but for admins. */
export function onlyOf(scope: Scope, stated: Only): Only {
  const { model, group, token, channel, user } = stated
  return scope === 'all'
    ? { model, group, token, channel, user }
    : { ...nothing, model, group, token }
}

export function chosenIn(only: Only): readonly Dimension[] {
  return order.filter((name) => Boolean(only[name]))
}

/** What can be chosen besides: of users there are sums by model, group and API key, of all else only the whole. */
export function offeredBeside(scope: Scope, only: Only): readonly Dimension[] {
  if (only.channel || only.token) return []
  const isNarrow = Boolean(only.model || only.group)
  return order.filter((name) => {
    if (only[name]) return false
    if (name === 'user') return scope === 'all'
    if (name === 'channel') return scope === 'all' && !isNarrow && !only.user
    return !isNarrow
  })
}

/** Lines are kept of everybody and of one user. */
export function isRanked({ model, group, token, channel }: Only): boolean {
  return !(model || group || token || channel)
}

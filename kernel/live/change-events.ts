/** What the kernel itself tells consoles: which rows changed, and that somebody's account was used. */
import type { Clock } from '../contract/kit.js'
import type { Traffic } from '../contract/services/traffic.js'
import type { Overheard } from '../store/changes.js'
import { liveLimits } from './limits.js'
import type { OpenLive } from './live.js'

export interface ChangeEventOptions {
  readonly live: OpenLive
  readonly changes: Overheard
  readonly traffic: Pick<Traffic, 'onSettled'>
  readonly clock: Clock
  /** Rows of users changed. */
  usersChanged(ids: ReadonlySet<number>): void
}

export function publishChangeEvents({
  live,
  changes,
  traffic,
  clock,
  usersChanged,
}: ChangeEventOptions): void {
  const publishAccount = accountEvents(live, clock)

  changes.onEvery((topic, ids) => {
    if (live.hears(`changes/${topic}`)) {
      live.publish(`changes/${topic}`, { ids: ids.size > liveLimits.idsMax ? null : [...ids] })
    }
    if (topic !== 'users') return
    const users = new Set([...ids].map(Number))
    usersChanged(users)
    for (const user of users) publishAccount(user)
  })
  traffic.onSettled(({ state }) => publishAccount(state.user.id))
}

/** At once, and after a while whatever came since. */
function accountEvents(live: OpenLive, clock: Clock): (userId: number) => void {
  /** By user notified lately: whether there is more to report. */
  const lately = new Map<number, boolean>()

  function publish(userId: number): void {
    live.publish('account', {}, userId)
    lately.set(userId, false)
    clock.after(liveLimits.accountMs, () => {
      const more = lately.get(userId)
      lately.delete(userId)
      if (more) publish(userId)
    })
  }

  return (userId) => {
    if (lately.has(userId)) lately.set(userId, true)
    else if (live.hears('account', userId)) publish(userId)
  }
}

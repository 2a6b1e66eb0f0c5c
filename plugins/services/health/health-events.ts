/** Tells consoles whose health changed, some channels at a time: an outage fails many requests a second. */
import type { Clock } from '../../../kernel/contract/kit.js'
import type { Live } from '../../../kernel/contract/services/live.js'

const togetherMs = 500

/** What it answers takes note of a channel. */
export function healthEvents(live: Live, clock: Clock): (channelId: number) => void {
  const changed = new Set<number>()

  function publish(): void {
    live.publish('health', { channels: [...changed] })
    changed.clear()
  }

  return (channelId) => {
    if (changed.size === 0) clock.after(togetherMs, publish)
    changed.add(channelId)
  }
}

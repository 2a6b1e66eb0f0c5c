/** Breakers that hold something back, as admins see them. */
import type { Breakers } from './breakers.js'
import type { BreakerStatus } from './health.js'

/** @param unixMs the same moment as `now`, for those outside */
export function breakerStatuses(
  breakers: Breakers,
  now: number,
  unixMs: number,
): readonly BreakerStatus[] {
  const all: BreakerStatus[] = []
  for (const breaker of breakers.all()) {
    const { state, retryAt, failures, outcomes } = breaker.status(now)
    if (state === 'closed') continue
    const { channel, keyId, model, reason } = breaker
    const at = Math.ceil(unixMs + retryAt - now)
    all.push({
      channelId: channel.id,
      keyId,
      model,
      state,
      failures,
      outcomes,
      retryAt: at,
      reason,
    })
  }
  return all
}

/** The health of some channels at a glance: how long their last answers took to begin, and who is left alone for now. */
import type { Channels } from '../../services/channels/index.js'
import type { BreakerStatus, Health } from '../../services/health/index.js'

/** In the family's spelling. */
export interface ChannelHealth {
  readonly channel_id: number
  /** Milliseconds to the first content of the last answers, oldest first. */
  readonly latencies: readonly number[]
  readonly open: number
  readonly half_open: number
  readonly parked: number
  /** Unix seconds from which the first of them is tried again; 0: none is left alone. */
  readonly retry_at: number
  /** Of that one. */
  readonly reason: string
  /** Of its stored settings; empty: none. */
  readonly fault: string
}

interface Sources {
  readonly health: Health
  readonly channels: Pick<Channels, 'fault'>
}

export async function healthOf(
  { health, channels }: Sources,
  ids: readonly number[],
): Promise<readonly ChannelHealth[]> {
  const [breakers, latencies] = await Promise.all([
    health.breakersOfAll(),
    health.latenciesOfAll(ids),
  ])
  const resting = new Map<number, BreakerStatus[]>(ids.map((id) => [id, []]))
  for (const breaker of breakers) resting.get(breaker.channelId)?.push(breaker)
  return ids.map((id, at) => ({
    channel_id: id,
    latencies: (latencies[at] ?? []).map(Math.round),
    ...summed(resting.get(id) ?? []),
    fault: channels.fault(id) ?? '',
  }))
}

function summed(breakers: readonly BreakerStatus[]) {
  const count = (state: BreakerStatus['state']) =>
    breakers.filter((breaker) => breaker.state === state).length
  const first = breakers.toSorted((a, b) => a.retryAt - b.retryAt)[0]
  return {
    open: count('open'),
    half_open: count('half-open'),
    parked: count('parked'),
    retry_at: first === undefined ? 0 : Math.ceil(first.retryAt / 1000),
    reason: first?.reason ?? '',
  }
}

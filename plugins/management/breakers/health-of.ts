/** The health of some channels at a glance: how long their last answers took to begin, and who is left alone for now. */
import type { Channels } from '../../services/channels/index.js'
import type { BreakerStatus, Health, LastKnown } from '../../services/health/index.js'

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
  /** From before a restart; null: nothing is known. */
  readonly last_known: {
    /** Unix seconds. */
    readonly at: number
    readonly well: boolean
    /** Milliseconds of the last success; 0: there was none. */
    readonly latency: number
    readonly reason: string
  } | null
}

interface Sources {
  readonly health: Health
  readonly channels: Pick<Channels, 'fault'>
}

export async function healthOf(
  { health, channels }: Sources,
  ids: readonly number[],
): Promise<readonly ChannelHealth[]> {
  const [breakers, latencies, known] = await Promise.all([
    health.breakersOfAll(),
    health.latenciesOfAll(ids),
    health.lastKnown(ids),
  ])
  const resting = new Map<number, BreakerStatus[]>(ids.map((id) => [id, []]))
  for (const breaker of breakers) resting.get(breaker.channelId)?.push(breaker)
  return ids.map((id, at) => ({
    channel_id: id,
    latencies: (latencies[at] ?? []).map(Math.round),
    ...summed(resting.get(id) ?? []),
    fault: channels.fault(id) ?? '',
    last_known: recordOf(known.get(id)),
  }))
}

function recordOf(known: LastKnown | undefined): ChannelHealth['last_known'] {
  if (known === undefined) return null
  const { at, well, ms = 0, reason } = known
  return { at: Math.floor(at / 1000), well, latency: ms, reason }
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

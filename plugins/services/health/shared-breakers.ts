/**
 * Breakers over the processes of one address: what opens, closes or is parked in one does so in the others. What each counts on the
 * way there, and the trial of a half-open breaker, is its own.
 */
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Peers } from '../../../kernel/contract/services/peers.js'
import type { Breaker, Opening } from './breaker.js'
import type { Breakers } from './breakers.js'

export interface SharedBreakers {
  opened(breaker: Breaker, now: number): void
  parked(breaker: Breaker, ms: number): void
  closed(breaker: Breaker): void
}

interface SharedDependencies {
  readonly peers: Peers
  readonly breakers: Breakers
  channel(id: number): Channel | undefined
  now(): number
}

type Told =
  | ({ readonly state: 'opened' } & Opening)
  | { readonly state: 'parked'; readonly ms: number; readonly reason: string }
  | { readonly state: 'closed' }

type Place = readonly [channelId: number, keyId: number, model: string]

const topic = 'breaker'

export function sharedBreakers(dependencies: SharedDependencies): SharedBreakers {
  const { peers, breakers, channel, now } = dependencies

  function tell({ channel: { id }, keyId, model }: Breaker, told: Told): void {
    peers.publish(topic, [[id, keyId, model], { ...told }])
  }

  peers.on(topic, (message) => {
    const [[channelId, keyId, model], told] = message as unknown as readonly [Place, Told]
    const served = channel(channelId)
    if (served === undefined) return
    if (told.state === 'opened') breakers.ensure(served, keyId, model).follow(told, now())
    else if (told.state === 'parked') {
      breakers.ensure(served, keyId, model).park(now() + told.ms, told.reason)
    } else {
      for (const breaker of breakers.at({ channelId, keyId, model })) {
        if (breaker.model === model) breaker.close()
      }
    }
  })

  return {
    opened: (breaker, time) => tell(breaker, { state: 'opened', ...breaker.opening(time) }),
    parked: (breaker, ms) => tell(breaker, { state: 'parked', ms, reason: breaker.reason }),
    closed: (breaker) => tell(breaker, { state: 'closed' }),
  }
}

/** What settling learns of a channel: which ties are made, kept and given up, and what its breaker hears. */
import t from 'tap'
import type { Failure } from '../../../../kernel/contract/failure.js'
import type { AttemptTrace } from '../../../../kernel/contract/line/attempt.js'
import type { AffinityTie } from '../../../../kernel/contract/line/channel.js'
import type { Delivery, Settling } from '../../../../kernel/contract/line/delivery.js'
import type { Kit } from '../../../../kernel/contract/service-kit.js'
import createSettle from '../../../../plugins/stages/settle/index.js'
import { FakeClock } from '../../../kit/clock.js'
import { quietLog } from '../../../kit/fakes.js'
import { brokenUpstream, opened, planned } from '../../../kit/line-fakes.js'

const tie: AffinityTie = { rule: 'session', key: 'digest', channelId: 7, skipRetry: false }

/** Settles, and answers what was learned. */
async function learned(settling: Settling): Promise<readonly string[]> {
  const heard: string[] = []
  const services = {
    affinity: {
      remember: (_: AffinityTie, answered: { channelId: number }) =>
        void heard.push(`remember ${answered.channelId}`),
      forget: (_: AffinityTie, channelId: number) => void heard.push(`forget ${channelId}`),
    },
    health: { broke: () => void heard.push('broke') },
    throttle: { succeeded: () => void heard.push('succeeded') },
  } as unknown as Kit<'affinity' | 'health' | 'throttle' | 'tasks'>['services']
  const settings = {} as Kit<'affinity'>['settings']
  await createSettle({ clock: new FakeClock(), log: quietLog, settings, services }).run(settling)
  return heard
}

const delivery = (over: Partial<Delivery>): Delivery => ({
  end: 'complete',
  usage: { input: 10, output: 2 },
  estimated: [],
  anomaly: false,
  delivered: true,
  ...over,
})

const delivered = (over: Partial<Delivery>): Settling => ({
  kind: 'delivered',
  state: opened({ affinity: tie }),
  delivery: delivery(over),
  attempts: [],
})

t.test('[ROUTE-16] a tie goes to who answered well, and to nobody else', async (t) => {
  const rows: Readonly<Record<string, readonly [Partial<Delivery>, readonly string[]]>> = {
    'a whole answer': [{}, ['succeeded', 'remember 1']],
    'a client that left in the middle': [{ end: 'clientGone' }, ['succeeded', 'remember 1']],
    'an answer without anything in it': [{ delivered: false, usage: {} }, ['succeeded']],
    'an answer that broke off': [{ end: 'upstreamBroke' }, ['broke', 'forget 1']],
  }
  for (const [title, [over, expected]] of Object.entries(rows)) {
    t.same(await learned(delivered(over)), expected, title)
  }
})

const failed = (channelId: number, over: Partial<Failure>): AttemptTrace => ({
  channelId,
  keyId: 1,
  group: 'default',
  position: 0,
  failure: { ...brokenUpstream, ...over },
})

t.test(
  '[ROUTE-16] a tie is given up for what its channel did, not for anything else',
  async (t) => {
    const rows: Readonly<Record<string, readonly [AttemptTrace, readonly string[]]>> = {
      'its upstream failed': [failed(7, {}), ['forget 7']],
      'its key was refused': [
        failed(7, { blame: 'channel', code: 'channel:invalid_key' }),
        ['forget 7'],
      ],
      'another failed': [failed(8, {}), []],
      'the client was at fault': [failed(7, { blame: 'client', code: 'upstream_rejected' }), []],
      'the database was away': [failed(7, { blame: 'channel', code: 'database_unavailable' }), []],
      'the gateway stopped': [failed(7, { blame: 'channel', code: 'shutting_down' }), []],
    }
    for (const [title, [attempt, expected]] of Object.entries(rows)) {
      const state = planned({ affinity: tie })
      const settling = { kind: 'abandoned', state, outcome: 'failed', attempts: [attempt] } as const
      t.same(await learned(settling), expected, title)
    }
  },
)

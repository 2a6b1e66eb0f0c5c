/**
 * What choosing a channel costs: microseconds per pick among 10,000 channels of one group and model, with the breakers
 * as they are in a running gateway.
 */
import type { AttemptTrace } from '../../kernel/contract/line/attempt.js'
import type { Channel } from '../../kernel/contract/line/channel.js'
import type { Health } from '../../plugins/services/health/index.js'
import { heldBack } from '../../plugins/services/routing/held-back.js'
import { picker } from '../../plugins/services/routing/pick.js'
import type { PickQuery } from '../../plugins/services/routing/routing.js'
import { brokenUpstream, channel } from '../kit/line-fakes.js'
import { ward } from '../plugins/services/health-kit.js'

const size = 10_000
const goalUs = 20
/** A whole tier is looked through now and then; in between a pick costs no more than this. */
const outageGoalUs = 100

const adapter = {
  format: 'chat' as const,
  address: () => ({ method: 'POST' as const, url: '', headers: {} }),
  fail: () => brokenUpstream,
}

/** What a client is to blame for reveals nothing of the channel, so that breakers stay as they are. */
const clientFault = { ...brokenUpstream, blame: 'client' } as const

interface Fixture {
  readonly tried?: readonly AttemptTrace[]
  /** Channels whose breaker is open. */
  readonly open?: number
  /** Channels whose upstream requested a pause. */
  readonly parked?: number
  readonly groups?: number
  readonly rounds?: number
}

export function runPick(): void {
  const channels = Array.from({ length: size }, (_, index) =>
    channel(index + 1, {
      weight: 1 + (index % 10),
      keys: [{ id: index + 1, text: `key ${index + 1}`, enabled: true }],
    }),
  )
  const rows: readonly (readonly [string, Fixture])[] = [
    ['first try', {}],
    ['after 2 failures', { tried: [channels[0]!, channels[1]!].map(traceOf) }],
    ['30 % of breakers open', { open: 3_000 }],
    ['99 % open', { open: 9_900 }],
    ['all open', { open: size }],
    ['99 % parked', { parked: 9_900 }],
    ['all parked', { parked: size, rounds: 20_000 }],
    ['all parked, 8 groups', { parked: size, groups: 8, rounds: 5_000 }],
  ]
  console.log(`\npick among ${size} channels, µs (goal: ${goalUs}, in an outage ${outageGoalUs})`)
  for (const [name, fixture] of rows) {
    const microseconds = pickMicroseconds(channels, fixture)
    console.log(`  ${name.padEnd(24)}${microseconds.toFixed(2).padStart(8)}`)
  }
}

function traceOf({ id }: Channel): AttemptTrace {
  return { channelId: id, keyId: id, group: 'default', position: 0, failure: brokenUpstream }
}

function healthOf(channels: readonly Channel[], { open = 0, parked = 0 }: Fixture): Health {
  const { health } = ward({ open_seconds: 3_600, open_seconds_max: 3_600 })
  for (const one of some(channels, open)) {
    for (let failure = 0; failure < 5; failure++) {
      health.claim(one, one.id, 'test-model').ended(brokenUpstream)
    }
  }
  const pause = { ...brokenUpstream, status: 429, retryAfterMs: 600_000 }
  for (const one of some(channels, parked)) health.claim(one, one.id, 'test-model').ended(pause)
  return health
}

/** Spread over all weights. */
function some(channels: readonly Channel[], count: number): readonly Channel[] {
  return Array.from({ length: count }, (_, index) => channels[(index * 7_919) % channels.length]!)
}

function pickMicroseconds(channels: readonly Channel[], fixture: Fixture): number {
  const { tried = [], groups = 1, rounds = 100_000 } = fixture
  const tiers = [{ priority: 0, channels }]
  const health = healthOf(channels, fixture)
  const terms = {
    health,
    channels: { get: (id: number) => channels[id - 1], tiers: () => tiers },
    providers: { adapter: () => adapter },
    random: Math.random,
    now: () => performance.now(),
    retriesPerGroup: () => 2,
  }
  const pick = picker(terms)
  const held = heldBack(terms)
  const query: PickQuery = {
    route: { groups: Array.from({ length: groups }, (_, n) => `group ${n}`), crossGroup: true },
    model: 'test-model',
    operation: 'chat',
    format: { name: 'chat' },
    tried,
  }
  const once = () => {
    const picking = pick(query)
    if (picking === undefined) held(query)
    else picking.claim.ended(clientFault)
  }
  for (let warmUp = 0; warmUp < rounds / 10; warmUp++) once()
  const start = process.hrtime.bigint()
  for (let round = 0; round < rounds; round++) once()
  return Number(process.hrtime.bigint() - start) / 1000 / rounds
}

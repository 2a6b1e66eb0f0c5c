/** When a request that nobody takes now may come again. */
import t from 'tap'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Wait } from '../../../plugins/services/health/index.js'
import { heldBack } from '../../../plugins/services/routing/held-back.js'
import { brokenUpstream, channel } from '../../kit/line-fakes.js'

const adapter = {
  format: 'chat' as const,
  address: () => ({ method: 'POST' as const, url: '', headers: {} }),
  fail: () => brokenUpstream,
}

function setup(
  tiers: Readonly<Record<string, readonly (readonly Channel[])[]>>,
  wait: (keyId: number) => Wait | undefined,
) {
  const requests: number[] = []
  const held = heldBack({
    channels: {
      tiers: (group) =>
        (tiers[group] ?? []).map((channels, index) => ({ priority: -index, channels })),
    },
    providers: { adapter: ({ type }) => (type === 1 ? adapter : undefined) },
    health: {
      admits: () => false,
      spares: () => false,
      wait(_, keyId) {
        requests.push(keyId)
        return wait(keyId)
      },
    },
  })
  const ask = (...groups: readonly string[]) =>
    held({
      route: { groups, crossGroup: true },
      model: 'm',
      operation: 'chat',
      format: { name: 'chat' },
      tried: [],
    })
  return { ask, requests }
}

const many = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => {
    const id = from + index + 1
    return channel(id, { keys: [{ id, text: 'k', enabled: true }] })
  })

t.test('the shortest wait of the route is reported, of keys that are on and could serve', (t) => {
  const off = channel(1, { keys: [{ id: 100, text: 'k', enabled: false }] })
  const useless = channel(2, { type: 9, keys: [{ id: 200, text: 'k', enabled: true }] })
  const { ask, requests } = setup({ a: [many(2), [off, useless]], b: [many(2, 2)] }, (keyId) =>
    keyId === 1 ? undefined : { ms: 1_000 * (10 - keyId), parked: keyId === 4 },
  )
  t.same(ask('a', 'b'), { ms: 6_000, parked: true })
  t.same(requests, [1, 2, 3, 4])
  t.same(ask('a'), { ms: 8_000, parked: false })
  t.equal(ask('nobody'), undefined)
  t.end()
})

t.test('of thousands some from everywhere are queried, of every group of the route', (t) => {
  const { ask, requests } = setup({ a: [many(10_000)], b: [many(10_000, 10_000)] }, (keyId) => ({
    ms: 1_000 + keyId,
    parked: false,
  }))
  t.match(ask('a', 'b'), { parked: false })
  t.ok(requests.length <= 100)
  t.ok(
    requests.some((id) => id > 9_000 && id <= 10_000),
    'from the end of a tier',
  )
  t.ok(
    requests.some((id) => id > 10_000),
    'from the second group',
  )
  t.end()
})

t.test('of a channel of thousands of keys too', (t) => {
  const keys = Array.from({ length: 5_000 }, (_, index) => ({
    id: index + 1,
    text: 'k',
    enabled: index % 2 === 0,
  }))
  const { ask, requests } = setup({ a: [[channel(1, { keys })]] }, () => ({ ms: 5, parked: false }))
  t.same(ask('a'), { ms: 5, parked: false })
  t.ok(requests.length <= 50)
  t.end()
})

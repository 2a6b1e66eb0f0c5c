import t from 'tap'
import type { Channel, Token, User } from '../../../kernel/contract/exchange.js'
import { systemClock } from '../../../kernel/schedule/system-clock.js'
import { choose } from '../../../plugins/services/routing/choose.js'
import create from '../../../plugins/services/routing/index.js'
import { quietLog } from '../../kit/fakes.js'
import { channel } from '../../kit/line-fakes.js'

const any = () => true
const weighted = (id: number, weight: number): Channel => ({ ...channel(id), weight })

t.test('[ROUTE-2] inside a tier the share of a channel is its weight', (t) => {
  const channels = [weighted(1, 3), weighted(2, 1), weighted(3, 0)]
  const taken = new Map<number, number>()
  const draws = 4000
  for (let draw = 0; draw < draws; draw++) {
    const id = choose(channels, any, draw / draws)?.id ?? 0
    taken.set(id, (taken.get(id) ?? 0) + 1)
  }
  t.strictSame(
    [...taken],
    [
      [1, 3000],
      [2, 1000],
    ],
  )
  t.end()
})

t.test(
  '[ROUTE-2] a weight of 0 stands by until no weighted channel is left, then shares evenly',
  (t) => {
    const channels = [weighted(1, 5), weighted(2, 0), weighted(3, 0)]
    const notFirst = ({ id }: Channel) => id !== 1
    t.equal(choose(channels, any, 0.99)?.id, 1)
    t.equal(choose(channels, notFirst, 0.49)?.id, 2)
    t.equal(choose(channels, notFirst, 0.51)?.id, 3)
    t.equal(
      choose(channels, () => false, 0),
      undefined,
    )
    t.end()
  },
)

const adapter = {
  format: 'chat' as const,
  address: () => ({ method: 'POST' as const, url: '', headers: {} }),
  fail: () => ({ blame: 'upstream' as const, status: 500, code: 'upstream_error', message: '' }),
}

/** Two tiers in one group; type 9 is a provider that serves nothing. */
function scene() {
  const top = [weighted(1, 1), { ...weighted(4, 100), type: 9 }]
  const routing = create({
    settings: undefined as never,
    clock: systemClock,
    log: quietLog,
    services: {
      channels: {
        get: () => undefined,
        renewKey: async () => {},
        models: (group) => (group === 'default' ? ['b', 'a'] : ['c', 'a']),
        tiers: (group, model) =>
          group === 'default' && model === 'test-model'
            ? [
                { priority: 10, channels: top },
                { priority: 0, channels: [weighted(2, 1)] },
              ]
            : [],
      },
      pricing: {
        current: () => ({ version: '1', price: () => undefined }),
        priced: () => true,
        groups: () => ['default', 'vip'],
      },
      providers: {
        adapter: ({ type }) => (type === 9 ? undefined : adapter),
        provider: () => undefined,
        hosts: () => [],
        defaultBaseUrl: () => '',
        warm: async () => {},
      },
    },
  })
  const ask = (excluded: number[], model = 'test-model') =>
    routing.pick({
      route: { groups: ['vip', 'default'] },
      position: 0,
      model,
      operation: 'chat',
      format: { name: 'chat' },
      excluded: new Set(excluded),
    })
  return { routing, ask }
}

t.test(
  '[ROUTE-2] the highest priority that has a channel left is taken, of the group whose turn it is',
  (t) => {
    const { ask } = scene()
    t.match(ask([]), { channel: { id: 1 }, group: 'default', position: 1, key: 'upstream-key' })
    t.match(ask([1]), { channel: { id: 2 } })
    t.equal(ask([1, 2]), undefined)
    t.equal(ask([], 'another-model'), undefined)
    t.end()
  },
)

t.test(
  '[ROUTE-1] a token goes by its own group, else by that of its user; a group without a ratio is refused',
  (t) => {
    const { routing } = scene()
    const user: User = { id: 1, username: 'ada', role: 1, group: 'vip', walletId: 1 }
    const token = (group: string): Token => ({ id: 1, name: 'test', group })
    t.strictSame(routing.plan(user, token('default')), { groups: ['default'] })
    t.strictSame(routing.plan(user, token('')), { groups: ['vip'] })
    t.throws(() => routing.plan(user, token('gone')), { code: 'group_not_usable' } as never)
    t.strictSame(routing.models({ groups: ['default', 'vip'] }), ['a', 'b', 'c'])
    t.end()
  },
)

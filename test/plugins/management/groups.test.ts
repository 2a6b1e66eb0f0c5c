/** Groups as the caller may use them. */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import { systemClock } from '../../../kernel/schedule/system-clock.js'
import createGroups from '../../../plugins/management/groups/index.js'
import type { Routing } from '../../../plugins/services/routing/index.js'
import { quietLog } from '../../kit/fakes.js'
import { call, data, settingsOf } from './management-fixture.js'

const ada: Principal = { userId: 1, username: 'ada', role: 1, group: 'vip', via: 'session' }

/** What routing is queried of the caller, and answers of any. */
function start(routes: readonly string[] = ['auto']) {
  const requests: unknown[] = []
  const routing: Partial<Routing> = {
    usableGroups(user) {
      requests.push(user)
      return [
        { name: 'default', ratio: 1, desc: 'Default group' },
        { name: 'vip', ratio: 0.5, desc: 'VIP group' },
      ]
    },
    autoRoutes: () =>
      routes.map((key) => ({ key, display_name: 'Automatic', groups: ['vip', 'default'] })),
  }
  const area = createGroups({
    settings: settingsOf({}),
    clock: systemClock,
    log: quietLog,
    // What admins do to groups is proven over a whole gateway.
    services: { routing: routing as Routing } as Parameters<typeof createGroups>[0]['services'],
  })
  return { area, requests }
}

t.test('[ROUTE-17] the groups stay a dictionary, the auto routes stand beside it', async (t) => {
  const { area, requests } = start()
  t.same(await call(area, 'list', { principal: ada }), {
    answer: true,
    data: {
      default: { ratio: 1, desc: 'Default group' },
      vip: { ratio: 0.5, desc: 'VIP group' },
    },
    beside: {
      auto_routes: [{ key: 'auto', display_name: 'Automatic', groups: ['vip', 'default'] }],
    },
  })
  t.match(requests, [{ role: 1, group: 'vip' }], 'as this caller may use them')
})

t.test(
  'the own groups have the routes among them, a group before a route of its name',
  async (t) => {
    const { area } = start(['auto', 'vip'])
    for (const name of ['own', 'own-short']) {
      t.same(await data(area, name, { principal: ada }), {
        auto: { ratio: 'auto', desc: 'Automatic' },
        vip: { ratio: 0.5, desc: 'VIP group' },
        default: { ratio: 1, desc: 'Default group' },
      })
    }
  },
)

t.test('the groups for the policy of a key, and how many of them', async (t) => {
  const { area } = start()
  t.same(await data(area, 'for-keys', { principal: ada }), {
    groups: ['default', 'vip'],
    max_count: 8,
  })
})

t.test('nobody signed in is nobody', async (t) => {
  const { area } = start()
  for (const name of ['list', 'own', 'own-short', 'for-keys']) {
    await t.rejects(call(area, name), { code: 'unauthorized' }, name)
  }
})

/** The affinity cache over the management API: root sees and empties it, and what the options refuse is not stored. */
import t from 'tap'
import type { Changes } from '../../../kernel/contract/services/changes.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import createArea from '../../../plugins/management/affinity/index.js'
import type { Affinity, RuleStats } from '../../../plugins/services/affinity/index.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import { quietLog } from '../../kit/fakes.js'
import { startGateway } from '../../kit/gateway.js'
import { management } from '../../kit/management.js'
import { call, data, settingsOf } from './management-fixture.js'

const path = '/api/option/channel_affinity_cache'

const rules: readonly RuleStats[] = [
  { rule: 'one two', entries: 3, hits: 5, misses: 4, cachedTokens: 900 },
  { rule: 'idle', entries: 0, hits: 0, misses: 0, cachedTokens: 0 },
]

/** The area over a service that notes what it is queried to clear. */
function area(database: Database, changes: Changes) {
  const cleared: (string | undefined)[] = []
  const affinity: Affinity = {
    match: () => undefined,
    remember() {},
    forget() {},
    stats: async () => rules,
    clear(rule) {
      cleared.push(rule)
      return 3
    },
  }
  const made = createArea({
    settings: settingsOf({}),
    clock: new FakeClock(),
    log: quietLog,
    services: { affinity, database, changes },
  })
  return { area: made, cleared }
}

t.test('the figures stand by rule, with the sum of the ties', async (t) => {
  const { changes, ...database } = await testDatabase(t)
  const { area: affinity } = area(database, changes)
  t.strictSame(await data(affinity, 'stats'), {
    entries: 3,
    rules: [
      { rule: 'one two', entries: 3, hits: 5, misses: 4, cached_tokens: 900 },
      { rule: 'idle', entries: 0, hits: 0, misses: 0, cached_tokens: 0 },
    ],
  })
})

t.test('clearing answers how many ties went and tells every process', async (t) => {
  const { changes, ...database } = await testDatabase(t)
  const { area: affinity, cleared } = area(database, changes)
  const heard: string[] = []
  changes.on('affinity', (ids) => void heard.push(...ids))
  t.equal(await data(affinity, 'clear', { query: { rule: 'one two' } }), 3)
  await changes.settled()
  t.equal(await data(affinity, 'clear', { query: { rule: '' } }), 3)
  await changes.settled()
  t.strictSame(cleared, ['one two', undefined])
  t.strictSame(heard, ['rule one two', 'all'])
  await t.rejects(call(affinity, 'clear', { query: { rule: 'none' } }), { code: 'gone_missing' })
  await t.rejects(call(affinity, 'clear', { query: { rules: 'idle' } }), { code: 'invalid_field' })
  t.equal(cleared.length, 2, 'neither cleared anything')
})

t.test('over HTTP, for root alone', async (t) => {
  const { admin, url } = await startGateway(t)
  const shown = await admin.must('GET', path)
  t.strictSame(
    shown.rules.map(({ rule }: { rule: string }) => rule),
    ['code-assistant-cli', 'messages-cli'],
  )
  t.equal(await admin.must('DELETE', path), 0)
  t.equal(await admin.must('DELETE', `${path}?rule=messages-cli`), 0)
  t.equal((await admin.call('DELETE', `${path}?rule=none`)).status, 404)

  const stranger = management(url)
  t.equal((await stranger.call('GET', path)).status, 401)
  await admin.must('POST', '/api/user/', {
    username: 'adam',
    password: 'a long password',
    role: 10,
  })
  await stranger.login('adam', 'a long password')
  t.equal((await stranger.call('GET', path)).status, 403)
  t.equal((await stranger.call('DELETE', path)).status, 403)
})

t.test(
  '[ROUTE-16] a rule that cannot be used is refused by name and nothing is saved',
  async (t) => {
    const { admin } = await startGateway(t)
    const key = 'channel_affinity_setting.rules'
    const stored = async () =>
      (await admin.must('GET', '/api/option/')).find((row: { key: string }) => row.key === key)
        .value
    const before = await stored()
    const value = JSON.stringify([
      { name: 'x', key_sources: [{ type: 'user' }], path_regex: ['['] },
    ])
    const { status, body } = await admin.call('PUT', '/api/option/', { key, value })
    t.equal(status, 400)
    t.match(
      body.message,
      /^channel_affinity_setting\.rules, rule "x": path_regex\[0\] is no regular/,
    )
    t.equal(await stored(), before)
    await admin.option(key, [{ name: 'x', key_sources: [{ type: 'user' }] }])
    t.strictSame(
      (await admin.must('GET', path)).rules.map(({ rule }: { rule: string }) => rule),
      ['x'],
    )
  },
)

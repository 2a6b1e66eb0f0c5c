/** Breakers as admins see and reset them. */
import t from 'tap'
import createBreakers from '../../../plugins/management/breakers/index.js'
import type { BreakerScope, BreakerStatus } from '../../../plugins/services/health/index.js'
import { call, data, managementFixture, settingsOf } from './management-fixture.js'

const gateway = await managementFixture(t)
const { clock, log, database, changes, channels } = gateway

const [{ id }] = await database.knex('channels').insert({ type: 1, name: 'one' }).returning('id')
await gateway.tell('channels', id)

function status(over: Partial<BreakerStatus>): BreakerStatus {
  return {
    channelId: id,
    keyId: 11,
    model: 'm',
    state: 'open',
    failures: 5,
    outcomes: 8,
    retryAt: 1_700_000_000_001,
    reason: 'Status 500: no',
    ...over,
  }
}

const resets: BreakerScope[] = []
const area = createBreakers({
  settings: settingsOf({}),
  clock,
  log,
  services: {
    database,
    changes,
    channels: { ...channels, fault: (one) => (one === id ? 'The word is a.' : undefined) },
    health: {
      admits: () => true,
      spares: () => true,
      wait: () => undefined,
      claim: () => ({ ended() {} }),
      broke() {},
      latencies: () => [],
      tested() {},
      lastKnown: async () => new Map(),
      latenciesOfAll: async (ids) =>
        ids.map((channelId) => (channelId === id ? [120.4, 98.6] : [])),
      breakers: () => [],
      breakersOfAll: async () => [
        status({ channelId: 99, keyId: 3, state: 'parked', model: '' }),
        status({ keyId: 12 }),
        status({ model: 'z' }),
        status({ state: 'half-open' }),
      ],
      reset: () => 0,
      async resetOfAll(scope) {
        resets.push(scope)
        return 2
      },
    },
  },
})

t.test('the list names channel, key and model, in order, with reason and time', async (t) => {
  const { items, total, page, page_size } = await data(area, 'list')
  t.same([total, page, page_size], [4, 1, 10])
  t.same(
    items.map((item: { channel_id: number; key_id: number; model: string }) => [
      item.channel_id,
      item.key_id,
      item.model,
    ]),
    [
      [id, 11, 'm'],
      [id, 11, 'z'],
      [id, 12, 'm'],
      [99, 3, ''],
    ],
  )
  t.same(items[0], {
    channel_id: id,
    channel_name: 'one',
    key_id: 11,
    model: 'm',
    state: 'half-open',
    failures: 5,
    outcomes: 8,
    retry_at: 1_700_000_001,
    reason: 'Status 500: no',
  })
  t.equal(items[3].channel_name, '', 'a channel that is gone')
})

t.test('the list is one channel’s where that is queried, and comes in pages', async (t) => {
  const { items, total } = await data(area, 'list', { query: { channel_id: '99' } })
  t.same([items.length, total], [1, 1])
  const second = await data(area, 'list', { query: { p: 2, page_size: 3, channel_id: '' } })
  t.same([second.items.length, second.total], [1, 4])
  for (const channel_id of ['0', 'x', '99999999999']) {
    const pending = data(area, 'list', { query: { channel_id } })
    await t.rejects(pending, { code: 'invalid_field' }, channel_id)
  }
})

t.test('the health of channels: latencies and open breakers, of those requested', async (t) => {
  const request = await data(area, 'health', { query: { ids: `${id},98765,${id}` } })
  t.same(request, [
    {
      channel_id: id,
      latencies: [120, 99],
      open: 2,
      half_open: 1,
      parked: 0,
      retry_at: 1_700_000_001,
      reason: 'Status 500: no',
      fault: 'The word is a.',
      last_known: null,
    },
    {
      channel_id: 98765,
      latencies: [],
      open: 0,
      half_open: 0,
      parked: 0,
      retry_at: 0,
      reason: '',
      fault: '',
      last_known: null,
    },
  ])
  const many = Array.from({ length: 1001 }, (_, at) => at + 1).join(',')
  for (const ids of [undefined, '', 'x', '1,', '1;2', many]) {
    await t.rejects(data(area, 'health', { query: { ids } }), { code: 'invalid_field' })
  }
})

t.test('a reset is done here and reported to every process', async (t) => {
  const heard: string[] = []
  changes.on('breakers', (scopes) => void heard.push(...scopes))
  const params = { id: String(id) }
  const body = { key_id: 11, model: 'm' }
  t.same(await data(area, 'reset', { params, body }), { reset: 2 })
  await call(area, 'reset', { params, body: {} })
  await changes.settled()
  t.same(resets, [
    { channelId: id, keyId: 11, model: 'm' },
    { channelId: id, keyId: undefined, model: undefined },
  ])
  t.same(
    heard.map((scope) => JSON.parse(scope)),
    [{ channelId: id, keyId: 11, model: 'm' }, { channelId: id }],
  )
})

t.test('what is not there or makes no sense is refused by name', async (t) => {
  const params = { id: String(id) }
  await t.rejects(call(area, 'reset', { params: { id: '98765' }, body: {} }), {
    code: 'gone_missing',
  })
  await t.rejects(call(area, 'reset', { params: { id: 'x' }, body: {} }), {
    code: 'invalid_field',
  })
  const bad = { key_id: ['0', 'x', 1.5], model: ['', 7, 'x'.repeat(257)] }
  for (const [field, values] of Object.entries(bad)) {
    for (const value of values) {
      const pending = call(area, 'reset', { params, body: { [field]: value } })
      await t.rejects(pending, { code: 'invalid_field', param: field }, `${field}: ${value}`)
    }
  }
})

/** Channels in memory: what the line sees of the rows, tier by tier, and how it hears of changes. */
import t from 'tap'
import type { Channel } from '../../../kernel/contract/exchange.js'
import { channelIndex } from '../../../plugins/services/channels/channel-index.js'
import type { ChannelRow } from '../../../plugins/services/channels/channel-row.js'
import { channelOf } from '../../../plugins/services/channels/channel-row.js'
import createChannels from '../../../plugins/services/channels/index.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import { catalog, providers, RecordingLog, secrets, settingsOf, tell } from '../management/desk.js'

const readers = { providers, catalog, secrets }

function row(over: Partial<ChannelRow> = {}): ChannelRow {
  return {
    id: 5,
    type: 1,
    name: 'five',
    status: 1,
    key_sealed: secrets.seal('channels:5:key', 'upstream key'),
    base_url: '',
    models: ['a'],
    groups: ['default'],
    priority: 0n,
    weight: 0,
    model_mapping: {},
    param_override: {},
    status_code_mapping: {},
    setting: {},
    settings: {},
    ...over,
  }
}

function channel(id: number, over: Partial<Channel> = {}): Channel {
  return { ...channelOf(row(), readers), id, name: `c${id}`, ...over }
}

const on = { enabled: true }

t.test('a row becomes the record of the line', async (t) => {
  const read = channelOf(
    row({
      priority: -3n,
      weight: 7,
      model_mapping: { a: 'b' },
      param_override: { temperature: 0 },
      status_code_mapping: { 404: 500 },
      setting: { on_client_gone: 'abort' },
    }),
    readers,
  )
  t.same(read, {
    id: 5,
    type: 1,
    name: 'five',
    baseUrl: 'https://one.example',
    settings: {},
    groups: ['default'],
    models: new Set(['a']),
    priority: -3,
    weight: 7,
    modelMapping: { a: 'b' },
    paramOverride: { temperature: 0 },
    statusCodeMapping: { 404: 500 },
    onClientGone: 'abort',
    keys: ['upstream key'],
  })
  t.equal(channelOf(row(), readers).onClientGone, 'drain')
  t.same(channelOf(row({ key_sealed: '' }), readers).keys, [])
})

t.test('a base address is the origin without version', async (t) => {
  const rows = [
    ['', 'https://one.example'],
    ['https://a.example/', 'https://a.example'],
    ['https://a.example/v1', 'https://a.example'],
    ['https://a.example/v1/', 'https://a.example'],
    ['https://a.example/openai/v1', 'https://a.example/openai'],
    ['https://a.example/v12', 'https://a.example/v12'],
    [' https://a.example// ', 'https://a.example'],
  ] as const
  for (const [base_url, expected] of rows) {
    t.equal(channelOf(row({ base_url }), readers).baseUrl, expected, base_url)
  }
})

t.test("the provider's fields come with their defaults, secrets opened", async (t) => {
  const place = 'channels:5:settings.account'
  const settings = { account: secrets.seal(place, 'acc-1'), vendor_extension: { kept: true } }
  t.same(channelOf(row({ type: 901, settings }), readers).settings, {
    region: 'eu',
    account: 'acc-1',
    vendor_extension: { kept: true },
  })
  const moved = { account: secrets.seal('channels:6:settings.account', 'acc-1') }
  t.throws(() => channelOf(row({ type: 901, settings: moved }), readers), /another place/)
})

t.test('tiers are ordered by priority, each by id, of enabled channels alone', async (t) => {
  const index = channelIndex()
  index.put(channel(3, { priority: 1 }), on)
  index.put(channel(1, { priority: 1 }), on)
  index.put(channel(2, { priority: 9 }), on)
  index.put(channel(4, { priority: 9 }), { enabled: false })
  index.put(channel(5, { groups: ['vip'] }), on)
  index.put(channel(6, { models: new Set(['b']) }), on)
  const shape = (group: string, model: string) =>
    index.tiers(group, model).map((tier) => [tier.priority, tier.channels.map(({ id }) => id)])
  t.same(shape('default', 'a'), [
    [9, [2]],
    [1, [1, 3]],
  ])
  t.same(shape('vip', 'a'), [[0, [5]]])
  t.same(shape('vip', 'b'), [])
  t.same(shape('nobody', 'a'), [])
  t.equal(index.get(4)?.name, 'c4', 'a disabled channel is known by its id')
})

t.test('a change drops the tiers it touches and leaves the others as they were', async (t) => {
  const index = channelIndex()
  index.put(channel(1, { models: new Set(['a', 'b']) }), on)
  index.put(channel(2, { models: new Set(['b']) }), on)
  const [a, b] = [index.tiers('default', 'a'), index.tiers('default', 'b')]
  t.equal(index.tiers('default', 'a'), a, 'built once')
  index.put(channel(2, { models: new Set(['b']), weight: 5 }), on)
  t.equal(index.tiers('default', 'a'), a)
  t.not(index.tiers('default', 'b'), b)
  t.equal(index.tiers('default', 'b')[0]?.channels[1]?.weight, 5)

  index.put(channel(1, { models: new Set(['b']) }), on)
  t.same(index.tiers('default', 'a'), [], 'a model no longer served is gone')
  index.put(channel(2, { groups: ['vip'] }), on)
  t.equal(index.tiers('default', 'b')[0]?.channels.length, 1, 'and so is a group no longer served')
  index.remove(1)
  t.same(index.tiers('default', 'b'), [])
  t.same(index.models('default'), [])
})

t.test('models of a group are named once, in order', async (t) => {
  const index = channelIndex()
  index.put(channel(1, { models: new Set(['z', 'b']) }), on)
  index.put(channel(2, { models: new Set(['b', 'a']) }), on)
  index.put(channel(3, { models: new Set(['off']) }), { enabled: false })
  t.same(index.models('default'), ['a', 'b', 'z'])
  index.put(channel(2, { models: new Set(['c']) }), on)
  t.same(index.models('default'), ['b', 'c', 'z'])
  t.same(index.models('nobody'), [])
})

t.test(
  'choosing among 10,000 channels searches them once, and for unknown names never',
  async (t) => {
    const index = channelIndex()
    let asked = 0
    class CountedSet extends Set<string> {
      override has(name: string): boolean {
        asked++
        return super.has(name)
      }
    }
    for (let id = 1; id <= 10_000; id++) {
      index.put(channel(id, { models: new CountedSet(['a']), priority: id % 3 }), on)
    }
    t.equal(index.tiers('default', 'a').length, 3)
    t.equal(asked, 10_000)
    for (let n = 0; n < 1_000; n++) {
      index.tiers('default', 'a')
      index.tiers('default', `made up ${n}`)
    }
    t.equal(asked, 10_000)
  },
)

t.test('the copy follows the table row by row', async (t) => {
  const database = await testDatabase(t)
  const log = new RecordingLog()
  const table = () => database.knex('channels')
  const insert = async (fields: object): Promise<number> => {
    const [made] = await table()
      .insert({ type: 1, name: 'n', ...fields })
      .returning('id')
    return made.id
  }
  const first = await insert({ models: ['a'], priority: 4 })
  const broken = await insert({ models: ['a'], key_sealed: 'not sealed here' })
  const warmed: number[] = []
  const service = createChannels({
    settings: settingsOf({}),
    clock: new FakeClock(),
    log,
    services: {
      database,
      changes: database.changes,
      catalog,
      secrets,
      providers: {
        ...providers,
        async warm(type) {
          warmed.push(type)
          if (type === 8) throw new Error('cannot be loaded')
        },
      },
    },
  })
  await service.start?.()
  const ids = () =>
    service.tiers('default', 'a').flatMap((tier) => tier.channels.map(({ id }) => id))
  t.same(ids(), [first], 'a channel whose key cannot be opened is left out')
  t.equal(service.get(broken), undefined)
  t.same(log.lines, ['a channel could not be read and is left out'])
  t.same(warmed, [1])

  const second = await insert({ type: 8, models: ['a'], priority: 9 })
  t.same(ids(), [first])
  await tell(database, 'channels', [second])
  t.same(ids(), [second, first], 'a provider that does not load harms nobody')

  await table().where('id', first).update({ status: 3 })
  await table().where('id', second).delete()
  await tell(database, 'channels', [first, second, 999])
  t.same(ids(), [])
  t.equal(service.get(second), undefined)
})

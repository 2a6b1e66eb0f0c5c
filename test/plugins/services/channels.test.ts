/** Channels in memory: what the line sees of the rows, tier by tier, and how it hears of changes. */
import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { SecretBox } from '../../../kernel/contract/services/secrets.js'
import { channelIndex } from '../../../plugins/services/channels/channel-index.js'
import type { ChannelColumns, KeyColumns } from '../../../plugins/services/channels/channel-row.js'
import { channelOf, typesOf } from '../../../plugins/services/channels/channel-row.js'
import createChannels from '../../../plugins/services/channels/index.js'
import { sharedLists } from '../../../plugins/services/channels/shared-lists.js'
import createRewriting from '../../../plugins/services/rewriting/index.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import {
  catalog,
  providers,
  RecordingLog,
  secrets,
  settingsOf,
  tell,
} from '../management/management-fixture.js'

const readers = { providers, types: typesOf(catalog), secrets }

function row(over: Partial<ChannelColumns> = {}): ChannelColumns {
  return {
    id: 5,
    type: 1,
    name: 'five',
    status: 1,
    base_url: '',
    models: new Set(['a']),
    groups: ['default'],
    priority: 0n,
    weight: 0,
    model_mapping: {},
    param_override: {},
    header_override: {},
    cost_terms: null,
    status_code_mapping: {},
    multi_key_mode: '',
    auto_ban: 1,
    setting: {},
    settings: {},
    ...over,
  }
}

function keyRow(id: number, text: string, status: KeyColumns['status'] = 1): KeyColumns {
  return { id, channel_id: 5, sealed: secrets.seal('channels:5:key', text), status }
}

/** The same numbers every time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    return (state >>> 0) / 4_294_967_296
  }
}

function channel(id: number, over: Partial<Channel> = {}): Channel {
  return { ...channelOf(row(), [], readers), id, name: `c${id}`, ...over }
}

t.test('a row becomes the record of the line', async (t) => {
  const read = channelOf(
    row({
      priority: -3n,
      weight: 7,
      model_mapping: { a: 'b' },
      param_override: { temperature: 0 },
      header_override: { 'x-a': 'b' },
      status_code_mapping: { 404: 500 },
      multi_key_mode: 'polling',
      auto_ban: 0,
      setting: {
        on_client_gone: 'abort',
        system_prompt: ' Be brief. ',
        system_prompt_override: true,
        pass_through_body_enabled: true,
        proxy: ' socks5://127.0.0.1:1080 ',
        first_token_timeout_ms: 9000,
      },
    }),
    [keyRow(3, 'first key'), keyRow(9, 'second key', 3), keyRow(11, 'third key', 2)],
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
    headerOverride: { 'x-a': 'b' },
    statusCodeMapping: { 404: 500 },
    keys: [
      { id: 3, text: 'first key', enabled: true },
      { id: 9, text: 'second key', enabled: false },
      { id: 11, text: 'third key', enabled: false },
    ],
    keyMode: 'polling',
    enabled: true,
    autoBan: false,
    onClientGone: 'abort',
    systemPrompt: ' Be brief. ',
    overrideSystemPrompt: true,
    passThroughBody: true,
    proxy: 'socks5://127.0.0.1:1080',
    firstContentMs: 9000,
  })
})

t.test('what a row leaves open has its default, and so has what has the wrong type', async (t) => {
  const odd = {
    system_prompt: ' ',
    proxy: 7,
    first_token_timeout_ms: -1,
    pass_through_body_enabled: 1,
  }
  for (const setting of [{}, odd]) {
    t.match(channelOf(row({ setting, status: 3 }), [], readers), {
      keys: [],
      keyMode: 'random',
      enabled: false,
      autoBan: true,
      onClientGone: 'drain',
      systemPrompt: undefined,
      overrideSystemPrompt: false,
      passThroughBody: false,
      proxy: undefined,
      firstContentMs: undefined,
    })
  }
})

t.test('a key is opened at the place of its channel alone', async (t) => {
  const moved = { ...keyRow(3, 'k'), channel_id: 6 }
  t.throws(() => channelOf(row({ id: 6 }), [moved], readers), /another place/)
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
    t.equal(channelOf(row({ base_url }), [], readers).baseUrl, expected, base_url)
  }
})

t.test("the provider's fields come with their defaults, secrets opened", async (t) => {
  const place = 'channels:5:settings.account'
  const settings = { account: secrets.seal(place, 'acc-1'), vendor_extension: { kept: true } }
  t.same(channelOf(row({ type: 901, settings }), [], readers).settings, {
    region: 'eu',
    account: 'acc-1',
    vendor_extension: { kept: true },
  })
  const moved = { account: secrets.seal('channels:6:settings.account', 'acc-1') }
  t.throws(() => channelOf(row({ type: 901, settings: moved }), [], readers), /another place/)
})

t.test('tiers are ordered by priority, each by id, of enabled channels alone', async (t) => {
  const index = channelIndex()
  index.put(channel(3, { priority: 1 }))
  index.put(channel(1, { priority: 1 }))
  index.put(channel(2, { priority: 9 }))
  index.put(channel(4, { priority: 9, enabled: false }))
  index.put(channel(5, { groups: ['vip'] }))
  index.put(channel(6, { models: new Set(['b']) }))
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
  t.same(
    index.all().map(({ id }) => id),
    [1, 2, 3, 4, 5, 6],
  )
  index.put(channel(2, { priority: 9, weight: 3 }))
  index.remove(5)
  t.same(
    index.all().map(({ id, weight }) => [id, weight]),
    [
      [1, 0],
      [2, 3],
      [3, 0],
      [4, 0],
      [6, 0],
    ],
    'in order of id after changes too',
  )
})

t.test('a change drops the tiers it touches and leaves the others as they were', async (t) => {
  const index = channelIndex()
  index.put(channel(1, { models: new Set(['a', 'b']) }))
  index.put(channel(2, { models: new Set(['b']) }))
  const [a, b] = [index.tiers('default', 'a'), index.tiers('default', 'b')]
  t.equal(index.tiers('default', 'a'), a, 'built once')
  index.put(channel(2, { models: new Set(['b']), weight: 5 }))
  t.equal(index.tiers('default', 'a'), a)
  t.not(index.tiers('default', 'b'), b)
  t.equal(index.tiers('default', 'b')[0]?.channels[1]?.weight, 5)

  index.put(channel(1, { models: new Set(['b']) }))
  t.same(index.tiers('default', 'a'), [], 'a model no longer served is gone')
  index.put(channel(2, { groups: ['vip'] }))
  t.equal(index.tiers('default', 'b')[0]?.channels.length, 1, 'and so is a group no longer served')
  index.remove(1)
  t.same(index.tiers('default', 'b'), [])
  t.same(index.models('default'), [])
})

t.test('models of a group are named once, in order', async (t) => {
  const index = channelIndex()
  index.put(channel(1, { models: new Set(['z', 'b']) }))
  index.put(channel(2, { models: new Set(['b', 'a']) }))
  index.put(channel(3, { models: new Set(['off']), enabled: false }))
  t.same(index.models('default'), ['a', 'b', 'z'])
  index.put(channel(2, { models: new Set(['c']) }))
  t.same(index.models('default'), ['b', 'c', 'z'])
  t.same(index.models('nobody'), [])
})

t.test(
  'tiers are built of those who serve the model, and for unknown names not at all',
  async (t) => {
    const index = channelIndex()
    let requestCount = 0
    const counted = (id: number, models: readonly string[]) => {
      const made = channel(id, { models: new Set(models) })
      return Object.defineProperty(made, 'priority', {
        get() {
          requestCount++
          return id % 3
        },
      })
    }
    for (let id = 1; id <= 10_000; id++) index.put(counted(id, id % 100 === 0 ? ['a', 'b'] : ['b']))
    t.equal(index.tiers('default', 'a').length, 3)
    t.equal(requestCount, 100)
    for (let n = 0; n < 1_000; n++) {
      index.tiers('default', 'a')
      index.tiers('default', `made up ${n}`)
    }
    t.equal(requestCount, 100)
    index.put(counted(1, ['b']))
    index.tiers('default', 'a')
    t.equal(requestCount, 100, 'an edit of somebody else')
  },
)

t.test('whatever was edited, the index is the one that is built of what is there', async (t) => {
  const pick = <T>(random: () => number, all: readonly T[]): T =>
    all[Math.floor(random() * all.length)]!
  const some = (random: () => number, all: readonly string[]) => all.filter(() => random() < 0.5)
  const groups = ['default', 'vip', 'slow']
  const models = ['a', 'b', 'c', 'd']
  const shared = [new Set(['a', 'b']), new Set(['b', 'c', 'd'])]
  const shapeOf = (index: ReturnType<typeof channelIndex>) => ({
    all: index.all(),
    models: groups.map((group) => index.models(group)),
    tiers: groups.flatMap((group) => models.map((model) => index.tiers(group, model))),
  })
  const drawnModels = (random: () => number, before: Channel | undefined) => {
    if (before && random() < 0.5) return random() < 0.5 ? before.models : new Set(before.models)
    return random() < 0.5 ? pick(random, shared) : new Set(some(random, models))
  }
  for (let seed = 1; seed <= 20; seed++) {
    const random = seeded(seed)
    const index = channelIndex()
    const there = new Map<number, Channel>()
    for (let step = 0; step < 200; step++) {
      const id = 1 + Math.floor(random() * 30)
      if (random() < 0.2) {
        index.remove(id)
        there.delete(id)
      } else {
        const before = there.get(id)
        const made = channel(id, {
          // Half of the edits leave a channel where it stands.
          groups: before && random() < 0.5 ? before.groups : some(random, groups),
          models: drawnModels(random, before),
          priority: pick(random, [0, 0, 5, -1]),
          weight: Math.floor(random() * 9),
          enabled: random() < 0.8,
        })
        index.put(made)
        there.set(id, made)
      }
      if (step % 7 > 0) continue
      const rebuilt = channelIndex()
      for (const one of [...there.values()].sort((left, right) => left.id - right.id)) {
        rebuilt.put(one)
      }
      const same = isDeepStrictEqual(shapeOf(index), shapeOf(rebuilt))
      if (!same) return t.fail(`seed ${seed}, step ${step}`)
    }
  }
  t.pass('20 rounds of 200 edits')
})

t.test('rows with the same list of models share one set of them, each name once', async (t) => {
  const { setOf, forgetNames } = sharedLists()
  const set = setOf('["b","a, \\"c\\"","b"]')
  t.strictSame([...set], ['b', 'a, "c"'])
  t.equal(setOf('["b","a, \\"c\\"","b"]'), set)
  forgetNames()
  t.equal(setOf('["b","a, \\"c\\"","b"]'), set)
  t.not(setOf('["b"]'), set)
  t.strictSame([...setOf('[]')], [])
})

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
  const broken = await insert({ models: ['a'] })
  await database.knex('channel_keys').insert({ channel_id: broken, sealed: 'not sealed here' })
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
      rewriting: createRewriting(),
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

/** The service over a database, and what it does to the tables. */
async function openShop(t: Pick<Test, 'teardown'>) {
  const database = await testDatabase(t)
  const open = (box: SecretBox = secrets) =>
    createChannels({
      settings: settingsOf({}),
      clock: new FakeClock(),
      log: new RecordingLog(),
      services: {
        database,
        changes: database.changes,
        catalog,
        secrets: box,
        providers,
        rewriting: createRewriting(),
      },
    })
  const service = open()
  await service.start?.()

  /** Ids of a new channel and of its keys, one for each status. */
  async function stock(status: number, ...keys: readonly number[]) {
    const [{ id }] = await database
      .knex('channels')
      .insert({ type: 1, name: 'n', status })
      .returning('id')
    const keyIds: number[] = []
    for (const [index, one] of keys.entries()) {
      const sealed = secrets.seal(`channels:${id}:key`, `key ${index}`)
      const [made] = await database
        .knex('channel_keys')
        .insert({ channel_id: id, sealed, status: one })
        .returning('id')
      keyIds.push(made.id)
    }
    await tell(database, 'channels', [id])
    return { id: id as number, keyIds }
  }

  /** Statuses of the channel and its keys. */
  async function statuses(id: number): Promise<readonly number[]> {
    const channel = await database.knex('channels').where({ id }).first('status')
    const keys = await database
      .knex('channel_keys')
      .where('channel_id', id)
      .orderBy('id')
      .select('status')
    return [channel.status, ...keys.map(({ status }) => status)]
  }

  const channelRow = (id: number) => database.knex('channels').where({ id }).first()
  const keyRowOf = (id: number) => database.knex('channel_keys').where({ id }).first()
  return { database, service, open, stock, statuses, channelRow, keyRowOf }
}

const shop = await openShop(t)

t.test('what the gateway switches off and on, and what it leaves alone', async (t) => {
  const { service, stock, statuses } = shop
  const rows = [
    // Verb, status of the channel and of its keys before, index of the key meant, the same after, whether it changed.
    ['suspend', [1, 1], undefined, [3, 1], true],
    ['suspend', [2, 1], undefined, [2, 1], false],
    ['suspend', [3, 1], undefined, [3, 1], false],
    ['suspend', [1, 1, 1], 0, [1, 3, 1], true],
    ['suspend', [1, 3, 1], 1, [3, 3, 3], true],
    ['suspend', [1, 2, 1], 1, [3, 2, 3], true],
    ['suspend', [1, 2, 1], 0, [1, 2, 1], false],
    ['suspend', [1, 3, 1], 0, [1, 3, 1], false],
    ['suspend', [2, 1], 0, [2, 3], true],
    ['resume', [3, 1], undefined, [1, 1], true],
    ['resume', [1, 1], undefined, [1, 1], false],
    ['resume', [2, 1], undefined, [2, 1], false],
    ['resume', [3, 1, 3], undefined, [1, 1, 3], true],
    ['resume', [3, 3, 2], undefined, [1, 1, 2], true],
    ['resume', [1, 1, 3], 1, [1, 1, 1], true],
    ['resume', [3, 3, 3], 0, [1, 1, 3], true],
    ['resume', [3, 2, 3], 1, [1, 2, 1], true],
    ['resume', [3, 1, 3], 1, [3, 1, 1], true],
    ['resume', [2, 3], 0, [2, 1], true],
    ['resume', [1, 2, 1], 0, [1, 2, 1], false],
    ['resume', [1, 1], 0, [1, 1], false],
  ] as const
  for (const [verb, before, index, after, changes] of rows) {
    const { id, keyIds } = await stock(...(before as readonly [number, ...number[]]))
    const part = { channelId: id, ...(index !== undefined && { keyId: keyIds[index] }) }
    const name = `${verb} ${before.join(' ')}, ${index === undefined ? 'the channel' : `key ${index}`}`
    t.equal(await service[verb](part, 'why'), changes, name)
    t.same(await statuses(id), after, name)
  }
  t.equal(await service.suspend({ channelId: 99_999 }, 'why'), false)
  const { id } = await stock(1, 1)
  t.equal(await service.suspend({ channelId: id, keyId: 99_999 }, 'why'), false)
})

t.test(
  '[CHAN-5] reason and time are kept for each key and the channel, and cleared on return',
  async (t) => {
    const { database, service, stock, channelRow, keyRowOf } = shop
    const { id, keyIds } = await stock(1, 1, 1)
    const [first, second] = keyIds as [number, number]
    await service.suspend({ channelId: id, keyId: first }, 'no\nfunds\t!')
    const { disabled_reason, disabled_at } = await keyRowOf(first)
    t.equal(disabled_reason, 'no funds !')
    t.ok(Math.abs(disabled_at.getTime() - Date.now()) < 60_000)
    t.match(await keyRowOf(second), { disabled_reason: '', disabled_at: null })
    t.match(await channelRow(id), { status_reason: '', status_at: null })
    await database.changes.settled()
    t.same(
      service.get(id)?.keys.map(({ enabled }) => enabled),
      [false, true],
    )

    await service.suspend({ channelId: id, keyId: second }, 'x'.repeat(5000))
    const { status_reason, status_at } = await channelRow(id)
    t.equal([...status_reason].length, 4096)
    t.type(status_at, Date)
    await database.changes.settled()
    t.equal(service.get(id)?.enabled, false)

    await service.resume({ channelId: id, keyId: second })
    t.match(await keyRowOf(second), { status: 1, disabled_reason: '', disabled_at: null })
    t.match(await channelRow(id), { status: 1, status_reason: '', status_at: null })
    t.match(await keyRowOf(first), { status: 3, disabled_reason: 'no funds !' })
    await database.changes.settled()
    t.equal(service.get(id)?.enabled, true)
  },
)

t.test('two processes that switch off at once write one reason', async (t) => {
  const { open, service, stock, channelRow, keyRowOf } = shop
  const other = open()
  const { id, keyIds } = await stock(1, 1, 1)
  const keyId = keyIds[0]!
  const reasons = Array.from({ length: 8 }, (_, index) => `reason ${index}`)
  const race = (part: { channelId: number; keyId?: number }) =>
    Promise.all(reasons.map((reason, index) => (index % 2 ? other : service).suspend(part, reason)))
  const keyRace = await race({ channelId: id, keyId })
  t.equal(keyRace.filter(Boolean).length, 1)
  t.equal((await keyRowOf(keyId)).disabled_reason, reasons[keyRace.indexOf(true)])
  const channelRace = await race({ channelId: id })
  t.equal(channelRace.filter(Boolean).length, 1)
  t.equal((await channelRow(id)).status_reason, reasons[channelRace.indexOf(true)])
})

t.test('two keys that fall at once take the channel with them once', async (t) => {
  const { open, service, stock, statuses } = shop
  const other = open()
  const { id, keyIds } = await stock(1, 1, 1)
  const both = await Promise.all([
    service.suspend({ channelId: id, keyId: keyIds[0] }, 'a'),
    other.suspend({ channelId: id, keyId: keyIds[1] }, 'b'),
  ])
  t.same(both, [true, true])
  t.same(await statuses(id), [3, 3, 3])
})

t.test('a test is noted with its time', async (t) => {
  const { service, stock, channelRow } = shop
  const { id } = await stock(1)
  await service.noteTest(id, 123.6)
  const { response_ms, tested_at } = await channelRow(id)
  t.equal(response_ms, 124)
  t.type(tested_at, Date)
  await service.noteTest(id, 1e12)
  t.equal((await channelRow(id)).response_ms, 2_147_483_647)
  await service.noteTest(99_999, 1)
})

t.test(
  'a renewed key goes into the row that holds the spent one, sealed, and is heard of',
  async (t) => {
    const { database, service, stock, keyRowOf } = shop
    const { id, keyIds } = await stock(1, 1, 3, 1)
    await database.knex('channel_keys').where('id', keyIds[0]).update({ sealed: 'unreadable' })
    await service.renewKey(id, 'another', 'never')
    await service.renewKey(id, 'key 1', 'renewed')
    await service.renewKey(99_999, 'key 1', 'renewed')
    const texts = async (ids: readonly number[]) =>
      Promise.all(
        ids.map(async (one) => secrets.open(`channels:${id}:key`, (await keyRowOf(one)).sealed)),
      )
    t.same(await texts(keyIds.slice(1)), ['renewed', 'key 2'])
    t.match(await keyRowOf(keyIds[1]!), { status: 3 }, 'nothing else of the row changes')
    t.notMatch((await keyRowOf(keyIds[1]!)).sealed, 'renewed')
    await database.knex('channel_keys').where('id', keyIds[0]).delete()
    await tell(database, 'channels', [id])
    t.same(
      service.get(id)?.keys.map(({ text }) => text),
      ['renewed', 'key 2'],
    )
  },
)

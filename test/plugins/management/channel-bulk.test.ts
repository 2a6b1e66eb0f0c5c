/** Many channels at once: by id, by tag, all that are off; lists by tag; copies; names of models. */
import t from 'tap'
import { admin, channelArea } from './channel-area.js'
import { data, managementFixture, secrets } from './management-fixture.js'

const gateway = await managementFixture(t)
const { channels, database } = gateway
const { ask, area, create, update, read, list, several, keyRows, keys, texts, stored } =
  channelArea(gateway)

const statuses = async (...ids: readonly number[]) =>
  Promise.all(ids.map(async (id) => (await read(id)).status))

const made = async (count: number, over: object) =>
  Promise.all(Array.from({ length: count }, async () => (await create(over)).id as number))

t.test(
  'channels are switched one by one or many at once, and say since when and by whom',
  async (t) => {
    const [a, b, c] = (await made(3, {})) as [number, number, number]
    const set = (id: number, status: unknown) =>
      data(area, 'setStatus', { params: { id: String(id) }, body: { status }, principal: admin })
    t.equal(await set(a, 2), true)
    t.match(await read(a), { status: 2, other_info: /Switched off by ada\./ })
    t.equal(channels.get(a)?.enabled, false)
    t.equal(await ask('setStatuses', { ids: [a, b, 999_999], status: 2 }), 2)
    t.same(await statuses(a, b, c), [2, 2, 1])
    await database.knex('channels').where({ id: a }).update({ status_reason: 'the first' })
    await ask('setStatuses', { ids: [a, b], status: 2 })
    t.match(await read(a), { other_info: /the first/ }, 'what is off already keeps its reason')
    t.equal(await ask('setStatuses', { ids: [a, b, c], status: 1 }), 3)
    t.match(await read(a), { status: 1, other_info: '' })
    await t.rejects(set(999_999, 1), { code: 'gone_missing' })
    for (const status of [0, 3, '', null]) {
      await t.rejects(set(a, status), { code: 'invalid_field', param: 'status' }, String(status))
    }
    for (const ids of [[], [0], ['x'], [a, a], undefined]) {
      await t.rejects(ask('setStatuses', { ids, status: 1 }), { code: 'invalid_field' })
    }
  },
)

t.test('a change to many takes as many statements as a change to one', async (t) => {
  const ids = await made(40, {})
  let statements = 0
  const count = () => {
    statements += 1
  }
  database.knex.on('query', count)
  const cost = async (work: () => Promise<unknown>) => {
    statements = 0
    await work()
    return statements
  }
  const rows: readonly (readonly [string, string, object])[] = [
    ['off', 'setStatuses', { status: 2 }],
    ['on', 'setStatuses', { status: 1 }],
    ['tagged', 'setTag', { tag: 'forty' }],
    ['deleted', 'removeIds', {}],
  ]
  for (const [name, route, body] of rows) {
    const one = await cost(() => ask(route, { ids: ids.slice(0, 1), ...body }))
    const all = await cost(() => ask(route, { ids: ids.slice(1), ...body }))
    t.equal(all, one, name)
  }
  database.knex.removeListener('query', count)
})

t.test(
  'a page over tags shows of large ones the first channels, and of every one some',
  async (t) => {
    const group = 'large'
    const insert = (tag: string, count: number, priority: number) =>
      database.knex.raw(
        `INSERT INTO channels (type, name, tag, groups, models, priority)
       SELECT 1, 'n', ?, ARRAY[?]::text[], '{many}', ?::int + (n = 1)::int
       FROM generate_series(1, ?::int) AS n`,
        [tag, group, priority, count],
      )
    await insert('huge', 1_500, 5)
    await insert('small', 3, 1)
    await insert('', 2, 0)
    const { items, total, tag_counts } = await list({ group, tag_mode: true, sort_by: 'priority' })
    const counts = (tag: string) => items.filter((row: { tag: string }) => row.tag === tag).length
    t.equal(total, 4)
    t.same(tag_counts, { huge: 1_500, small: 3 }, 'counted are those that are not shown too')
    t.same([counts('huge'), counts('small'), counts('')], [995, 3, 2])
    t.equal(items[0].priority, 6, 'in the order requested')
    t.same(
      items.slice(-5).map((row: { tag: string; priority: number }) => [row.tag, row.priority]),
      [
        ['small', 2],
        ['small', 1],
        ['small', 1],
        ['', 1],
        ['', 0],
      ],
    )
    t.equal(await data(area, 'modelsOfTag', { query: { tag: 'huge' } }), 'many')
  },
)

t.test('channels are deleted many at once, and answered is how many there were', async (t) => {
  const [a, b] = (await made(2, {})) as [number, number]
  t.equal(await ask('removeIds', { ids: [a, 999_999] }), 1)
  t.equal(channels.get(a), undefined)
  t.same(await keyRows(a), [], 'its keys are gone with it')
  await update(b, { status: 3 })
  const [c, d] = (await made(2, { status: 2 })) as [number, number]
  t.equal(await ask('removeDisabled'), 3)
  for (const id of [b, c, d]) await t.rejects(read(id), { code: 'gone_missing' })
  t.equal(await ask('removeDisabled'), 0)
})

t.test('a tag is given, changed for all that have it, and taken away', async (t) => {
  const [a, b, c] = (await made(3, { models: 'm1,m2' })) as [number, number, number]
  t.equal(await ask('setTag', { ids: [a, b], tag: ' blue ' }), 2)
  await update(b, { models: 'm3' })
  t.equal(await data(area, 'modelsOfTag', { query: { tag: 'blue' } }), 'm1,m2,m3')

  const changes = {
    tag: 'blue',
    new_tag: 'green',
    priority: 4,
    weight: null,
    models: '',
    groups: 'vip,default',
    model_mapping: '{"m1":"x"}',
    param_override: '{"temperature":0}',
    header_override: null,
  }
  const before = await read(c)
  t.equal(await ask('changeTag', changes), 2)
  const expected = { tag: 'green', priority: 4, weight: 0, group: 'vip,default' }
  t.match(await read(a), { ...expected, models: 'm1,m2', param_override: '{"temperature":0}' })
  t.match(await read(b), { ...expected, models: 'm3', model_mapping: '{"m1":"x"}' })
  t.same(await read(c), before, 'channels without the tag are left alone')
  t.equal(channels.get(a)?.priority, 4)

  t.equal(await ask('disableTag', { tag: 'green' }), 2)
  t.same(await statuses(a, b, c), [2, 2, 1])
  t.equal(await ask('enableTag', { tag: 'green' }), 2)
  t.same(await statuses(a, b), [1, 1])
  const bad: [object, string][] = [
    [{ model_mapping: '{"a":"b","b":"a"}' }, 'model_mapping'],
    [{ param_override: '{"operations":[{"mode":"sett"}]}' }, 'param_override'],
    [{ weight: -1 }, 'weight'],
  ]
  for (const [over, param] of bad) {
    await t.rejects(
      ask('changeTag', { tag: 'green', ...over }),
      { code: 'invalid_field', param },
      param,
    )
  }
  t.equal(await ask('setTag', { ids: [a], tag: null }), 1)
  t.match(await read(a), { tag: '' })
  for (const route of ['enableTag', 'disableTag', 'changeTag']) {
    await t.rejects(ask(route, { tag: 'blue' }), { code: 'gone_missing', param: 'tag' }, route)
    await t.rejects(ask(route, { tag: '' }), { code: 'invalid_field', param: 'tag' }, route)
  }
  const gone = data(area, 'modelsOfTag', { query: { tag: 'blue' } })
  await t.rejects(gone, { code: 'gone_missing' })
})

t.test(
  'a list may be by tag: each tag one place, a channel without a tag one by itself',
  async (t) => {
    const group = 'tagged'
    const row = async (name: string, tag: string, priority: number) =>
      (await create({ group, name, tag, priority })).id
    const a1 = await row('a1', 'a', 1)
    const b1 = await row('b1', 'b', 5)
    const a2 = await row('a2', 'a', 9)
    const alone = await row('alone', '', 7)
    const other = await row('other', '', 3)
    const page = (query: object) => list({ group, tag_mode: true, sort_by: 'priority', ...query })
    const ids = async (query: object) =>
      (await page(query)).items.map((item: { id: number }) => item.id)
    t.match(await page({ page_size: 2 }), { total: 4, type_counts: { 1: 5, all: 5 } })
    t.same(await ids({ page_size: 2 }), [a2, a1, alone])
    t.same(await ids({ page_size: 2, p: 2 }), [b1, other])
    t.same(await ids({ page_size: 2, p: 3 }), [])
    t.same(await ids({ sort_order: 'asc' }), [a1, a2, other, b1, alone])
    t.same(await ids({ tag_mode: false, tag: 'a' }), [a2, a1])
    t.same(await ids({ keyword: 'b1' }), [b1])
  },
)

t.test('a list is in the order requested, and finds an exact key', async (t) => {
  const group = 'sorted'
  const a = (await create({ group, priority: 2 })).id
  const b = (await create({ group, priority: 9 })).id
  const c = (await several('first-key\nsecond-key', { group, priority: 5 })).id
  await database.knex('channels').where({ id: a }).update({ balance: 3, response_ms: 5 })
  await database
    .knex('channels')
    .where({ id: c })
    .update({ balance: 7, response_ms: 1, tested_at: new Date(1_000) })
  const ids = async (query: object) =>
    (await list({ group, ...query })).items.map((item: { id: number }) => item.id)
  t.same(await ids({}), [c, b, a])
  t.same(await ids({ id_sort: 'true', sort_order: 'asc' }), [a, b, c])
  t.same(await ids({ id_sort: 'false' }), [b, c, a])
  t.same(await ids({ sort_by: 'balance' }), [c, a, b])
  t.same(await ids({ sort_by: 'balance', sort_order: 'asc' }), [b, a, c])
  t.same(await ids({ sort_by: 'response_time' }), [a, c, b])
  t.same(await ids({ sort_by: 'test_time', sort_order: 'desc' }), [c, b, a])
  t.same(await ids({ keyword: 'second-key' }), [c])
  t.same(await ids({ keyword: 'second-ke' }), [], 'a piece of a key finds nothing')
  t.same(await ids({ keyword: '%' }), [])
})

t.test('a copy has everything an admin wrote, sealed anew, and a life of its own', async (t) => {
  const { id } = await several('a\nb', {
    type: 901,
    name: 'original',
    status: 2,
    settings: { account: 'acc', region: 'us' },
    setting: { proxy: 'http://u:p@proxy.example' },
    model_mapping: { a: 'x' },
    tag: 'copied',
    priority: 3,
  })
  await keys(id, 'disable_key', { key_index: 1 })
  await database.knex('channels').where({ id }).update({ balance: 5, response_ms: 9 })
  const copyOf = async (query: object = {}) =>
    (await data(area, 'copy', { params: { id: String(id) }, query, principal: admin })).id
  const copy = await copyOf()
  const { name, ...original } = await read(id)
  const { id: _, created_time, used_quota, ...record } = await read(copy)
  t.match(record, { name: `${name}_copy`, balance: 0, response_time: 0, status: 2 })
  const { balance, response_time, ...same } = original
  const { id: __, created_time: ___, used_quota: ____, ...written } = same
  t.match(record, written)
  t.same(texts(copy), ['a', 'b'])
  t.same(
    (await keyRows(copy)).map((row) => row.status),
    [1, 2],
  )
  t.equal(channels.get(copy)?.settings.account, 'acc')
  const { proxy_sealed } = (await stored(copy)).setting
  t.equal(secrets.open(`channels:${copy}:setting.proxy`, proxy_sealed), 'http://u:p@proxy.example')
  const second = await copyOf({ suffix: ' 2', reset_balance: 'false' })
  t.match(await read(second), { name: 'original 2', balance: 5 })
  await update(copy, { key: 'c' })
  t.same(texts(id), ['a', 'b'])
  const missing = data(area, 'copy', { params: { id: '999999' } })
  await t.rejects(missing, { code: 'gone_missing' })
})

t.test('names of models are those of channels and prices; memory can be read again', async (t) => {
  await create({ models: 'served-only', group: 'named' })
  await create({ models: 'switched-off', status: 2 })
  const known = (await data(area, 'models')).map((model: { id: string }) => model.id)
  for (const name of ['a', 'priced-model', 'served-only', 'switched-off'])
    t.ok(known.includes(name))
  t.same(known, [...new Set(known)].sort())
  const enabled = await data(area, 'enabledModels')
  t.ok(enabled.includes('served-only'))
  t.notOk(enabled.includes('switched-off') || enabled.includes('priced-model'))

  const { id } = await create()
  await database.knex('channels').where({ id }).update({ priority: 77 })
  const [{ all }] = (await database
    .knex('channels')
    .select(database.knex.raw('count(*) AS all'))) as [{ all: bigint }]
  t.same(await ask('fix'), { success: Number(all), fails: 0 })
  t.equal(channels.get(id)?.priority, 77)
  await database.knex('channel_keys').where('channel_id', id).update({ sealed: 'broken' })
  t.same(await ask('fix'), { success: Number(all) - 1, fails: 1 })
})

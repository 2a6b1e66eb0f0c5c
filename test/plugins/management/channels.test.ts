/** Channels as admins write and read them. */
import t from 'tap'
import { toJson } from '../../../kernel/toolkit/management/envelope.js'
import { channelArea, form } from './channel-area.js'
import { call, data, managementFixture, secrets } from './management-fixture.js'

const gateway = await managementFixture(t)
const { clock, database, channels } = gateway
const { area, create, update, read, stored, keyRows, texts } = channelArea(gateway)

t.test('a channel is made bare or in the form of the family, and serves at once', async (t) => {
  const bare = await create({ priority: 7, weight: 3, base_url: 'https://up.example/v1' })
  const wrapped = await data(area, 'create', { body: { mode: 'single', channel: form } })
  t.not(bare.id, wrapped.id)
  const served = channels.get(bare.id)
  t.match(served, { name: 'one', priority: 7, weight: 3, keys: [{ text: 'upstream-key' }] })
  t.equal(served?.baseUrl, 'https://up.example')
  t.same(served?.models, new Set(['a', 'b']))
  t.same(channels.get(wrapped.id)?.groups, ['default'])
  const other = data(area, 'create', { body: { mode: 'twice', channel: form } })
  await t.rejects(other, { code: 'invalid_field', param: 'mode' })
})

t.test('the type of a channel is a number, or the name of one that is served', async (t) => {
  const { id } = await create({ type: 'p/acme', base_url: 'https://up.example' })
  t.equal((await read(id)).type, 901)
  const { total } = await data(area, 'list', { query: { type: 'p/acme' } })
  t.equal(total, 1)
  for (const type of ['acme', 'p/none', -1, 1.5, true]) {
    await t.rejects(create({ type }), { code: 'invalid_field', param: 'type' }, String(type))
  }
})

t.test('a channel is the record of the family, its key never in it', async (t) => {
  const { id } = await create({
    models: ['b', 'a', 'b', ' '],
    group: 'vip, default',
    model_mapping: { a: 'x' },
    param_override: '{"temperature": 0}',
    status_code_mapping: '{"404": "500"}',
    setting: { on_client_gone: 'abort' },
    settings: '{"vendor_extension": {"kept": [1, null]}}',
    tag: 'tag',
    remark: 'remark',
    test_model: 'a',
    auto_ban: 0,
    header_override: { 'x-trace': 'on' },
  })
  const { created_time, ...record } = await read(id)
  t.ok(created_time > 1_600_000_000)
  t.same(record, {
    id,
    type: 1,
    plugin_missing: false,
    key: '',
    name: 'one',
    status: 1,
    base_url: '',
    models: 'b,a',
    group: 'vip,default',
    priority: 0,
    weight: 0,
    model_mapping: '{"a":"x"}',
    param_override: '{"temperature":0}',
    status_code_mapping: '{"404":500}',
    setting: '{"on_client_gone":"abort"}',
    settings: '{"vendor_extension":{"kept":[1,null]}}',
    tag: 'tag',
    remark: 'remark',
    test_model: 'a',
    auto_ban: 0,
    header_override: '{"x-trace":"on"}',
    openai_organization: '',
    other: '',
    other_info: '',
    balance: 0,
    balance_updated_time: 0,
    test_time: 0,
    response_time: 0,
    used_quota: 1_000n * BigInt(id),
    cost_terms: '',
    channel_info: {
      is_multi_key: false,
      multi_key_size: 0,
      multi_key_status_list: {},
      multi_key_disabled_reason: {},
      multi_key_disabled_time: {},
      multi_key_polling_index: 0,
      multi_key_mode: '',
    },
  })
  t.match(await keyRows(id), [{ sealed: secrets.seal(`channels:${id}:key`, 'upstream-key') }])
  const everything = [await read(id), await update(id, {}), await data(area, 'list')]
  t.notMatch(toJson(everything), /upstream-key/)
})

t.test('[CHAN-6] an update keeps what it does not name, a blank key too', async (t) => {
  const { id } = await create({ priority: 5, tag: 'x', model_mapping: { a: 'b' } })
  const { tag: _, ...before } = await read(id)
  const keys = await keyRows(id)
  for (const key of ['', ' ', '\n']) {
    t.same(await update(id, { tag: 'y', key }), { ...before, tag: 'y' })
  }
  t.same(await keyRows(id), keys)
  t.same(texts(id), ['upstream-key'])
  await update(id, { key: 'upstream-key' })
  t.same(await keyRows(id), keys, 'the same key again is no other key')
  await update(id, { key: ' next ' })
  t.same(texts(id), ['next'])
  t.match(await update(id, { model_mapping: '', priority: -2 }), {
    model_mapping: '',
    priority: -2,
  })
  t.equal(channels.get(id)?.priority, -2)
})

t.test('[CHAN-6] a status is one of the known ones', async (t) => {
  const { id } = await create({})
  for (const status of [2, 3, 1]) t.match(await update(id, { status }), { status })
  for (const status of [0, 4, -1, 'on', null]) {
    await t.rejects(update(id, { status }), { code: 'invalid_field', param: 'status' })
  }
  t.match(await read(id), { status: 1 })
  await update(id, { status: 2 })
  t.match(await stored(id), { status_reason: 'Switched off by ada.' })
  t.match(JSON.parse((await read(id)).other_info), {
    status_reason: 'Switched off by ada.',
    status_time: Math.floor(clock.now() / 1000),
  })
  t.notOk(channels.tiers('default', 'a').some((tier) => tier.channels.some((c) => c.id === id)))
  t.match(await update(id, { status: 1 }), { status: 1, other_info: '' })
})

t.test('[CHAN-7] what a channel has gathered is not for a client to write', async (t) => {
  const { id } = await create({})
  const gathered = {
    balance: '12.5',
    balance_updated_at: new Date(1_700_000_000_000),
    tested_at: new Date(1_700_000_100_000),
    response_ms: 321,
  }
  await database.knex('channels').where({ id }).update(gathered)
  const before = await read(id)
  t.match(before, {
    balance: 12.5,
    balance_updated_time: 1_700_000_000,
    test_time: 1_700_000_100,
    response_time: 321,
  })
  const claims = {
    created_time: 1,
    created_at: 1,
    balance: 99,
    used_quota: 99,
    test_time: 99,
    response_time: 99,
    balance_updated_time: 99,
    channel_info: { is_multi_key: true, multi_key_size: 9 },
    channel_keys: ['forged'],
    status_reason: 'forged',
    other_info: '{"status_reason":"forged"}',
    tested_at: 1,
    groups: ['vip'],
  }
  t.same(await update(id, claims), before)
  t.match(await stored(id), { groups: ['default'], created_at: Date, ...gathered })
  t.same(texts(id), ['upstream-key'])
  t.same(await update(id, { ...before, ...claims }), before, 'a record that comes back as well')
})

t.test(
  '[CHAN-1] a status-code mapping maps plain codes to plain codes, or is refused',
  async (t) => {
    const { id } = await create({})
    const set = (status_code_mapping: unknown) => update(id, { status_code_mapping })
    const good = [
      ['{"404":500}', '{"404":500}'],
      [' { "100" : 599 ,\n"599":"100" } ', '{"100":599,"599":100}'],
      [{ 429: 503, 500: '502' }, '{"429":503,"500":502}'],
      ['{}', ''],
      [{}, ''],
      ['{"404":500}', '{"404":500}'],
      ['', ''],
      ['  ', ''],
    ] as const
    for (const [given, text] of good) {
      t.match(await set(given), { status_code_mapping: text }, JSON.stringify(given))
    }
    await set('{"404":500}')
    t.same(channels.get(id)?.statusCodeMapping, { 404: 500 })
    const bad = [
      null,
      'null',
      '[]',
      [404, 500],
      '404',
      404,
      true,
      'not json',
      '{"404":500',
      '{"0404":500}',
      '{"404":0500}',
      '{"404":"0500"}',
      '{"+404":500}',
      '{" 404":500}',
      '{"404.0":500}',
      '{"404":500.0}',
      '{"404":5e2}',
      '{"404":5E2}',
      '{"404":-500}',
      '{"4\\u00304":500}',
      '{"404":"5\\u00300"}',
      '{"99":500}',
      '{"600":500}',
      '{"404":99}',
      '{"404":600}',
      '{"404":null}',
      '{"404":{}}',
      '{"404":true}',
      '{"404":""}',
      '{"":500}',
      '{"404":500,"404":501}',
      '{"404":500,"404":500}',
      '{"404":500,}',
      '{"__proto__":500}',
      { '0404': 500 },
      { 404: 500.5 },
      { 404: '500.0' },
      { 404: null },
      { 404: [500] },
      { 600: 500 },
    ]
    for (const given of bad) {
      const refused = { code: 'invalid_field', param: 'status_code_mapping' } as const
      await t.rejects(set(given), refused, JSON.stringify(given))
    }
    t.match(
      await read(id),
      { status_code_mapping: '{"404":500}' },
      'what was refused changed nothing',
    )
  },
)

t.test('a fault names its field, and nothing is stored', async (t) => {
  const count = async () => Number((await database.knex('channels').count('* as n').first())?.n)
  const before = await count()
  const proto = JSON.parse('{"__proto__": 1}')
  const deep = `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`
  const rows: [string, unknown][] = [
    ['type', 999],
    ['type', undefined],
    ['type', 'one'],
    ['name', ''],
    ['name', 'x'.repeat(129)],
    ['name', 'a\0b'],
    ['key', ''],
    ['key', 'a\nb'],
    ['models', ''],
    ['models', ' , '],
    ['models', []],
    ['models', [1]],
    ['models', 'x'.repeat(257)],
    ['models', 'a\u200bb'],
    ['models', 'a\u202eb'],
    ['models', ['a,b']],
    ['models', null],
    ['group', ''],
    ['priority', 1.5],
    ['priority', 1e20],
    ['weight', -1],
    ['weight', 0.5],
    ['base_url', 'ftp://a.example'],
    ['base_url', 'a.example'],
    ['base_url', 'javascript:alert(1)'],
    ['base_url', 'https://user:pass@a.example'],
    ['base_url', 'https://a.example?x=1'],
    ['base_url', 7],
    ['model_mapping', '{"a":1}'],
    ['model_mapping', '{"a":""}'],
    ['model_mapping', '{"a":"b","a":"c"}'],
    ['model_mapping', '{" a":"b","a":"c"}'],
    ['model_mapping', '[]'],
    ['model_mapping', null],
    ['model_mapping', proto],
    ['model_mapping', '{"constructor":"x"}'],
    ['param_override', '{"a":'],
    ['param_override', '{"a":{"prototype":1}}'],
    ['param_override', '{"a":[{"__proto__":1}]}'],
    ['param_override', '{"a":{"b":1,"b":2}}'],
    ['param_override', '{"a":"\\u0000"}'],
    ['param_override', '{"a":"\\ud800"}'],
    ['param_override', '{"a":1e999}'],
    ['param_override', deep],
    ['setting', '{"on_client_gone":"run"}'],
    ['setting', 'true'],
    ['settings', '"text"'],
    ['model_mapping', '{"a":"b","b":"c","c":"a"}'],
    ['param_override', '{"seed":9007199254740993}'],
    ['param_override', '{"operations":[{"mode":"sett","path":"a","value":1}]}'],
    ['header_override', '{"x":'],
    ['header_override', '{"bad name":"y"}'],
    ['other', 'x'],
    ['openai_organization', 'x'],
    ['auto_ban', 2],
    ['remark', 'x'.repeat(256)],
  ]
  for (const [field, value] of rows) {
    const fault = `${field}: ${JSON.stringify(value)?.slice(0, 60)}`
    const refused = { code: 'invalid_field', param: field } as const
    await t.rejects(create({ [field]: value }), refused, fault)
  }
  await t.rejects(create({ type: 8 }), { code: 'invalid_field', param: 'base_url' })
  t.equal(await count(), before)
  const made = await create({ type: 8, base_url: 'http://10.0.0.1:8080', header_override: '' })
  t.match(made, { base_url: 'http://10.0.0.1:8080' })
})

t.test(
  'names are composed, and 256 characters of any kind are no more than 256 (X8)',
  async (t) => {
    const long = '𝒳'.repeat(256)
    const { id } = await create({ models: ['Zoe\u0308', 'Zo\u00eb', long] })
    t.same(channels.get(id)?.models, new Set(['Zo\u00eb', long]))
  },
)

t.test("the provider's fields are checked by their types, others kept as they are", async (t) => {
  const acme = { type: 901, settings: { region: 'us', tier: 2, account: 'acc', extra: { a: [1] } } }
  const { id, settings } = await create(acme)
  t.same(JSON.parse(settings), { region: 'us', tier: 2, account: '', extra: { a: [1] } })
  t.same(channels.get(id)?.settings, acme.settings)
  t.notMatch(JSON.stringify((await stored(id)).settings), /"acc"/)

  await update(id, { settings: { region: 'eu', account: '' } })
  t.same(channels.get(id)?.settings, { region: 'eu', account: 'acc' }, 'a blank secret stays')
  await update(id, { settings: {} })
  t.same(channels.get(id)?.settings, { region: 'eu', account: 'acc' }, 'and so does one left out')
  await update(id, { settings: { account: 'other' } })
  t.same(channels.get(id)?.settings, { region: 'eu', account: 'other' })

  const rows = [
    ['region', 'asia'],
    ['region', 1],
    ['tier', 0],
    ['tier', 4],
    ['tier', 1.5],
    ['tier', '2'],
    ['account', 5],
    ['account', 'x'.repeat(70_000)],
  ] as const
  for (const [name, value] of rows) {
    const refused = { code: 'invalid_field', param: `settings.${name}` } as const
    await t.rejects(update(id, { settings: { [name]: value } }), refused)
  }
})

t.test('a deleted channel is gone everywhere', async (t) => {
  const { id } = await create({})
  const params = { id: String(id) }
  t.equal(await data(area, 'remove', { params }), null)
  t.equal(channels.get(id), undefined)
  for (const route of ['read', 'remove']) {
    await t.rejects(call(area, route, { params }), { code: 'gone_missing' })
  }
  await t.rejects(update(id, { tag: 'x' }), { code: 'gone_missing' })
  await t.rejects(update(0, {}), { code: 'invalid_field', param: 'id' })
})

t.test('a page of channels is bounded, filtered and counted by type', async (t) => {
  const group = 'listed'
  const [a, b, c] = [
    await create({ group, name: 'alpha_1', priority: 1 }),
    await create({ group, name: 'alphax1', priority: 3, status: 2 }),
    await create({ group, name: 'beta', priority: 2, type: 901, models: 'z' }),
  ]
  const page = (query: object) => data(area, 'list', { query: { group, ...query } })
  const ids = async (query: object) =>
    (await page(query)).items.map((item: { id: number }) => item.id)
  t.same(await ids({}), [c.id, b.id, a.id])
  t.same(await ids({ sort_by: 'priority', sort_order: 'asc' }), [a.id, c.id, b.id])
  t.same(await ids({ status: 'enabled' }), [c.id, a.id])
  t.same(await ids({ status: 'disabled' }), [b.id])
  t.same(await ids({ status: 'auto_disabled' }), [])
  await update(a.id, { status: 3 })
  t.same(await ids({ status: 'auto_disabled' }), [a.id], 'by the gateway, not by hand')
  t.same(await ids({ status: 'disabled' }), [b.id, a.id])
  await update(a.id, { status: 1 })
  t.same(await ids({ type: '901' }), [c.id])
  t.same(await ids({ model: 'z' }), [c.id])
  t.same(await ids({ keyword: 'a_1' }), [a.id])
  t.same(await ids({ keyword: String(c.id) }), [c.id])
  t.same(await ids({ page_size: 1, p: 2 }), [b.id])
  const first = await page({ type: 901, size: 1_000 })
  t.match(first, { page: 1, page_size: 100, total: 1 })
  t.same(first.type_counts, { 1: 2, 901: 1, all: 3 })
  await t.rejects(page({ sort_by: 'remark' }), { code: 'invalid_field', param: 'sort_by' })
})

t.test('a key that is a document may come with its line breaks', async (t) => {
  const account = { type: 'service_account', private_key: 'one\ntwo\n' }
  const { id } = await create({ key: JSON.stringify(account, null, 2) })
  t.same(texts(id), [JSON.stringify(account)])
  const lines = create({ key: 'one\ntwo' })
  await t.rejects(lines, { code: 'invalid_field', param: 'key' })
})

t.test(
  'a base URL is an address, or the word of a plan; a query only where it is the whole address',
  async (t) => {
    t.equal((await create({ base_url: 'glm-coding-plan' })).base_url, 'glm-coding-plan')
    const request = { base_url: 'https://up.example/chat?api-version=1' }
    await t.rejects(create(request), { code: 'invalid_field', param: 'base_url' })
    for (const base_url of ['nonsense', 'https://up.example/#x', 'ftp://up.example']) {
      await t.rejects(create({ base_url }), { code: 'invalid_field', param: 'base_url' }, base_url)
    }
  },
)

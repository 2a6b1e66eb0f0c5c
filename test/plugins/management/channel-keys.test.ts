/** Channels of several keys: made, added to, switched, trimmed, and one key shown to root. */
import t from 'tap'
import { channelArea, form } from './channel-area.js'
import { call, data, managementFixture } from './management-fixture.js'

const gateway = await managementFixture(t)
const { clock, database, channels } = gateway
const { ask, area, keyArea, create, update, read, several, keys, keyRows, texts } =
  channelArea(gateway)
const now = () => Math.floor(clock.now() / 1000)

t.test('keys come in lines or as a JSON array, trimmed and once each', async (t) => {
  const account = { type: 'service_account', private_key: 'one\ntwo\n' }
  const line = JSON.stringify(account)
  const table: Record<string, [string, string[]]> = {
    lines: [' one \r\n\n two\none\n', ['one', 'two']],
    'one line': ['one', ['one']],
    'an array of texts': ['["one", " two ", "", "one"]', ['one', 'two']],
    'an array of documents': [JSON.stringify([account, { a: 1 }], null, 2), [line, '{"a":1}']],
    'one document over lines': [JSON.stringify(account, null, 2), [line]],
    'a document a line': [`${line}\n{"a": 1}`, [line, '{"a":1}']],
  }
  for (const [name, [key, expected]] of Object.entries(table)) {
    const { id, channel_info } = await several(key)
    t.same(texts(id), expected, name)
    t.match(channel_info, {
      is_multi_key: true,
      multi_key_size: expected.length,
      multi_key_mode: 'random',
      multi_key_status_list: {},
    })
  }
})

t.test('a key that cannot be one is refused, and nothing is stored', async (t) => {
  const count = async () => Number((await database.knex('channels').count('* as n').first())?.n)
  const before = await count()
  const bad = ['[1]', '["a"', '[]', '[""]', 'a\tb\nc', `ok\n${'x'.repeat(65_537)}`]
  for (const key of bad) {
    const refused = { code: 'invalid_field', param: 'key' } as const
    await t.rejects(several(key), refused, key.slice(0, 20))
  }
  const lines = Array.from({ length: 10_001 }, (_, at) => `key-${at}`)
  await t.rejects(several(lines.join('\n')), { message: /at most 10000 keys/ })
  t.equal(await count(), before)
  const { id } = await several(lines.slice(1).join('\n'))
  t.equal(texts(id)?.length, 10_000)
  t.equal(texts(id)?.at(-1), 'key-10000', 'in the order they came in')
  const more = update(id, { key: 'one-more', key_mode: 'append' })
  await t.rejects(more, { message: /at most 10000 keys/, param: 'key' })
})

t.test('a batch makes one channel for each key', async (t) => {
  const batch = (key: string, over: object = {}) =>
    call(area, 'create', { body: { mode: 'batch', channel: { ...form, key }, ...over } })
  const plain = await batch('alpha-key\nbeta-key')
  t.match(plain, { data: null, beside: { ids: [Number, Number] } })
  t.same(plain.beside.ids.map(texts), [['alpha-key'], ['beta-key']])
  t.match(await read(plain.beside.ids[1]), { name: 'one', channel_info: { is_multi_key: false } })
  const named = await batch('alpha-key\nbeta-key', { batch_add_set_key_prefix_2_name: true })
  t.match(await read(named.beside.ids[0]), { name: 'one alp' })
  const hundred = Array.from({ length: 120 }, (_, at) => `key-${at}`)
  const { ids } = (await batch(hundred.join('\n'))).beside
  t.same(
    ids.map(texts),
    hundred.map((key) => [key]),
    'in the order they came in, however many',
  )
  const many = Array.from({ length: 1_001 }, (_, at) => `key-${at}`).join('\n')
  await t.rejects(batch(many), { message: /at most 1000 channels/, param: 'key' })
  t.match(await call(area, 'create', { body: form }), { beside: { ids: [Number] } })
})

t.test('[CHAN-5] what is known of a key stays while the key stays, and goes with it', async (t) => {
  const { id } = await several('a\nb\nc')
  await keys(id, 'disable_key', { key_index: 1 })
  const [, b] = await keyRows(id)
  const info = async () => (await read(id)).channel_info
  const known = {
    multi_key_size: 3,
    multi_key_status_list: { 1: 2 },
    multi_key_disabled_reason: { 1: 'Switched off by ada.' },
    multi_key_disabled_time: { 1: now() },
  }
  t.match(await info(), known)

  await update(id, { key: ' b \nd\nd\n', key_mode: 'append' })
  t.same(texts(id), ['a', 'b', 'c', 'd'])
  t.match(await info(), { ...known, multi_key_size: 4 })

  await update(id, { key: 'd\nb' })
  t.same(texts(id), ['b', 'd'])
  t.equal((await keyRows(id))[0]?.id, b?.id)
  t.match(await info(), {
    multi_key_size: 2,
    multi_key_status_list: { 0: 2 },
    multi_key_disabled_reason: { 0: 'Switched off by ada.' },
    multi_key_disabled_time: { 0: now() },
  })

  await update(id, { key: 'd\ne', key_mode: 'replace', multi_key_mode: 'polling' })
  t.same(texts(id), ['d', 'e'])
  t.same(await info(), {
    is_multi_key: true,
    multi_key_size: 2,
    multi_key_status_list: {},
    multi_key_disabled_reason: {},
    multi_key_disabled_time: {},
    multi_key_polling_index: 0,
    multi_key_mode: 'polling',
  })
  t.equal(channels.get(id)?.keyMode, 'polling')
})

t.test(
  '[CHAN-5] [CHAN-6] only key management takes the last key, and the metadata with it',
  async (t) => {
    const { id } = await several('a\nb')
    for (const key of ['', ' \n ', '[]', '[""]']) {
      for (const key_mode of ['append', 'replace']) await update(id, { key, key_mode })
    }
    t.same(texts(id), ['a', 'b'])
    await keys(id, 'disable_key', { key_index: 0 })
    t.equal(await keys(id, 'delete_key', { key_index: 0 }), 1)
    t.same(texts(id), ['b'], 'places are compact again')
    t.match(await read(id), { channel_info: { is_multi_key: true, multi_key_status_list: {} } })
    t.equal(await keys(id, 'delete_key', { key_index: 0 }), 1)
    t.same(await keyRows(id), [])
    t.same((await read(id)).channel_info, {
      is_multi_key: false,
      multi_key_size: 0,
      multi_key_status_list: {},
      multi_key_disabled_reason: {},
      multi_key_disabled_time: {},
      multi_key_polling_index: 0,
      multi_key_mode: '',
    })
    await t.rejects(keys(id, 'get_key_status'), { code: 'invalid_field', param: 'channel_id' })
    await update(id, { key: 'again' })
    t.same(texts(id), ['again'])
  },
)

t.test('keys are listed a page at a time, and no more than the beginning of each', async (t) => {
  const long = (at: number) => `sk-${String(at).padStart(3, '0')}-${'x'.repeat(40)}`
  const all = Array.from({ length: 60 }, (_, at) => long(at))
  const { id } = await several([...all, 'short'].join('\n'))
  await keys(id, 'disable_key', { key_index: 2 })
  const [first] = await keyRows(id)
  await channels.suspend({ channelId: id, keyId: first!.id }, 'no credit')
  const list = await keys(id, 'get_key_status')
  t.match(list, {
    total: 61,
    page: 1,
    page_size: 50,
    total_pages: 2,
    enabled_count: 59,
    manual_disabled_count: 1,
    auto_disabled_count: 1,
  })
  t.equal(list.keys.length, 50)
  t.match(list.keys[0], {
    index: 0,
    status: 3,
    reason: 'no credit',
    key_preview: 'sk-000-xxx...xxxx',
  })
  t.match(list.keys[2], { index: 2, status: 2, disabled_time: now() })
  t.match(list.keys[1], { index: 1, status: 1, disabled_time: 0, reason: '' })
  const rest = await keys(id, 'get_key_status', { page: 2 })
  t.equal(rest.keys.length, 11)
  t.match(rest.keys.at(-1), { index: 60, key_preview: 's...' }, 'a short key is not reported')
  t.match(await keys(id, 'get_key_status', { status: 2 }), {
    total: 1,
    keys: [{ index: 2 }],
    enabled_count: 59,
  })
  t.notMatch(JSON.stringify([list, rest]), /x{10}|short/)
})

t.test('keys are switched one by one or all together', async (t) => {
  const { id } = await several('a\nb\nc')
  const states = async () => (await keyRows(id)).map((row) => row.status)
  t.equal(await keys(id, 'disable_key', { key_index: 1 }), 1)
  t.equal(await keys(id, 'disable_key', { key_index: 1 }), 0, 'twice is once')
  t.same(
    channels.get(id)?.keys.map((key) => key.enabled),
    [true, false, true],
  )
  t.equal(await keys(id, 'disable_all_keys'), 2)
  t.same(await states(), [2, 2, 2])
  t.equal(await keys(id, 'enable_key', { key_index: 2 }), 1)
  t.same(await states(), [2, 2, 1])
  t.match((await keyRows(id))[2], { disabled_at: null, disabled_reason: '' })
  t.equal(await keys(id, 'enable_all_keys'), 2)
  t.same(await states(), [1, 1, 1])
  const [a, b] = await keyRows(id)
  await keys(id, 'disable_key', { key_index: 2 })
  for (const key of [a, b]) await channels.suspend({ channelId: id, keyId: key!.id }, 'spent')
  t.equal(await keys(id, 'delete_disabled_keys'), 2, 'only those the gateway switched off')
  t.same(await states(), [2])
})

t.test('a channel that fell with its last key rises with the first that is on again', async (t) => {
  const fallen = async () => {
    const { id } = await several('a\nb')
    for (const { id: keyId } of await keyRows(id)) {
      await channels.suspend({ channelId: id, keyId }, 'spent')
    }
    t.match(await read(id), { status: 3 })
    return id
  }
  const byKey = await fallen()
  await keys(byKey, 'enable_key', { key_index: 1 })
  t.match(await read(byKey), { status: 1, other_info: '' })
  const byStatus = await fallen()
  await update(byStatus, { status: 1 })
  t.match(
    (await keyRows(byStatus)).map((row) => row.status),
    [1, 1],
  )
  const byHand = await several('a\nb')
  await keys(byHand.id, 'disable_all_keys')
  await update(byHand.id, { status: 2 })
  await keys(byHand.id, 'enable_all_keys')
  t.match(await read(byHand.id), { status: 2 }, 'what an admin switched off stays off')
})

t.test('what is queried of keys that are not there is refused by name', async (t) => {
  const one = await create()
  const { id } = await several('a\nb')
  const table: [string, () => Promise<unknown>, string, string][] = [
    ['no such channel', () => keys(999_999, 'enable_all_keys'), 'gone_missing', 'channel_id'],
    [
      'no such channel to list',
      () => keys(999_999, 'get_key_status'),
      'gone_missing',
      'channel_id',
    ],
    ['one key only', () => keys(one.id, 'disable_all_keys'), 'invalid_field', 'channel_id'],
    ['no such action', () => keys(id, 'show_keys'), 'invalid_field', 'action'],
    ['no index', () => keys(id, 'delete_key'), 'invalid_field', 'key_index'],
    [
      'an index past the end',
      () => keys(id, 'delete_key', { key_index: 2 }),
      'invalid_field',
      'key_index',
    ],
    [
      'an index below 0',
      () => keys(id, 'delete_key', { key_index: -1 }),
      'invalid_field',
      'key_index',
    ],
    [
      'append to one',
      () => update(one.id, { key: 'x', key_mode: 'append' }),
      'invalid_field',
      'key_mode',
    ],
    ['another mode', () => update(id, { key: 'x', key_mode: 'add' }), 'invalid_field', 'key_mode'],
    [
      'a mode of one',
      () => update(one.id, { multi_key_mode: 'polling' }),
      'invalid_field',
      'multi_key_mode',
    ],
    [
      'a mode unknown',
      () => update(id, { multi_key_mode: 'first' }),
      'invalid_field',
      'multi_key_mode',
    ],
    [
      'a mode unknown at the making',
      () => ask('create', { mode: 'multi_to_single', multi_key_mode: 'x', channel: form }),
      'invalid_field',
      'multi_key_mode',
    ],
  ]
  for (const [name, act, code, param] of table) await t.rejects(act(), { code, param }, name)
  t.same(texts(id), ['a', 'b'])
  t.same(texts(one.id), ['upstream-key'])
})

t.test('a key is reported for a proof and for nothing else, and no cache keeps it', async (t) => {
  const { id } = await several('a\nb')
  const root = { userId: 1, username: 'root', role: 100, group: 'default', via: 'session' } as const
  const ask = (channel: number, proof = 'channel_key') =>
    call(keyArea, 'reveal', {
      params: { id: String(channel) },
      principal: root,
      headers: { 'x-verification-token': proof },
    })
  t.match(await ask(id), { data: { key: 'a\nb' }, headers: { 'cache-control': 'no-store' } })
  const { id: single } = await create()
  t.match(await ask(single), { data: { key: 'upstream-key' } })
  await t.rejects(ask(id, 'access_token'), { code: 'verification_required' })
  const bare = { params: { id: String(id) }, principal: root }
  await t.rejects(data(keyArea, 'reveal', bare), { code: 'verification_required' })
  await t.rejects(ask(999_999), { code: 'gone_missing' })
})

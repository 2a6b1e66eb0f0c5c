/** Two admins at one channel: what each of them sent is there afterwards, whoever came first. */
import t from 'tap'
import { channelArea } from './channel-area.js'
import { managementFixture } from './management-fixture.js'

const gateway = await managementFixture(t)
const { ask, create, update, read, several, keys, texts, keyRows } = channelArea(gateway)

t.test('[CHAN-6] edits of different fields at once lose nothing', async (t) => {
  const { id } = await create({ type: 901, settings: { account: 'secret' } })
  const edits = {
    name: 'renamed',
    tag: 'edited',
    priority: 8,
    weight: 3,
    models: 'x,y',
    group: 'vip',
    remark: 'both',
    model_mapping: '{"x":"z"}',
    status_code_mapping: '{"404":500}',
    setting: '{"on_client_gone":"abort"}',
    settings: '{"region":"us","account":""}',
    param_override: '{"temperature":0}',
    auto_ban: 0,
  }
  await Promise.all(Object.entries(edits).map(([field, value]) => update(id, { [field]: value })))
  t.match(await read(id), edits)
  t.equal(gateway.channels.get(id)?.settings.account, 'secret')
})

t.test(
  '[CHAN-6] who would write over what they have not seen is informed, and nothing is',
  async (t) => {
    const before = await create({ type: 901, settings: { region: 'eu', account: 'secret' } })
    const { id, name, settings, priority } = before
    const seen = { name, settings, priority }
    t.match(await update(id, { remark: 'mine', seen }), { remark: 'mine' })
    await update(id, { settings: { region: 'us' } })
    for (const [field, over] of [
      ['settings', { settings: { region: 'eu' }, seen: { settings } }],
      ['priority', { remark: 'lost', seen: { name, priority: 9 } }],
    ] as const) {
      await t.rejects(update(id, over), { code: 'conflict', status: 409, param: field })
    }
    t.match(await read(id), { remark: 'mine', settings: /us/, priority })
    await t.rejects(update(id, { seen: { name: ['x'] } }), { code: 'invalid_field' })
  },
)

t.test('[CHAN-6] an edit and a switch by the gateway at once lose nothing either', async (t) => {
  const { id } = await create()
  await Promise.all([
    update(id, { name: 'edited' }),
    gateway.channels.suspend({ channelId: id }, 'no credit'),
    gateway.channels.noteTest(id, 42),
    update(id, { remark: 'edited too' }),
  ])
  t.match(await read(id), { name: 'edited', remark: 'edited too', status: 3, response_time: 42 })
})

t.test('[CHAN-5] keys added at once are all there, and each once', async (t) => {
  const { id } = await several('key-0')
  const adders = Array.from({ length: 8 }, (_, at) =>
    update(id, { key: `key-${at}\nkey-${at + 1}`, key_mode: 'append' }),
  )
  await Promise.all(adders)
  const expected = Array.from({ length: 9 }, (_, at) => `key-${at}`)
  t.same([...(texts(id) ?? [])].sort(), expected)
  t.match(await read(id), { channel_info: { multi_key_size: 9 } })
})

t.test('[CHAN-5] a key is named by its number, which no other takes', async (t) => {
  const { id } = await several('a\nb\nc')
  const [a, b] = await keyRows(id)
  t.match(await keys(id, 'get_key_status'), { keys: [{ id: a!.id, index: 0 }, { id: b!.id }, {}] })
  await keys(id, 'delete_key', { key_id: a!.id })
  await t.rejects(keys(id, 'delete_key', { key_id: a!.id }), { code: 'gone_missing' })
  t.same(texts(id), ['b', 'c'], 'whoever has moved up stays')
  await keys(id, 'disable_key', { key_id: b!.id, key_index: 1 })
  t.same(
    (await keyRows(id)).map(({ status }) => status),
    [2, 1],
  )
})

t.test('[CHAN-5] deleting places at once deletes as many keys, and no place twice', async (t) => {
  const { id } = await several('a\nb\nc\nd')
  const outcomes = await Promise.allSettled(
    [3, 3, 3].map((key_index) => keys(id, 'delete_key', { key_index })),
  )
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  t.same(texts(id), ['a', 'b', 'c'])
  await Promise.all([
    keys(id, 'disable_key', { key_index: 0 }),
    keys(id, 'disable_key', { key_index: 1 }),
    update(id, { key: 'e', key_mode: 'append' }),
  ])
  t.same(
    (await keyRows(id)).map((row) => row.status),
    [2, 2, 1, 1],
  )
})

t.test('bulk changes that overlap wait for each other', async (t) => {
  const ids: number[] = []
  for (let made = 0; made < 6; made++) ids.push((await create()).id)
  await Promise.all([
    ask('setTag', { ids, tag: 'one' }),
    ask('setStatuses', { ids: [...ids].reverse(), status: 2 }),
    ask('setTag', { ids: [...ids].reverse(), tag: 'one' }),
    update(ids[3]!, { priority: 5 }),
  ])
  for (const id of ids) t.match(await read(id), { tag: 'one', status: 2 })
  t.match(await read(ids[3]!), { priority: 5 })
})

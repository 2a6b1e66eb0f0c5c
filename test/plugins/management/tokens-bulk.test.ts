/** Many API keys at once: pages, searches, deletion and revelation in batches, and how many a user may have. */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import createTokens from '../../../plugins/management/tokens/index.js'
import { call, data, managementFixture, settingsOf } from './management-fixture.js'

const gateway = await managementFixture(t)
const { clock, log, person, database } = gateway

/** The area, and a user of the test's own. */
async function start(settings: object = {}) {
  const area = createTokens({
    settings: settingsOf({ reveal: true, tokensPerUser: 1_000, ...settings }),
    clock,
    log,
    services: gateway,
  })
  const ada = await person('ada')
  const ask = (route: string, request: object = {}, principal: Principal = ada) =>
    data(area, route, { principal, ...request })
  const create = (body: object = {}, principal: Principal = ada) =>
    ask('create', { body: { name: 'laptop', ...body } }, principal)
  const update = (body: object) => ask('update', { body })
  const read = (id: number) => ask('read', { params: { id: String(id) } })
  /** Names that match, newest first. */
  const search = async (query: object, principal: Principal = ada) => {
    const { items } = await ask('search', { query }, principal)
    return items.map(({ name }: { name: string }) => name)
  }
  return { area, ada, ask, create, update, read, search }
}

t.test('a word is looked for in names as it stands, signs of patterns included', async (t) => {
  const { create, search } = await start()
  for (const name of ['100% sure', '100 sure', 'a_b', 'aXb', 'back\\slash', 'LapTop']) {
    await create({ name })
  }
  const rows = [
    ['%', ['100% sure']],
    ['0%', ['100% sure']],
    ['_', ['a_b']],
    ['a_b', ['a_b']],
    ['\\', ['back\\slash']],
    ['laptop', ['LapTop']],
    ['sure', ['100 sure', '100% sure']],
    ["' OR true --", []],
    ['nobody', []],
  ] as const
  for (const [keyword, names] of rows) t.same(await search({ keyword }), names, keyword)
  t.equal((await search({})).length, 6, 'no word at all: every key')
})

t.test('keys are found by the state lists show them in', async (t) => {
  const { create, update, search } = await start()
  const past = Math.floor(clock.now() / 1000) - 1
  await create({ name: 'on' })
  await create({ name: 'on, capped', remain_quota: 10, expired_time: past + 3_600 })
  await create({ name: 'expired', expired_time: past })
  await create({ name: 'expired and spent', expired_time: past, remain_quota: 0 })
  await create({ name: 'spent', remain_quota: 0 })
  const off = await create({ name: 'off, expired', expired_time: past })
  await update({ id: off.id, status: 2 })
  const rows = [
    [1, ['on, capped', 'on']],
    [2, ['off, expired']],
    [3, ['expired and spent', 'expired']],
    [4, ['spent']],
  ] as const
  for (const [status, names] of rows) t.same(await search({ status }), names, `state ${status}`)
  t.same(await search({ status: 1, keyword: 'capped' }), ['on, capped'], 'with other filters')
  t.equal((await search({})).length, 6, 'no state at all: every key')
})

t.test('a key is found by itself, its last four characters or its mask', async (t) => {
  const { create, search, read } = await start()
  const made = await create({ name: 'wanted' })
  await create({ name: 'other' })
  const { key: mask } = await read(made.id)
  const texts = [made.key, made.key.slice(3), made.key.slice(-4), mask]
  for (const token of texts) t.same(await search({ token }), ['wanted'])
  t.same(await search({ token: made.key, keyword: 'other' }), [], 'both have to fit')
  t.same(await search({ token: made.key.slice(0, 20) }), [], 'a part is no key')
  const eve = await person('eve')
  for (const token of texts) t.same(await search({ token }, eve), [], 'another has none')
})

t.test('pages count from 1, newest first, a hundred at most', async (t) => {
  const { create, ask } = await start()
  for (const name of ['one', 'two', 'three']) await create({ name })
  const names = ({ items }: { items: { name: string }[] }) => items.map(({ name }) => name)
  const first = await ask('list', { query: { p: 1, page_size: 2 } })
  t.same(names(first), ['three', 'two'])
  t.match(first, { page: 1, page_size: 2, total: 3 })
  t.same(names(await ask('list', { query: { p: 2, size: 2 } })), ['one'])
  t.match(await ask('list', { query: { ps: 1_000 } }), { page_size: 100 })
  t.match(await ask('search', { query: { keyword: 'o', page_size: 1 } }), {
    total: 2,
    items: [{ name: 'two' }],
  })
})

t.test('several keys are deleted at once, and only the own ones', async (t) => {
  const { ask, create, read } = await start()
  const eve = await person('eve')
  const mine = [await create(), await create(), await create()]
  const hers = await create({}, eve)
  const ids = [mine[1].id, hers.id, mine[0].id, 2_147_483_647]
  t.equal(await ask('removeAll', { body: { ids } }), 2)
  t.equal(await ask('removeAll', { body: { ids } }), 0, 'once')
  await t.rejects(read(mine[0].id), { code: 'gone_missing' })
  t.match(await read(mine[2].id), { status: 1 })
  t.match(await ask('read', { params: { id: String(hers.id) } }, eve), { status: 1 })
  await t.rejects(gateway.identity.byKey(mine[0].key, '::1') as Promise<unknown>, {
    code: 'invalid_api_key',
  })
})

t.test('several keys are read again by id; what is not the own is left out', async (t) => {
  const { area, ada, ask, create } = await start()
  const eve = await person('eve')
  const mine = [await create(), await create()]
  const hers = await create({}, eve)
  const gone = await create()
  await ask('remove', { params: { id: String(gone.id) } })
  const ids = [mine[0].id, hers.id, mine[1].id, gone.id]
  const answer = await call(area, 'revealAll', { principal: ada, body: { ids } })
  t.same(answer.data, { keys: { [mine[0].id]: mine[0].key, [mine[1].id]: mine[1].key } })
  t.equal(answer.headers['cache-control'], 'no-store')
  const root = await person('root', 100)
  t.same(await ask('revealAll', { body: { ids } }, root), { keys: {} }, 'not even for root')
})

t.test('keys are read again in a live session alone, where that is allowed', async (t) => {
  const { ask, ada, create } = await start()
  const { id } = await create()
  const params = { id: String(id) }
  const script: Principal = { ...ada, via: 'accessToken' }
  const switchedOff = { code: 'switched_off', status: 403 }
  const noSession = { code: 'session_required', status: 403 }
  await t.rejects(ask('revealAll', { body: { ids: [id] } }, script), noSession)
  await t.rejects(ask('reveal', { params }, script), noSession)
  const closed = await start({ reveal: false })
  const made = await closed.create()
  await t.rejects(closed.ask('revealAll', { body: { ids: [made.id] } }), switchedOff)
  await t.rejects(closed.ask('reveal', { params: { id: String(made.id) } }), switchedOff)
})

t.test('a batch names 1 to 100 ids', async (t) => {
  const { ask } = await start()
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1_000_000)
  for (const route of ['removeAll', 'revealAll']) {
    const rows = [
      [{ ids: [] }, 'ids'],
      [{ ids: [...hundred, 1] }, 'ids'],
      [{ ids: [0] }, 'ids.0'],
      [{ ids: [1.5] }, 'ids.0'],
      [{ ids: ['x'] }, 'ids.0'],
      [{ ids: [3_000_000_000] }, 'ids.0'],
      [{ ids: 1 }, 'ids'],
      [{}, 'ids'],
    ] as const
    for (const [body, param] of rows) {
      await t.rejects(ask(route, { body }), { code: 'invalid_field', param }, `${route} ${param}`)
    }
    await t.resolves(ask(route, { body: { ids: hundred } }), route)
  }
})

t.test('keys made at once do not exceed the number together', async (t) => {
  const { create, ask } = await start({ tokensPerUser: 3 })
  await create()
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => create()))
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  t.equal(refused.length, 4)
  for (const { reason } of refused) t.match(reason, { code: 'conflict', message: /at most 3 API/ })
  const { total, items } = await ask('list')
  t.equal(total, 3)
  await ask('remove', { params: { id: String(items[0].id) } })
  await t.resolves(create(), 'a deleted one does not count')
  const eve = await person('eve')
  await t.resolves(create({}, eve), 'nor do those of others')
})

t.test('edits of different fields at once lose nothing', async (t) => {
  const { create, update, read } = await start()
  const { id } = await create({ remain_quota: 5 })
  const edits = {
    name: 'renamed',
    expired_time: 1_900_000_000,
    remain_quota: 77,
    model_limits: 'a,b',
    allow_ips: '10.0.0.1',
    group: 'vip',
    cross_group_retry: false,
    status: 2,
  }
  await Promise.all(Object.entries(edits).map(([field, value]) => update({ id, [field]: value })))
  t.match(await read(id), { ...edits, unlimited_quota: false, model_limits_enabled: true })
})

t.test('an edit and a charge at once lose nothing', async (t) => {
  const { create, update, read } = await start()
  const { id } = await create({ remain_quota: 1_000 })
  const charge = () => database.knex('tokens').where({ id }).increment('used', 10)
  await Promise.all([charge(), update({ id, name: 'a' }), charge(), update({ id, group: 'vip' })])
  t.match(await read(id), { name: 'a', group: 'vip', used_quota: 20, remain_quota: 980 })
  await database.knex('tokens').where({ id }).update({ used: 0 })
})

t.test('deletions that overlap wait for each other', async (t) => {
  const { ask, create } = await start()
  const ids: number[] = []
  for (let made = 0; made < 6; made++) ids.push((await create()).id)
  const counts = await Promise.all([
    ask('removeAll', { body: { ids } }),
    ask('removeAll', { body: { ids: [...ids].reverse() } }),
  ])
  t.same([...counts].sort(), [0, 6])
})

t.test('lists of models and addresses are taken as lists or as joined text', async (t) => {
  const { create, update } = await start()
  const rows = [
    [{ model_limits: 'a,b' }, { model_limits: 'a,b', model_limits_enabled: true }],
    [{ model_limits: ['a', 'b', 'a'] }, { model_limits: 'a,b', model_limits_enabled: true }],
    [{ model_limits: ' a , ,b,' }, { model_limits: 'a,b' }],
    [{ model_limits: [] }, { model_limits: '', model_limits_enabled: false }],
    [{ allow_ips: '10.0.0.1\n10.1.0.0/16' }, { allow_ips: '10.0.0.1\n10.1.0.0/16' }],
    [{ allow_ips: '10.0.0.1, ::1' }, { allow_ips: '10.0.0.1\n::1' }],
    [{ allow_ips: ['10.0.0.1', ' ::1 ', ''] }, { allow_ips: '10.0.0.1\n::1' }],
    [{ allow_ips: '' }, { allow_ips: '' }],
  ] as const
  for (const [sent, shown] of rows) {
    const label = JSON.stringify(sent)
    t.match(await create(sent), shown, label)
    const { id } = await create()
    t.match(await update({ id, ...sent }), shown, label)
  }
})

t.test(
  'quota ends at a thousand million dollars, and shows nothing less than nothing',
  async (t) => {
    const most = 1_000_000_000 * 500_000
    const { create, update, read } = await start()
    const { id } = await create({ remain_quota: most })
    t.match(await read(id), { remain_quota: most })
    for (const remain_quota of [most + 1, -1, 0.5]) {
      const fault = { code: 'invalid_field', param: 'remain_quota' }
      await t.rejects(create({ remain_quota }), fault)
      await t.rejects(update({ id, remain_quota }), fault)
    }
    await update({ id, remain_quota: 10 })
    await database.knex('tokens').where({ id }).update({ used: 25 })
    const record = await read(id)
    t.match(record, { remain_quota: 0, used_quota: 25, status: 4 })
    t.match(await update({ ...record, name: 'kept' }), { remain_quota: 0, name: 'kept' })
    await database.knex('tokens').where({ id }).update({ used: 0 })
  },
)

t.test('a usable key may be made to expire by a script that sends its status along', async (t) => {
  const { create, update, read } = await start()
  const { id } = await create()
  const past = Math.floor(clock.now() / 1000) - 60
  t.match(await update({ ...(await read(id)), expired_time: past }), { status: 3 })
  await t.rejects(update({ id, status: 1 }), { code: 'invalid_field', param: 'status' })
  for (const status of [0, 5, '1x', null]) {
    await t.rejects(update({ id, status }), { code: 'invalid_field', param: 'status' })
  }
})

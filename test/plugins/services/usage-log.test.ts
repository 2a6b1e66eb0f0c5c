/** Pages of the usage log. */
import t from 'tap'
import type { LogQuery } from '../../../plugins/services/usage-log/index.js'
import { start, usageFixture } from './usage-log-fixture.js'

const gateway = await usageFixture(t)
const { database, service, add, ids } = gateway
t.beforeEach(() => gateway.empty())

/** What is found may not depend on whether it has been summed. */
async function summedOrNot(run: (state: string) => Promise<void>): Promise<void> {
  await run('not summed')
  await service.roll()
  await run('summed')
}

t.test('a row is the record of the family', async (t) => {
  const [tried] = await database.knex('channels').insert({ name: 'four', type: 1 }).returning('id')
  const failed = { channel: tried.id, group: 'default', status: 500, code: 'x' }
  const deleted = { channel: 999, group: 'vip', status: 429, code: 'y' }
  await add('r7', {
    username: 'ada',
    token_id: 3,
    token_name: 'laptop',
    channel_id: 9,
    channel_name: 'nine',
    model_name: 'm',
    upstream_model: 'up',
    group_name: 'vip',
    quota: 12345678901n,
    prompt_tokens: 10,
    completion_tokens: 20,
    use_time_ms: 1_001,
    is_stream: true,
    ip: '198.51.100.7',
    detail: {
      frt: 300,
      content: 'words',
      key: 'admin:secret',
      attempts: [failed, deleted],
      is_model_mapped: true,
      upstream_model_name: 'up',
      upstream_request_id: 'chatcmpl-7',
    },
  })
  await database.knex('billing_requests').insert({
    request_id: 'r7',
    kind: 'sync',
    user_id: 1,
    funding_account: 1,
    state: 'settled',
    revision: 1,
    reserved: 20_000_000_000,
    settled: 12_345_678_901,
    shortfall: 5,
    outcome: 'complete',
    usage: { input: 10, output: 20, reasoning: 8 },
    closed_at: new Date(),
    owner_instance: 'test',
    owner_epoch: 1,
    pricing_snapshot: { model_ratio: 1.5 },
  })
  const { items, total } = await service.page({ page: 1, pageSize: 10 })
  t.equal(total, 1)
  const { other, id, ...record } = items[0] ?? { other: '' }
  t.type(id, 'number')
  t.same(record, {
    user_id: 1,
    created_at: start / 1_000 + 7,
    type: 2,
    content: 'words',
    username: 'ada',
    token_id: 3,
    token_name: 'laptop',
    model_name: 'm',
    quota: 12345678901,
    prompt_tokens: 10,
    completion_tokens: 20,
    use_time: 2,
    is_stream: true,
    channel: 9,
    channel_name: 'nine',
    group: 'vip',
    ip: '198.51.100.7',
    request_id: 'r7',
  })
  const facts = {
    model_ratio: 1.5,
    reserved_quota: 20_000_000_000,
    shortfall_quota: 5,
    outcome: 'complete',
    reasoning_tokens: 8,
    frt: 300,
    use_time_ms: 1_001,
    is_model_mapped: true,
  }
  t.same(JSON.parse(other), {
    ...facts,
    upstream_model_name: 'up',
    admin_info: {
      is_multi_key: false,
      use_channel: [tried.id, 999, 9],
      attempts: [{ ...failed, channel_name: 'four' }, deleted],
      upstream_request_id: 'chatcmpl-7',
    },
  })

  const own = (await service.page({ page: 1, pageSize: 10, userId: 1 })).items[0]
  t.match(own, { channel: 0, channel_name: '' })
  t.same(JSON.parse(own?.other ?? ''), facts)
})

t.test('each filter keeps what it names, newest first', async (t) => {
  await database.knex('users').insert([
    { username: 'ada', password_hash: '' },
    { username: 'bob', password_hash: '' },
  ])
  await add('r1', { token_name: 'laptop', model_name: 'gpt-4o', channel_id: 1, group_name: 'vip' })
  await add('r2', { user_id: 2, type: 1, model_name: 'gpt-4o-mini', channel_id: 2 })
  await add('r3', { user_id: 2, model_name: 'gpt%4', token_name: 'server' })
  const rows: [Partial<LogQuery>, string[]][] = [
    [{}, ['r3', 'r2', 'r1']],
    [{ userId: 1 }, ['r1']],
    [{ type: 1 }, ['r2']],
    [{ username: 'BOB' }, ['r3', 'r2']],
    [{ username: 'nobody' }, []],
    [{ tokenName: 'laptop' }, ['r1']],
    [{ tokenName: 'lapto_' }, []],
    [{ tokenName: 'laptop', group: 'vip' }, ['r1']],
    [{ tokenName: 'laptop', userId: 2 }, []],
    [{ channelId: 2 }, ['r2']],
    [{ group: 'vip' }, ['r1']],
    [{ requestId: 'r3' }, ['r3']],
    [{ from: start / 1_000 + 2 }, ['r3', 'r2']],
    [{ to: start / 1_000 + 2 }, ['r2', 'r1']],
    [{ from: start / 1_000 + 2, to: start / 1_000 + 2 }, ['r2']],
    [{ userId: 1, username: 'bob' }, []],
    [{ model: 'gpt%', channelId: 2 }, ['r2']],
    [{ model: 'gpt%', username: 'bob' }, ['r3', 'r2']],
    [{ model: 'gpt%', tokenName: 'server' }, ['r3']],
    [{ model: 'gpt-4o', type: 2, group: 'vip', channelId: 1, from: start / 1_000 }, ['r1']],
  ]
  await summedOrNot(async (state) => {
    for (const [query, expected] of rows) {
      t.same(await ids(query), expected, `${state}: ${JSON.stringify(query)}`)
    }
  })
})

t.test(
  'a model is matched whole, by its beginning or by a part; other signs are signs',
  async (t) => {
    await add('r1', { model_name: 'gpt-4o' })
    await add('r2', { model_name: 'gpt-4o-mini' })
    await add('r3', { model_name: 'gpt%4' })
    await add('r4', { model_name: 'gpt_4' })
    await add('r5', { model_name: 'back\\slash' })
    const rows = [
      ['gpt-4o', ['r1']],
      ['GPT-4o', []],
      ['gpt-4o%', ['r2', 'r1']],
      ['gpt_4', ['r4']],
      ['gpt_4%', ['r4']],
      ['gpt%4', ['r3']],
      ['gpt%4%', ['r3']],
      ['%4o', []],
      ['%4o%', ['r2', 'r1']],
      ['%%4%', ['r3']],
      ['%_%', ['r4']],
      ['%\\%', ['r5']],
      ['%t%4%', ['r3']],
      ['_%', []],
      ['back\\slash', ['r5']],
      ['back\\%', ['r5']],
      ['%', ['r5', 'r4', 'r3', 'r2', 'r1']],
      ['%%', ['r5', 'r4', 'r3', 'r2', 'r1']],
      ['%%%', ['r3']],
    ] as const
    await summedOrNot(async (state) => {
      for (const [model, expected] of rows)
        t.same(await ids({ model }), expected, `${state}: ${model}`)
    })
  },
)

t.test('pages follow each other', async (t) => {
  // Settlements of one transaction bear the same time.
  for (let n = 1; n <= 7; n++) {
    const created_at = new Date(start + Math.floor(n / 3) * 1_000)
    await add(`r${n}`, { created_at, model_name: `m${n % 2}` })
  }
  const page = async (number: number, model?: string) => {
    const { items, total } = await service.page({ page: number, pageSize: 2, model })
    return [total, ...items.map((item) => item.request_id)]
  }
  await summedOrNot(async () => {
    t.same(await page(1), [7, 'r7', 'r6'])
    t.same(await page(2), [7, 'r5', 'r4'])
    t.same(await page(3), [7, 'r3', 'r2'])
    t.same(await page(4), [7, 'r1'])
    t.same(await page(5), [7])
    t.same(await page(2, 'm%'), [7, 'r5', 'r4'])
    t.same(await page(2, 'm1'), [4, 'r3', 'r1'])
    t.same(await page(900), [7])
  })
})

t.test('pages go on from row to row, rows of one moment too', async (t) => {
  for (let n = 1; n <= 7; n++) {
    const created_at = database.knex.raw(
      `timestamptz '2024-01-01' + ${Math.floor(n / 3)} * interval '1 microsecond'`,
    )
    await add(`r${n}`, { created_at, model_name: `m${n % 2}` })
  }
  const walk = async (query: Partial<LogQuery>) => {
    const found: string[] = []
    for (let before: string | undefined; ; ) {
      const { items, next } = await service.page({ page: 1, pageSize: 2, before, ...query })
      found.push(...items.map((item) => item.request_id))
      if (next === '') return found
      before = next
    }
  }
  await summedOrNot(async () => {
    t.same(await walk({}), ['r7', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1'])
    t.same(await walk({ model: 'm1' }), ['r7', 'r5', 'r3', 'r1'])
    t.same(await walk({ model: 'm%', pageSize: 3 }), ['r7', 'r6', 'r5', 'r4', 'r3', 'r2', 'r1'])
  })
  for (const before of ['nonsense', '7', '99999999999999999.']) {
    const refused = { code: 'invalid_field', param: 'before' }
    await t.rejects(service.page({ page: 1, pageSize: 2, before }), refused)
  }
})

t.test('pages by number end where skipping rows would take long', async (t) => {
  t.same((await service.page({ page: 1_000, pageSize: 100 })).items, [])
  const refused = { code: 'invalid_field', param: 'p', message: /`before`/ }
  await t.rejects(service.page({ page: 1_001, pageSize: 100 }), refused)
})

t.test('several rows of one request are distinguished, wherever they are read', async (t) => {
  const rows = [
    { type: 2, quota: 5, token_id: 3 },
    { type: 2, quota: 1, token_id: 3 },
    { type: 6, quota: 2, token_id: 3 },
  ]
  for (const [at, row] of rows.entries()) {
    await add('r1', { ...row, created_at: new Date(start + at) })
  }
  const found = await service.page({ page: 1, pageSize: 10 })
  const known = new Set(found.items.map(({ id }) => id))
  t.equal(known.size, 3)
  const own = { page: 1, pageSize: 2, userId: 1, type: 2 }
  for (const items of [
    (await service.page(own)).items,
    await service.search({ keyword: 'r1' }),
    await service.search({ keyword: 'r1', userId: 1 }),
    await service.ofToken({ id: 3, userId: 1 }),
  ]) {
    t.ok(items.length >= 2)
    for (const { id, quota } of items) {
      t.equal(found.items.find((item) => item.id === id)?.quota, quota, 'the same row')
    }
  }
})

t.test('amounts beyond what a number is exact for are digits', async (t) => {
  await add('r1', { quota: 2n ** 53n + 1n })
  await database.knex('billing_requests').insert({
    request_id: 'r1',
    kind: 'sync',
    user_id: 1,
    funding_account: 1,
    state: 'settled',
    revision: 1,
    reserved: String(2n ** 60n + 1n),
    settled: String(2n ** 53n + 1n),
    shortfall: String(2n ** 55n + 1n),
    closed_at: new Date(),
    owner_instance: 'test',
    owner_epoch: 1,
  })
  const { items } = await service.page({ page: 1, pageSize: 1 })
  t.equal(items[0]?.quota, '9007199254740993')
  t.match(JSON.parse(items[0]?.other ?? ''), {
    reserved_quota: '1152921504606846977',
    shortfall_quota: '36028797018963969',
  })
})

t.test('counting stops at 10,000, pages go on', async (t) => {
  await database.knex.raw(`
    INSERT INTO usage_log (request_id, created_at, type, user_id)
    SELECT 'r' || n, now() - n * interval '1 second', 2, 1 FROM generate_series(1, 10005) n`)
  const { items, total } = await service.page({ page: 1, pageSize: 1 })
  t.equal(total, 10_000)
  t.equal(items.length, 1)
  const last = await service.page({ page: 10_005, pageSize: 1 })
  t.match(last, { total: 10_000, items: [{ request_id: 'r10005' }] })
})

t.test('more models than branches are reported by their pattern', async (t) => {
  await database.knex.raw(`
    INSERT INTO usage_log (request_id, created_at, type, user_id, model_name, token_name)
    SELECT 'r' || n, now() - interval '1 day' - n * interval '1 second', 2, n, 'model-' || n, 'same'
    FROM generate_series(1, 300) n`)
  await summedOrNot(async () => {
    t.same((await ids({ model: 'model-%' })).length, 100)
    t.same(await ids({ model: 'model-30%' }), ['r30', 'r300'])
    t.same((await service.page({ page: 3, pageSize: 100, tokenName: 'same' })).total, 300)
    const { items } = await service.page({ page: 150, pageSize: 2, model: 'model%' })
    t.same(
      items.map((item) => item.request_id),
      ['r299', 'r300'],
    )
  })
})

t.test('rows of one API key are its own alone, as its owner may see them (X12)', async (t) => {
  await add('r1', { token_id: 3, channel_id: 9, channel_name: 'nine' })
  await add('r2', { token_id: 4 })
  await add('r3', { token_id: 3, user_id: 2 })
  await add('r4', { token_id: 3 })
  const rows = await service.ofToken({ id: 3, userId: 1 })
  t.same(
    rows.map((row) => row.request_id),
    ['r4', 'r1'],
  )
  t.match(rows[1], { channel: 0, channel_name: '' })
})

t.test('the longest names there may be are logged, summed and found', async (t) => {
  // Four bytes each and no two alike, so that nothing of them can be compressed away.
  let sign = 0
  const word = (length: number) =>
    Array.from({ length }, () => {
      sign = (sign * 7_919 + 12_345) % 900_000
      return String.fromCodePoint(0x10_000 + sign)
    }).join('')
  const names = { model_name: word(256), group_name: word(256), token_name: word(50) }
  await add('r1', names)
  await add('r2', { ...names, type: 5 })
  await summedOrNot(async (state) => {
    const query = { model: names.model_name, group: names.group_name, tokenName: names.token_name }
    t.same(await ids(query), ['r2', 'r1'], state)
  })
})

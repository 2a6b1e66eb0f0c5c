/** Pages of the usage log. */
import t from 'tap'
import createUsageLog, { type LogQuery } from '../../../plugins/services/usage-log/index.js'
import { FakeClock } from '../../kit/clock.js'
import { testDatabase } from '../../kit/database.js'
import { quietLog } from '../../kit/fakes.js'
import { settingsOf } from '../management/desk.js'

const start = Date.UTC(2026, 0, 1)

const database = await testDatabase(t)

/** An empty log. */
async function log() {
  await database.knex('usage_log').delete()
  const service = createUsageLog({
    settings: settingsOf({}),
    clock: new FakeClock(),
    log: quietLog,
    services: { database },
  })
  const add = (request_id: string, fields: object = {}) =>
    database.knex('usage_log').insert({
      request_id,
      type: 2,
      user_id: 1,
      created_at: new Date(start + Number(request_id.slice(1)) * 1_000),
      ...fields,
    })
  const ids = async (query: Partial<LogQuery>) => {
    const { items } = await service.page({ page: 1, pageSize: 100, ...query })
    return items.map((item) => item.request_id)
  }
  return { service, add, ids }
}

t.test('a row is the record of the family', async (t) => {
  const { service, add } = await log()
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
      attempts: [{ channel: 4, group: 'default', status: 500, code: 'x' }],
      is_model_mapped: true,
      upstream_model_name: 'up',
    },
  })
  await database.knex('billing_requests').insert({
    request_id: 'r7',
    kind: 'sync',
    user_id: 1,
    funding_account: 1,
    state: 'settled',
    revision: 1,
    reserved: 0,
    settled: 0,
    closed_at: new Date(),
    owner_instance: 'test',
    owner_epoch: 1,
    pricing_snapshot: { model_ratio: 1.5 },
  })
  const { items, total } = await service.page({ page: 1, pageSize: 10 })
  t.equal(total, 1)
  const { other, ...record } = items[0] ?? { other: '' }
  t.same(record, {
    id: 1,
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
  t.same(JSON.parse(other), {
    model_ratio: 1.5,
    frt: 300,
    is_model_mapped: true,
    upstream_model_name: 'up',
    admin_info: {
      use_channel: [4, 9],
      attempts: [{ channel: 4, group: 'default', status: 500, code: 'x' }],
    },
  })

  const own = (await service.page({ page: 1, pageSize: 10, userId: 1 })).items[0]
  t.match(own, { channel: 0, channel_name: '' })
  t.same(JSON.parse(own?.other ?? ''), { model_ratio: 1.5, frt: 300, is_model_mapped: true })
})

t.test('each filter keeps what it names, newest first', async (t) => {
  const { add, ids } = await log()
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
    [{ channelId: 2 }, ['r2']],
    [{ group: 'vip' }, ['r1']],
    [{ requestId: 'r3' }, ['r3']],
    [{ from: start / 1_000 + 2 }, ['r3', 'r2']],
    [{ to: start / 1_000 + 2 }, ['r2', 'r1']],
    [{ from: start / 1_000 + 2, to: start / 1_000 + 2 }, ['r2']],
    [{ userId: 1, username: 'bob' }, []],
  ]
  for (const [query, expected] of rows) t.same(await ids(query), expected, JSON.stringify(query))
})

t.test('a model is matched whole, or by the words before one last percent sign', async (t) => {
  const { add, ids } = await log()
  await add('r1', { model_name: 'gpt-4o' })
  await add('r2', { model_name: 'gpt-4o-mini' })
  await add('r3', { model_name: 'gpt%4' })
  await add('r4', { model_name: 'gpt_4' })
  await add('r5', { model_name: 'back\\slash' })
  const rows = [
    ['gpt-4o', ['r1']],
    ['gpt-4o%', ['r2', 'r1']],
    ['gpt_4', ['r4']],
    ['gpt_4%', ['r4']],
    ['gpt%4', ['r3']],
    ['%4o%', []],
    ['gpt%4%', ['r3']],
    ['back\\slash', ['r5']],
    ['%', ['r5', 'r4', 'r3', 'r2', 'r1']],
  ] as const
  for (const [model, expected] of rows) t.same(await ids({ model }), expected, model)
})

t.test('pages follow each other, and the number of each row is its place', async (t) => {
  const { service, add } = await log()
  for (let n = 1; n <= 5; n++) await add(`r${n}`)
  const page = async (number: number) => {
    const { items, total } = await service.page({ page: number, pageSize: 2 })
    t.equal(total, 5)
    return items.map((item) => [item.id, item.request_id])
  }
  t.same(await page(1), [
    [1, 'r5'],
    [2, 'r4'],
  ])
  t.same(await page(3), [[5, 'r1']])
  t.same(await page(4), [])
})

t.test('counting stops at 10,000', async (t) => {
  const { service } = await log()
  await database.knex.raw(`
    INSERT INTO usage_log (request_id, created_at, type, user_id)
    SELECT 'r' || n, now() - n * interval '1 second', 2, 1 FROM generate_series(1, 10005) n`)
  const { items, total } = await service.page({ page: 1, pageSize: 1 })
  t.equal(total, 10_000)
  t.equal(items.length, 1)
})

/** Searches of the usage log by keyword. */
import t from 'tap'
import { usageFixture } from './usage-log-fixture.js'

const gateway = await usageFixture(t)
const { database, service, add } = gateway
await database.knex('users').insert([
  { username: 'ada', password_hash: '' },
  { username: 'b_b', password_hash: '' },
])

async function found(keyword: string, userId?: number): Promise<readonly string[]> {
  return (await service.search({ keyword, userId })).map((row) => row.request_id)
}

await add('r1', { model_name: 'GPT-4o', token_name: 'laptop' })
await add('r2', { model_name: 'claude', token_name: 'gpt key', user_id: 2 })
await add('r3', { model_name: '50%_off', token_name: 'back\\slash', user_id: 2 })
await add('r4', { type: 5, model_name: 'o3', token_name: 'laptop' })
await add('r5', { type: 3, user_id: 2 })
await add('r6', { model_name: 'laptop-1', token_name: 'laptop', username: 'old name' })

const everybody = [
  ['gpt', ['r2', 'r1'], 'model and token, in any case'],
  ['laptop', ['r6', 'r4', 'r1'], 'what is found in two ways comes once'],
  ['ada', ['r6', 'r4', 'r1'], 'user'],
  ['b_b', ['r5', 'r3', 'r2'], 'user with a sign'],
  ['bxb', [], 'a sign is no wildcard'],
  ['%', ['r3'], 'percent sign'],
  ['_', ['r5', 'r3', 'r2'], 'low line'],
  ['%_', ['r3'], 'both'],
  ['_%', [], 'both, the other way round'],
  ['\\', ['r3'], 'backslash'],
  ['%%', [], 'two percent signs'],
  ['r5', ['r5'], 'request id'],
  ['r', [], 'part of a request id'],
  ['o3', ['r4'], 'errors too'],
] as const

const ofUser = [
  [1, 'laptop', ['r6', 'r4', 'r1']],
  [2, 'laptop', []],
  [2, 'gpt', ['r2']],
  [1, 'gpt', ['r1']],
  [2, '%', ['r3']],
  [2, '\\', ['r3']],
  [1, 'r1', ['r1']],
  [2, 'r1', []],
  [2, 'b_b', []],
  [1, 'o3', ['r4']],
] as const

for (const state of ['not summed', 'summed']) {
  t.test(`a keyword is looked for in names and ids: rows ${state}`, async (t) => {
    if (state === 'summed') await service.roll()
    for (const [keyword, ids, title] of everybody) t.same(await found(keyword), ids, title)
  })

  t.test(`users search among their own rows alone (X12): rows ${state}`, async (t) => {
    for (const [userId, keyword, ids] of ofUser) {
      t.same(await found(keyword, userId), ids, `${keyword} for user ${userId}`)
    }
    t.match(await service.search({ keyword: 'r1', userId: 1 }), [{ channel: 0, channel_name: '' }])
  })
}

t.test('the newest hundred are found, however many names match', async (t) => {
  await gateway.empty()
  await database.knex.raw(`
    INSERT INTO usage_log (request_id, created_at, type, user_id, model_name, token_name)
    SELECT 'many' || n, now() - interval '1 day' - n * interval '1 second', 2, 1, 'many-' || n % 250,
      'many-' || n % 130
    FROM generate_series(1, 500) n`)
  const newest = Array.from({ length: 100 }, (_, at) => `many${at + 1}`)
  t.same(await found('many-'), newest)
  t.same(await found('many-', 1), newest)
  await service.roll()
  t.same(await found('many-'), newest)
  t.same(await found('many-', 1), newest)
})

t.test('an id of a request is found without a look through the names', async (t) => {
  await gateway.empty()
  const id = `req_${'A'.repeat(25)}7`
  await add(id, { model_name: 'm', user_id: 2 })
  const unknown = `req_${'A'.repeat(25)}8`
  await add('r9', { model_name: unknown })
  await add('r8', { model_name: `holds ${id}`, user_id: 2 })
  await service.roll()
  t.same(await found(id), [id])
  t.same(await found(id, 2), [id])
  t.same(await found(id, 1), [], 'of others nobody learns')
  t.same(await found(unknown), ['r9'], 'where no request has it, names are looked through')
})

t.test('a name that begins so is found, though others were used later', async (t) => {
  await gateway.empty()
  await add('r1', { token_name: 'Zebra one' })
  await add('r2', { token_name: 'a zebra' })
  await service.roll()
  await database.knex.raw(`
    INSERT INTO usage_keys (kind, name, id, last_at, last_day, quota)
    SELECT 'token', 'later ' || n, n, now(), now(), 0 FROM generate_series(1, 20000) n`)
  t.same(await found('zebra'), ['r1'], 'within a name only among those used last')
  t.same(await found('zebra', 1), ['r2', 'r1'], 'of oneself all')
})

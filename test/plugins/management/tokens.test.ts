/** API keys of the signed-in user. */
import t from 'tap'
import type { Principal } from '../../../kernel/contract/management.js'
import createTokens from '../../../plugins/management/tokens/index.js'
import { call, data, managementFixture, settingsOf } from './management-fixture.js'

const gateway = await managementFixture(t)
const { clock, log, person, identity, database } = gateway

/** The area, and a user of the test's own. */
async function start(settings: object = {}) {
  const area = createTokens({
    settings: settingsOf({ reveal: true, tokensPerUser: 1_000, ...settings }),
    clock,
    log,
    services: gateway,
  })
  const ada = await person('ada')
  const create = (body: object, principal: Principal = ada) =>
    data(area, 'create', { principal, body: { name: 'laptop', ...body } })
  const update = (body: object, query: object = {}, principal: Principal = ada) =>
    data(area, 'update', { principal, body, query })
  const read = (id: number, principal: Principal = ada) =>
    data(area, 'read', { principal, params: { id: String(id) } })
  const spend = (id: number, used: number, held: number) =>
    database.knex('tokens').where({ id }).update({ used, held })
  return { area, ada, create, update, read, spend }
}

t.test(
  '[AUTH-1] a new key is answered once in full, works, and is masked from then on',
  async (t) => {
    const { area, ada, create, read } = await start()
    const answer = await call(area, 'create', { principal: ada, body: { name: 'laptop' } })
    t.equal(answer.headers['cache-control'], 'no-store')
    const made = answer.data
    t.match(made.key, /^sk-[A-Za-z0-9]{48}$/)
    t.match(await identity.byKey(made.key, '::1'), {
      user: { id: ada.userId },
      token: { id: made.id },
    })
    const masked = `sk-************${made.key.slice(-4)}`
    t.equal((await read(made.id)).key, masked)
    const page = await data(area, 'list', { principal: ada })
    t.match(page, { page: 1, page_size: 10, total: 1, items: [{ id: made.id, key: masked }] })
    const rows = JSON.stringify(
      await database.knex('tokens').select('name', 'key_sealed', 'key_tail'),
    )
    t.notMatch(rows, made.key.slice(3), 'the table does not hold it in clear')
    t.not((await create({})).key, made.key)
  },
)

t.test(
  '[AUTH-1] a replaced key stops at once, and the new one has its limits and spending',
  async (t) => {
    const { area, ada, create, read, spend } = await start()
    const made = await create({ remain_quota: 500, rpm_limit: 7 })
    await identity.byKey(made.key, '::1')
    await spend(made.id, 100, 0)
    const params = { id: String(made.id) }
    const answer = await call(area, 'replace', { principal: ada, params })
    t.equal(answer.headers['cache-control'], 'no-store')
    const { key } = answer.data
    t.not(key, made.key)
    t.match(await identity.byKey(key, '::1'), { token: { id: made.id } })
    await t.rejects(async () => identity.byKey(made.key, '::1'), { code: 'invalid_api_key' })
    const reread = await read(made.id)
    t.match(reread, { id: made.id, used_quota: 100, remain_quota: 400, rpm_limit: 7 })
    t.equal(reread.key, `sk-************${key.slice(-4)}`)
    t.match(await data(area, 'reveal', { principal: ada, params }), { key })
    const eve = await person('eve')
    await t.rejects(data(area, 'replace', { principal: eve, params }), { code: 'gone_missing' })
    t.match(await identity.byKey(key, '::1'), { token: { id: made.id } })
    await spend(made.id, 0, 0)
  },
)

t.test('a key is the record of the family', async (t) => {
  const { ada, create, read } = await start()
  const made = await create({
    expired_time: 1_900_000_000,
    remain_quota: 500,
    model_limits: 'b, a,a,,',
    allow_ips: '10.0.0.0/8\n2001:db8::1\n',
    group: 'vip',
    cross_group_retry: false,
  })
  const { key, created_time, accessed_time, ...rest } = await read(made.id)
  t.equal(created_time, accessed_time)
  t.same(rest, {
    id: made.id,
    user_id: ada.userId,
    status: 1,
    name: 'laptop',
    expired_time: 1_900_000_000,
    remain_quota: 500,
    unlimited_quota: false,
    model_limits_enabled: true,
    model_limits: 'b,a',
    allow_ips: '10.0.0.0/8\n2001:db8::1',
    used_quota: 0,
    group: 'vip',
    cross_group_retry: false,
    routing: {
      version: 1,
      mode: 'manual',
      auto_route: '',
      groups: ['vip'],
      retry_on_failure: false,
    },
    routing_legacy: false,
    budget_quota: 0,
    budget_period: '',
    budget_used: 0,
    budget_remaining: 0,
    budget_resets_at: 0,
    rpm_limit: 0,
    tpm_limit: 0,
    record_level: '',
    record_until: 0,
  })
  const plain = await create({ model_limits: ['x'], model_limits_enabled: false })
  t.match(plain, { unlimited_quota: true, remain_quota: 0, expired_time: -1, group: '' })
  t.match(plain, { model_limits: 'x', model_limits_enabled: false, cross_group_retry: true })
})

t.test(
  '[LIMIT-6] a budget has an amount and a period, and names the field where one is missing',
  async (t) => {
    const { create, update, read } = await start()
    await t.rejects(create({ budget_quota: 5 }), { code: 'invalid_field', param: 'budget_period' })
    await t.rejects(create({ budget_period: 'day' }), {
      code: 'invalid_field',
      param: 'budget_quota',
    })
    await t.rejects(create({ budget_period: 'day', budget_quota: 0 }), {
      code: 'invalid_field',
      param: 'budget_quota',
    })
    await t.rejects(create({ budget_period: 'hour', budget_quota: 5 }), {
      code: 'invalid_field',
      param: 'budget_period',
    })
    await t.rejects(create({ rpm_limit: -1 }), { code: 'invalid_field', param: 'rpm_limit' })
    await t.rejects(create({ tpm_limit: 1.5 }), { code: 'invalid_field', param: 'tpm_limit' })
    const limits = { budget_quota: 500, budget_period: 'week', rpm_limit: 3, tpm_limit: 900 }
    const made = await create(limits)
    t.match(made, { ...limits, budget_used: 0, budget_remaining: 500 })
    const monday = new Date(made.budget_resets_at * 1000)
    t.match([monday.getUTCDay(), monday.getUTCHours()], [1, 0])
    const since = async () => database.knex('tokens').where({ id: made.id }).first('budget_since')
    const before = await since()
    await update({ id: made.id, budget_quota: 800 })
    t.match(await read(made.id), { budget_quota: 800, budget_period: 'week' })
    t.same(await since(), before, 'another amount goes on counting')
    await update({ id: made.id, name: 'renamed' })
    t.match(
      await read(made.id),
      { budget_quota: 800, rpm_limit: 3, tpm_limit: 900 },
      'what is left out stays',
    )
    await update({ id: made.id, budget_period: '', rpm_limit: 0 })
    t.match(await read(made.id), {
      budget_quota: 0,
      budget_period: '',
      budget_resets_at: 0,
      rpm_limit: 0,
    })
  },
)

t.test('what remains is the limit less what was used and what is held', async (t) => {
  const { create, update, read, spend } = await start()
  const { id } = await create({ remain_quota: 1_000 })
  const limit = async () => (await database.knex('tokens').where({ id }).first()).limit_quota
  await spend(id, 300, 50)
  t.match(await read(id), { remain_quota: 650, used_quota: 300 })
  t.match(await update({ id, remain_quota: 100 }), { remain_quota: 100 })
  t.equal(await limit(), 450n)
  t.match(await update({ id, name: 'other' }), { remain_quota: 100, name: 'other' })
  t.match(await update({ id, unlimited_quota: false }), { remain_quota: 100 })
  t.match(await update({ id, unlimited_quota: true }), { unlimited_quota: true, remain_quota: 0 })
  t.equal(await limit(), null)
  t.match(
    await update({ id, remain_quota: 5 }),
    { unlimited_quota: true },
    'unlimited stays so unless reported',
  )
  t.match(await update({ id, unlimited_quota: false, remain_quota: 5 }), { remain_quota: 5 })
  t.equal(await limit(), 355n)
  await update({ id, unlimited_quota: true })
  t.match(await update({ id, unlimited_quota: false }), { remain_quota: 0 })
  await spend(id, 0, 0)
})

t.test('an update changes what is sent and nothing else', async (t) => {
  const { create, update, read } = await start()
  const { id } = await create({
    model_limits: 'a',
    allow_ips: '10.0.0.1',
    group: 'vip',
    expired_time: 1_900_000_000,
  })
  const { name: _, ...before } = await read(id)
  t.match(await update({ id, name: 'new' }), { ...before, name: 'new' })
  t.match(await update({ id }), { ...before, name: 'new' })
  t.match(await update({ id, model_limits: '', allow_ips: '', expired_time: -1, group: '' }), {
    model_limits: '',
    model_limits_enabled: true,
    allow_ips: '',
    expired_time: -1,
    group: '',
    name: 'new',
  })
  const only = await update({ id, status: 2, name: 'ignored' }, { status_only: 'true' })
  t.match(only, { status: 2, name: 'new' })
})

t.test('an expired or exhausted key is shown as such and cannot be switched on', async (t) => {
  const { create, update, read, spend } = await start()
  const past = Math.floor(clock.now() / 1000) - 1
  const expired = await create({ expired_time: past })
  t.equal((await read(expired.id)).status, 3)
  await t.rejects(update({ id: expired.id, status: 1 }), { code: 'invalid_field', param: 'status' })
  t.match(await update({ id: expired.id, status: 1, expired_time: -1 }), { status: 1 })

  const poor = await create({ remain_quota: 10 })
  await spend(poor.id, 10, 0)
  t.equal((await read(poor.id)).status, 4)
  await update({ id: poor.id, status: 2 }, { status_only: true })
  await t.rejects(update({ id: poor.id, status: 1 }), { code: 'invalid_field', param: 'status' })
  t.equal((await read(poor.id)).status, 2, 'a refused update leaves nothing behind')
  t.match(await update({ id: poor.id, status: 1, remain_quota: 1 }), { status: 1 })
  t.match(await update({ id: poor.id, status: 4, name: 'kept' }), { status: 1, name: 'kept' })
  await spend(poor.id, 0, 0)
})

t.test("another's key does not exist for anyone but its owner (X12)", async (t) => {
  const { area, create, update, read, ada } = await start()
  const { id, key } = await create({})
  for (const eve of [await person('eve'), await person('root', 100)]) {
    const params = { id: String(id) }
    const missing = { code: 'gone_missing', status: 404 }
    await t.rejects(read(id, eve), missing)
    await t.rejects(update({ id, name: 'mine' }, {}, eve), missing)
    await t.rejects(data(area, 'remove', { principal: eve, params }), missing)
    await t.rejects(data(area, 'reveal', { principal: eve, params }), missing)
    t.same((await data(area, 'list', { principal: eve })).items, [])
  }
  t.match(await read(id), { name: 'laptop' })
  t.match(await identity.byKey(key, '::1'), { user: { id: ada.userId } })
})

t.test(
  'the owner reads the key again in a live session, unless that is switched off',
  async (t) => {
    const { area, ada, create } = await start()
    const { id, key } = await create({})
    const params = { id: String(id) }
    const answer = await call(area, 'reveal', { principal: ada, params })
    t.same([answer.data, answer.headers['cache-control']], [{ key }, 'no-store'])
    const script: Principal = { ...ada, via: 'accessToken' }
    const asScript = call(area, 'reveal', { principal: script, params })
    await t.rejects(asScript, { code: 'session_required' })
    const settings = settingsOf({ reveal: false })
    const closed = createTokens({ settings, clock, log, services: gateway })
    await t.rejects(call(closed, 'reveal', { principal: ada, params }), { code: 'switched_off' })
  },
)

t.test('a deleted or switched-off key is refused at its next use', async (t) => {
  const { area, ada, create, update, read } = await start()
  const { id, key } = await create({})
  const verdict = async () => {
    try {
      return (await identity.byKey(key, '::1')).token.name
    } catch (error) {
      return error instanceof Error && 'code' in error ? error.code : error
    }
  }
  t.equal(await verdict(), 'laptop')
  await update({ id, status: 2 })
  t.equal(await verdict(), 'token_disabled')
  await update({ id, status: 1 })
  t.equal(await verdict(), 'laptop')
  t.equal(await data(area, 'remove', { principal: ada, params: { id: String(id) } }), null)
  t.equal(await verdict(), 'invalid_api_key')
  await t.rejects(read(id), { code: 'gone_missing' })
  t.equal(
    (await database.knex('tokens').where({ id }).first()).status,
    2,
    'the reserve sees it too',
  )
})

t.test('a form with a fault names the field', async (t) => {
  const { create } = await start()
  const rows: [object, string][] = [
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(51) }, 'name'],
    [{ name: 'a\nb' }, 'name'],
    [{ expired_time: 0 }, 'expired_time'],
    [{ expired_time: -2 }, 'expired_time'],
    [{ expired_time: 1e15 }, 'expired_time'],
    [{ remain_quota: -1 }, 'remain_quota'],
    [{ remain_quota: 1.5 }, 'remain_quota'],
    [{ remain_quota: 1e16 }, 'remain_quota'],
    [{ allow_ips: '10.0.0.1\nhost.example' }, 'allow_ips'],
    [{ allow_ips: '10.0.0.0/33' }, 'allow_ips'],
    [{ allow_ips: '::/129' }, 'allow_ips'],
    [{ allow_ips: '10.0.0.0/8/8' }, 'allow_ips'],
    [{ model_limits: ['a', 1] }, 'model_limits'],
    [{ model_limits: { a: true } }, 'model_limits'],
    [{ model_limits: null }, 'model_limits'],
    [{ model_limits: `a,${'x'.repeat(257)}` }, 'model_limits'],
    [{ model_limits: 'a\u200bb' }, 'model_limits'],
  ]
  for (const [over, field] of rows) {
    await t.rejects(create(over), { code: 'invalid_field', param: field }, JSON.stringify(over))
  }
  await t.rejects(create({ group: 'nobody' }), { code: 'invalid_field', param: 'group' })
  t.match(await create({ model_limits: '𝒳'.repeat(256) }), { model_limits: '𝒳'.repeat(256) })
})

t.test('a user has as many keys as the option states', async (t) => {
  const { create } = await start({ tokensPerUser: 2 })
  await create({})
  await create({})
  await t.rejects(create({}), { code: 'conflict' })
})

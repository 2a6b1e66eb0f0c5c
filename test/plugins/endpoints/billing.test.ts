/** What clients learn about the money of a key, and what they learn when it cannot be looked up. */
import t, { type Test } from 'tap'
import type { OpenDatabase } from '../../../kernel/store/database.js'
import { management } from '../../kit/management.js'
import { scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, json } from '../../kit/upstream.js'

/** A database whose reads can be made to fail, as those of one that is not there do. */
function outage() {
  let down = false
  const refuse = () =>
    Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
  return {
    begin: () => {
      down = true
    },
    end: () => {
      down = false
    },
    wrap: (database: OpenDatabase): OpenDatabase => ({
      ...database,
      query: (statement) => (down ? refuse() : database.query(statement)),
      knex: new Proxy(database.knex, {
        get: (knex, name) => (down && name === 'transaction' ? refuse : Reflect.get(knex, name)),
      }),
    }),
  }
}
const sentence = 'billing information unavailable'
const database = outage()
const gateway = await scriptedGateway(t, { wrap: database.wrap, funds: 1_000_000 })
const { admin, url } = gateway
const { id: graceId } = await admin.must('POST', '/api/user/', {
  username: 'grace',
  password: 'long enough pw',
  display_name: 'Grace',
})
await admin.credit(graceId, 2_000_000)
const grace = management(url)
await grace.login('grace', 'long enough pw')

const limited = await grace.token({
  name: 'limited',
  unlimited_quota: false,
  remain_quota: 500_000,
  expired_time: 4_000_000_000,
  model_limits_enabled: true,
  model_limits: 'gpt-4o-mini',
})
const endless = await grace.token({ name: 'endless' })

// 100 + 4 x 100 each: 500 by one key and 1,000 by the other.
gateway.upstream.script(json(200, chat.whole('Hi.', 100, 100)))
for (const { key } of [limited, endless, endless]) {
  const answer = await gateway.chat(
    { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hello' }] },
    { authorization: `Bearer ${key}` },
  )
  await answer.text()
}
await gateway.gateway.idle()

async function get(path: string, key?: string) {
  const headers: Record<string, string> =
    key === undefined ? {} : { authorization: `Bearer ${key}` }
  const answer = await fetch(`${url}${path}`, { headers })
  // biome-ignore lint/suspicious/noExplicitAny: the bodies differ, which is what is tested.
  return { status: answer.status, body: (await answer.json()) as any }
}

const paths = ['/v1/dashboard/billing', '/dashboard/billing'] as const

/** What a key may spend and has spent, as both spellings of the paths say. */
async function shown(
  t: Pick<Test, 'match' | 'equal' | 'strictSame'>,
  key: string,
): Promise<readonly unknown[]> {
  const results = []
  for (const path of paths) {
    const { body: limit } = await get(`${path}/subscription`, key)
    const { body: use } = await get(`${path}/usage?start_date=2026-01-01&end_date=2026-02-01`, key)
    t.match(limit, {
      object: 'billing_subscription',
      has_payment_method: true,
      soft_limit_usd: limit.hard_limit_usd,
      system_hard_limit_usd: limit.hard_limit_usd,
    })
    t.equal(use.object, 'list')
    results.push([limit.hard_limit_usd, use.total_usage, limit.access_until])
  }
  t.strictSame(results[0], results[1], 'both paths say the same')
  return results[0] ?? []
}

t.test('a key with a quota of its own shows that, in dollars and hundredths', async (t) => {
  t.strictSame(await shown(t, limited.key), [1, 0.1, 4_000_000_000])
})

t.test('a key without one shows no end, and what its user has used', async (t) => {
  t.strictSame(await shown(t, endless.key), [100_000_000, 0.3, 0])
})

t.test("where keys are no matter, every key shows its user's figures", async (t) => {
  await admin.option('DisplayTokenStatEnabled', false)
  t.strictSame(await shown(t, limited.key), [4, 0.3, 0])
  t.strictSame(await shown(t, endless.key), [4, 0.3, 0])
  await admin.option('DisplayTokenStatEnabled', true)
})

t.test('amounts are in the unit the gateway shows', async (t) => {
  await admin.option('USDExchangeRate', 7.3)
  await admin.option('general_setting.custom_currency_exchange_rate', 0.5)
  const units = [
    ['TOKENS', 500_000, 50_000],
    ['CNY', 7.3, 0.73],
    ['CUSTOM', 0.5, 0.05],
    ['USD', 1, 0.1],
  ] as const
  for (const [unit, limit, use] of units) {
    await admin.option('general_setting.quota_display_type', unit)
    t.strictSame((await shown(t, limited.key)).slice(0, 2), [limit, use], unit)
  }
})

t.test('the use of a key, whatever the display', async (t) => {
  const { status, body } = await get('/api/usage/token/', limited.key)
  t.equal(status, 200)
  t.strictSame(body, {
    code: true,
    message: 'ok',
    data: {
      object: 'token_usage',
      name: 'limited',
      total_granted: 500_000,
      total_used: 500,
      total_available: 499_500,
      unlimited_quota: false,
      model_limits: { 'gpt-4o-mini': true },
      model_limits_enabled: true,
      expires_at: 4_000_000_000,
    },
  })
  t.match((await get('/api/usage/token', endless.key)).body.data, {
    total_granted: 1_000,
    total_used: 1_000,
    total_available: 0,
    unlimited_quota: true,
    model_limits: {},
    expires_at: 0,
  })
})

t.test('the log of a key is its own alone, without channels (X12)', async (t) => {
  for (const answer of [
    await get('/api/log/token', limited.key),
    await get(`/api/log/token?key=${limited.key}`),
  ]) {
    t.equal(answer.status, 200)
    t.match(answer.body, { success: true, message: '' })
    t.equal(answer.body.data.length, 1)
    t.match(answer.body.data[0], {
      type: 2,
      username: 'grace',
      token_id: limited.id,
      quota: 500,
      channel: 0,
      channel_name: '',
    })
  }
  t.equal((await get('/api/log/token', endless.key)).body.data.length, 2)
  t.same((await get('/api/log/token', gateway.key)).body.data, [])
})

t.test("over HTTP too nobody sees another's rows or sums (X12)", async (t) => {
  await admin.token({ name: 'other' })
  const own = await grace.must('GET', '/api/log/self?type=2&username=root')
  t.equal(own.total, 3)
  for (const query of ['', '?username=grace', `?user_id=${graceId}`]) {
    t.equal((await admin.must('GET', `/api/log/self/stat${query}`)).quota, 0, query)
    t.same(await admin.must('GET', `/api/data/self${query}`), [], query)
  }
  t.same(await admin.must('GET', '/api/log/self/search?keyword=limited'), [])
  t.equal((await grace.must('GET', '/api/log/self/search?keyword=limited')).length, 1)
  t.equal((await grace.must('GET', '/api/log/self/stat')).quota, 1_500)
  t.match(await grace.must('GET', '/api/data/self'), [
    { username: 'grace', count: 3, quota: 1_500 },
  ])
  t.match(await admin.must('GET', '/api/data/'), [{ model_name: 'gpt-4o-mini', quota: 1_500 }])
  t.match(await admin.must('GET', '/api/data/users'), [{ user_id: graceId, count: 3 }])
  t.match(await admin.must('GET', '/api/log/stat'), { quota: 1_500 })
  t.equal((await admin.must('GET', '/api/log/search?keyword=grace')).length, 4)
  const forAdmins = ['log/', 'log/search?keyword=x', 'log/stat', 'data/', 'data/users']
  for (const path of forAdmins) {
    t.equal((await grace.call('GET', `/api/${path}`)).status, 403, path)
  }
  t.equal((await grace.call('DELETE', '/api/log/?target_timestamp=1')).status, 403)
  t.equal(await admin.must('DELETE', '/api/log/?target_timestamp=1'), 0)
})

const all = [
  ...paths.flatMap((path) => [`${path}/subscription`, `${path}/usage`]),
  '/api/usage/token/',
  '/api/log/token',
]

t.test(
  'who shows no key, or a wrong one, is informed of it in the words of the path',
  async (t) => {
    for (const path of all) {
      const isApi = path.startsWith('/api')
      for (const [key, code] of [
        [undefined, 'missing_credential'],
        ['sk-nonsense', 'invalid_api_key'],
      ] as const) {
        const { status, body } = await get(path, key)
        t.equal(status, 401, path)
        t.match(body, isApi ? { success: false, code, data: null } : { error: { code } }, path)
      }
    }
  },
)

t.test(
  '[BILL-11] a database that is down is reported in one sentence that reveals nothing',
  async (t) => {
    const cold = await grace.token({ name: 'cold' })
    t.teardown(database.end)
    database.begin()
    for (const path of all) {
      for (const [who, key] of [
        ['a key in memory', limited.key],
        ['a key not in memory', cold.key],
      ] as const) {
        const { status, body } = await get(path, key)
        t.equal(status, 503, `${path}: ${who}`)
        const expected = path.startsWith('/api')
          ? { success: false, message: sentence, code: 'billing_unavailable', data: null }
          : {
              error: {
                message: sentence,
                type: 'api_error',
                param: '',
                code: 'billing_unavailable',
              },
            }
        t.match(body, expected, `${path}: ${who}`)
        t.notMatch(JSON.stringify(body), /ECONNREFUSED|select|tokens|knex/i)
      }
    }
  },
)

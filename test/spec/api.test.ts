/** The requirements of the management API that belong to the whole gateway (API-3, API-4, API-7), and where metrics are reported. */
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { startGateway } from '../kit/gateway.js'
import { management } from '../kit/management.js'

const clock = new FakeClock(Date.now())
const metrics = { host: '127.0.0.1', port: 0 }
const { url, admin: root, gateway } = await startGateway(t, { clock, environment: { metrics } })
const { knex } = gateway.service('database')

const password = 'correct horse battery'
await root.must('POST', '/api/user/', { username: 'boss', password, role: 10 })
const boss = management(url)
await boss.login('boss', password)

/** An instance that was last seen so many milliseconds ago. */
function seen(node_name: string, agoMs: number) {
  const at = new Date(clock.now() - agoMs)
  return knex('system_instances').insert({ node_name, started_at: at, last_seen_at: at, info: {} })
}

const names = async () =>
  (await root.must('GET', '/api/system-info/instances'))
    .map((one: { node_name: string; status: string }) => `${one.node_name} ${one.status}`)
    .join(', ')

t.test('[API-3] only what was silent for longer than the threshold is deleted', async (t) => {
  await seen('at-the-threshold', 90_000)
  await seen('just-beyond', 90_001)
  await seen('long-gone', 9_000_000)
  await seen('ahead', -5000)
  t.equal(
    await names(),
    'ahead online, at-the-threshold online, just-beyond stale, long-gone stale, test online',
  )
  const [own] = await root.must('GET', '/api/system-info/instances')
  t.match(own, { stale_after_seconds: 90, started_at: Number, last_seen_at: Number, info: {} })
  const result = await root.call('DELETE', '/api/system-info/stale-instances')
  t.match(result, { status: 200, body: { success: true, data: { deleted_count: 2 } } })
  t.equal(await names(), 'ahead online, at-the-threshold online, test online')
  t.match(await root.must('DELETE', '/api/system-info/stale-instances'), { deleted_count: 0 })
})

t.test('[API-3] one instance is deleted by name, unless it is online', async (t) => {
  await seen('a stale one', 90_001)
  const path = (name: string) => `/api/system-info/instances/${encodeURIComponent(name)}`
  t.match(await root.call('DELETE', path('test')), { status: 409 })
  t.match(await root.must('DELETE', path('a stale one')), { deleted_count: 1 })
  t.match(await root.call('DELETE', path('a stale one')), { status: 404 })
})

t.test('[API-3] instances are for root alone', async (t) => {
  const routes = [
    ['GET', '/api/system-info/instances'],
    ['DELETE', '/api/system-info/stale-instances'],
    ['DELETE', '/api/system-info/instances/test'],
  ] as const
  for (const [method, path] of routes) {
    t.match(await boss.call(method, path), { status: 403 }, path)
    t.match(await management(url).call(method, path), { status: 401 }, path)
  }
})

interface Described {
  readonly key: string
  readonly type: string
  readonly value: string
}

t.test(
  '[API-4] of every option whose value is JSON null is refused, and nothing changes',
  async (t) => {
    const before: readonly Described[] = await root.must('GET', '/api/option/describe')
    const json = before.filter(({ type }) => type === 'json' || type === 'list')
    t.ok(json.length > 10)
    for (const { key } of json) {
      for (const value of [null, 'null', ' null ']) {
        const { status, body } = await root.call('PUT', '/api/option/', { key, value })
        t.match({ status, ...body }, { status: 400, code: 'invalid_field', field: key }, key)
      }
    }
    t.same(await root.must('GET', '/api/option/describe'), before)
  },
)

t.test('[API-4] a key nobody registered is refused, whatever it is like', async (t) => {
  const keys = ['Nonsense', 'dataexportinterval', 'DataExportInterval ', '__proto__', 'constructor']
  for (const key of keys) {
    const { status, body } = await root.call('PUT', '/api/option/', { key, value: '5' })
    t.match({ status, code: body.code }, { status: 400, code: 'invalid_field' }, key)
  }
  const several = [
    { key: 'SystemName', value: 'Another' },
    { key: 'Nonsense', value: '1' },
  ]
  t.match(await root.call('PUT', '/api/option/', { options: several }), { status: 400 })
  t.not((await root.must('GET', '/api/status')).system_name, 'Another')
})

t.test('[API-4] DataExportInterval takes 1 to 1440 minutes', async (t) => {
  const put = (value: unknown) =>
    root.call('PUT', '/api/option/', { key: 'DataExportInterval', value })
  for (const value of [1, '1440']) t.match(await put(value), { status: 200 })
  for (const value of [0, 1441, 1.5, '', null, true]) t.match(await put(value), { status: 400 })
})

t.test('options show at once in the public status, and no secret shows anywhere', async (t) => {
  await root.option('TurnstileSecretKey', 'canary-turnstile-secret')
  await root.option('SystemName', 'Acme')
  t.equal((await root.must('GET', '/api/status')).system_name, 'Acme')
  const describe: readonly Described[] = await root.must('GET', '/api/option/describe')
  const secret = describe.find(({ key }) => key === 'TurnstileSecretKey')
  t.match(secret, { type: 'secret', value: '', is_set: true })
  for (const path of ['/api/option/', '/api/option/describe', '/api/status', '/api/audit/']) {
    const { body } = await root.call('GET', path)
    t.notMatch(JSON.stringify(body), 'canary-turnstile-secret', path)
  }
  t.match(await boss.call('GET', '/api/option/describe'), { status: 403 })
})

t.test('[API-7] the content of a log row is one line of at most 4096 characters', async (t) => {
  const ledger = gateway.service('ledger')
  const post = (key: string, note: string) =>
    ledger.post({ key, kind: 'admin', userId: 1, amount: 1n, requestId: key, note })
  await post('api-7-lines', 'first\nsecond\tthird\r\nfourth\u2028fifth')
  await post('api-7-exact', '🧾'.repeat(4096))
  await post('api-7-long', '🧾'.repeat(4097))
  const contentOf = async (id: string) =>
    (await root.must('GET', `/api/log/?request_id=${id}`)).items[0].content as string
  t.equal(await contentOf('api-7-lines'), 'first second third  fourth fifth')
  t.equal(await contentOf('api-7-exact'), '🧾'.repeat(4096))
  const cut = await contentOf('api-7-long')
  t.equal([...cut].length, 4096, 'characters are counted, not halves of them')
  t.match(cut, /^🧾+… \[truncated\]$/u)
})

t.test('[API-7] why a channel was suspended is one line of at most 4096 characters', async (t) => {
  const id = await root.channel({ name: 'c', type: 1, key: 'k', models: 'm', base_url: url })
  await gateway.service('channels').suspend({ channelId: id }, `broken\n${'x'.repeat(5000)}`)
  const { status_reason } = await knex('channels').where({ id }).first()
  t.equal(status_reason.length, 4096)
  t.match(status_reason, /^broken x+… \[truncated\]$/)
})

t.test('metrics are reported on a port of their own, and never on the public one', async (t) => {
  for (const path of ['/metrics', '/metrics/', '/api/metrics', '//metrics', '/METRICS']) {
    const answer = await fetch(`${url}${path}`)
    t.equal(answer.status, 404, path)
    t.notMatch(await answer.text(), 'waybill_')
  }
  const address = gateway.service('metrics').address()
  t.not(new URL(address ?? '').port, new URL(url).port)
  await fetch(`${url}/v1/models`)
  await gateway.idle()
  const message = await (await fetch(`${address}/metrics`)).text()
  t.match(message, /^waybill_requests_total\{kind="relay",status="4xx"\} [1-9]/m)
  t.match(message, /^waybill_requests_total\{kind="management",status="2xx"\} [1-9]/m)
  t.match(message, /^waybill_database_up 1$/m)
  t.notMatch(message, /root|boss|sk-/)
})

t.test('admins may test the gateway: the database, and what was answered so far', async (t) => {
  const { status, body } = await boss.call('GET', '/api/status/test')
  t.match({ status, body }, { status: 200, body: { data: { database: 'ok' } } })
  t.match(body, { http_stats: { '2xx': Number, '4xx': Number } })
})

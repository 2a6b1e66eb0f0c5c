/** What of failed requests stands in the usage log (management/README.md section 8): one row of each that was somebody's, and no money. */
import t from 'tap'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { brokenEvents, chat, endlessEvents, json, type Script } from '../kit/upstream.js'
import { accessToken, sessionKey } from '../providers/code-assistant-session.js'

const gateway = await scriptedGateway(t, { channel: { setting: { on_client_gone: 'abort' } } })
const { admin, upstream } = gateway
await admin.option('RetryTimes', 1)
await admin.option('ModelRatio', { [model]: 1, unserved: 1, tried: 1, searching: 1 })
// Failures are scripted here; no channel is to be left alone for them.
await admin.option('breaker_setting.enabled', false)
const shared = {
  ...{ type: 1, key: 'sk-up-secret', base_url: upstream.url },
  ...{ models: 'tried', group: 'default', auto_ban: 0 },
}
const first = await admin.channel({ ...shared, name: 'first', priority: 9 })
const second = await admin.channel({ ...shared, name: 'second', priority: 1 })
await admin.channel({
  ...{ ...shared, name: 'searching', models: 'searching', type: 57 },
  key: sessionKey({ access_token: accessToken(4_000_000_000_000) }),
})

interface Row {
  readonly request_id: string
  readonly type: number
  readonly other: string
  readonly [field: string]: unknown
}

/** Rows the requests of `run` left, newest first. */
async function rowsOf(run: () => Promise<unknown>, path = '/api/log/'): Promise<readonly Row[]> {
  const known = new Set((await all(path)).map(({ request_id }) => request_id))
  await run()
  return (await all(path)).filter(({ request_id }) => !known.has(request_id))
}

async function all(path: string): Promise<readonly Row[]> {
  await gateway.gateway.idle()
  await gateway.gateway.service('usage-log').flush()
  return (await admin.must('GET', `${path}?page_size=100`)).items
}

const facts = (row: Row | undefined) => JSON.parse(row?.other ?? '{}')

const read = (answer: Response) => answer.text()

t.test('a refusal of somebody known is a row with what the client received', async (t) => {
  const limited = await admin.token({ model_limits_enabled: true, model_limits: 'other' })
  const poor = await admin.token({ unlimited_quota: false, remain_quota: 1 })
  const table: [string, string, string, number, string, object][] = [
    ['a model the key may not use', limited.key, model, 403, 'model_not_allowed', {}],
    ['a model nobody serves', gateway.key, 'unserved', 503, 'model_not_found', {}],
    [
      'no quota',
      poor.key,
      model,
      403,
      'pre_consume_token_quota_failed',
      { channel: gateway.channelId, channel_name: 'scripted' },
    ],
  ]
  for (const [name, key, requested, status, code, more] of table) {
    let message = ''
    const rows = await rowsOf(async () => {
      const answer = await gateway.chat(ask({ model: requested }), {
        authorization: `Bearer ${key}`,
      })
      t.equal(answer.status, status, name)
      message = ((await answer.json()) as { error: { message: string } }).error.message
    })
    t.equal(rows.length, 1, name)
    const words = { type: 5, quota: 0, content: message, model_name: requested, group: 'default' }
    t.match(rows[0], { ...words, ...more, token_name: 'test', is_stream: false }, name)
    const result = { status_code: status, error_code: code, request_path: '/v1/chat/completions' }
    t.match(facts(rows[0]), result, name)
  }
})

t.test(
  'an upstream that fails on every channel is one row, with all that were tried',
  async (t) => {
    upstream.script(json(500, { error: { message: 'out of order, key sk-up-secret' } }))
    const rows = await rowsOf(async () => {
      const answer = await gateway.chat(ask({ model: 'tried', stream: true }))
      t.equal(answer.status, 502)
      await read(answer)
    })
    t.match(rows, [{ type: 5, channel: second, channel_name: 'second', is_stream: true }])
    t.match(facts(rows[0]), {
      status_code: 502,
      error_code: 'upstream_error',
      error_type: 'upstream_error',
      channel_id: second,
      channel_type: 1,
      admin_info: { attempts: [{ status: 500 }, { status: 500 }] },
    })
    t.same(facts(rows[0]).admin_info.use_channel, [first, second])
    t.notMatch(JSON.stringify(rows), 'sk-up-secret')
  },
)

t.test('a stream that breaks after it began is its charge alone', async (t) => {
  upstream.script(brokenEvents(chat.role(), chat.delta('Hello there, my friend')))
  const rows = await rowsOf(() => gateway.chat(ask({ stream: true })).then(read))
  t.equal(rows.length, 1)
  t.match(rows, [{ type: 2 }])
  t.match(facts(rows[0]), { failure: 'upstream_broke_off' })
})

t.test('an answer that broke off and is not charged is an error', async (t) => {
  const broken: Script = (_, response) => {
    response.writeHead(200, {
      'content-type': 'text/plain',
      'content-length': '100',
      'x-request-id': 'up-9',
    })
    response.write('found: ', () => response.destroy())
  }
  upstream.script(broken)
  const rows = await rowsOf(async () => {
    const answer = await fetch(`${gateway.url}/v1/alpha/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'searching', q: 'x' }),
    })
    await t.rejects(answer.text())
  })
  t.equal(rows.length, 1)
  t.match(rows, [{ type: 5, model_name: 'searching' }])
  t.match(facts(rows[0]), {
    error_code: 'upstream_broke_off',
    request_path: '/v1/alpha/search',
    admin_info: { upstream_request_id: 'up-9', attempts: [{ code: 'upstream_broke_off' }] },
  })
  t.equal(facts(rows[0]).admin_info.use_channel.length, 1)
})

t.test('the Playground has its errors too, and their owner sees no channel', async (t) => {
  const rows = await rowsOf(async () => {
    upstream.script(json(500, { error: { message: 'out of order' } }))
    await admin.call('POST', '/pg/chat/completions', ask({ model: 'tried' }))
  }, '/api/log/self')
  t.equal(rows.length, 1)
  t.match(rows, [{ type: 5, token_id: 0, token_name: '', channel: 0, channel_name: '' }])
  t.notMatch(Object.keys(facts(rows[0])).join(), /channel|attempts|admin/)
})

t.test('nobody known, a client that left and a success are no errors', async (t) => {
  const strangers = await rowsOf(async () => {
    for (const key of ['', `${gateway.key}x`]) {
      const answer = await gateway.chat(ask(), { authorization: `Bearer ${key}` })
      t.equal(answer.status, 401)
      await read(answer)
    }
  })
  t.same(strangers, [])

  upstream.requests.length = 0
  upstream.script(endlessEvents(chat.role()))
  const left = await rowsOf(async () => {
    const abort = new AbortController()
    const pending = fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(ask({ stream: true })),
      signal: abort.signal,
    })
    const { aborted } = await upstream.request(0)
    abort.abort()
    await t.rejects(pending)
    await aborted
  })
  t.same(left, [])

  upstream.script(json(200, chat.whole('Hi.', 10, 2)))
  const served = await rowsOf(() => gateway.chat(ask()).then(read))
  t.same(
    served.map(({ type }) => type),
    [2],
  )
})

t.test('sums and the balance do not know of errors, and a switch ends them', async (t) => {
  upstream.script(json(500, { error: { message: 'out of order' } }))
  const fail = () => gateway.chat(ask({ model: 'tried' })).then(read)
  const before = await admin.must('GET', '/api/log/stat')
  const balance = await gateway.balance()
  t.equal((await rowsOf(fail)).length, 1)
  t.match(await admin.must('GET', '/api/log/stat'), { quota: before.quota })
  t.equal(await gateway.balance(), balance)
  await admin.option('ErrorLogEnabled', false)
  t.same(await rowsOf(fail), [])
})

/** Traces of requests and what is recorded of them: who may see what, and what never stands anywhere (decision 0097). */
import t from 'tap'
import { type Management, management } from '../kit/management.js'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json } from '../kit/upstream.js'

const gateway = await scriptedGateway(t)
const { admin, upstream, gateway: program, url } = gateway
const recordings = program.service('recordings')
const { knex } = program.service('database')
await admin.option('RetryTimes', 2)
await admin.option('breaker_setting.enabled', false)
const upstreamKey = 'sk-upstream-0123456789-abcdefgh'
await admin.channel({
  ...{ name: 'failing', type: 1, key: upstreamKey, base_url: upstream.url, models: model },
  ...{ group: 'default', priority: 100, auto_ban: 0 },
})
const password = 'correct horse battery'

async function person(
  username: string,
  role: 1 | 10,
): Promise<Management & { readonly id: number }> {
  const { id } = await admin.must('POST', '/api/user/', { username, password, role })
  const client = management(url)
  await client.login(username, password)
  await admin.credit(id, 1_000_000)
  return { ...client, id }
}

const ada = await person('ada', 1)
const bob = await person('bob', 1)
const boss = await person('boss', 10)
const { id: adasKey, key } = await ada.token()

async function requested(
  body: unknown = ask(),
  headers: Readonly<Record<string, string>> = {},
  query = '',
): Promise<string> {
  const answer = await fetch(`${url}/v1/chat/completions${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  await answer.text()
  await program.idle()
  await program.service('usage-log').flush()
  await recordings.flush()
  return answer.headers.get('x-request-id') ?? ''
}

const failsOnce = () =>
  upstream.script(
    json(500, { error: { message: `the key ${upstreamKey} is tired` } }),
    json(200, chat.whole('Hello', 3, 2)),
  )

t.test(
  '[API-7] a trace has the stages in order, and every attempt with what was said',
  async (t) => {
    failsOnce()
    const id = await requested()
    const trace = await admin.must('GET', `/api/log/trace/${id}`)
    t.equal(trace.request_id, id)
    t.equal(trace.attempts.length, 2)
    const [failed, answered] = trace.attempts
    t.match(failed, {
      channel_name: 'failing',
      status: 500,
      code: 'upstream_error',
      key_tail: 'efgh',
    })
    t.match(failed.said, /the key .*\*\*\*.* is tired/)
    t.notOk(JSON.stringify(trace).includes(upstreamKey))
    t.match(answered, { status: 200, code: '', channel_name: 'scripted' })
    const names = trace.stages.map(({ stage }: { stage: string }) => stage)
    const once = ['reserve', 'connect', 'wait', 'content']
    t.same(names, ['body', 'auth', 'plan', ...once, ...once, 'delivery'])
    let last = 0
    for (const { from, to } of trace.stages) {
      t.ok(from >= last && to >= from, 'stages follow one another')
      last = from
    }
    t.equal(trace.recorded, '')
  },
)

t.test('[X12] an owner sees the times of their own request and nothing of channels', async (t) => {
  failsOnce()
  const id = await requested()
  const own = await ada.must('GET', `/api/log/self/trace/${id}`)
  t.same(
    own.stages.map(({ stage }: { stage: string }) => stage),
    ['body', 'auth', 'plan', 'upstream', 'delivery'],
  )
  t.notOk('attempts' in own)
  t.notMatch(JSON.stringify(own), /failing|scripted|tired|key_tail/)
  const [foreign, unknown] = [
    await bob.call('GET', `/api/log/self/trace/${id}`),
    await bob.call('GET', '/api/log/self/trace/req_none'),
  ]
  t.equal(foreign.status, 404)
  t.same(foreign.body, unknown.body, 'of another and of nobody alike')
  t.equal((await ada.call('GET', `/api/log/trace/${id}`)).status, 403)
})

t.test(
  '[API-7] nothing is recorded until somebody switches it on, and it ends at once',
  async (t) => {
    upstream.script(json(200, chat.whole('Hello', 3, 2)))
    const path = `/api/recordings/keys/${adasKey}`
    t.equal((await ada.call('PUT', path, { level: 'bodies' })).status, 403, 'an option allows it')
    t.equal((await bob.call('PUT', path, { level: '' })).status, 404, 'a key of another')
    t.equal(await recordings.find(await requested()), undefined)
    await admin.option('RecordingOwnersMaySwitch', true)
    await ada.must('PUT', path, { level: 'bodies', minutes: 5 })
    t.match(await ada.must('GET', `/api/token/${adasKey}`), { record_level: 'bodies' })
    const id = await requested()
    t.match(await ada.must('GET', `/api/log/self/trace/${id}`), { recorded: 'bodies' })
    await ada.must('PUT', path, { level: '' })
    t.equal(await recordings.find(await requested()), undefined)
    await admin.option('RecordingOwnersMaySwitch', false)
  },
)

async function everybody(level: 'headers' | 'bodies'): Promise<void> {
  await boss.must('PUT', '/api/recordings/everybody', { level, minutes: 5 })
}

t.test('[X3] no secret of client or upstream stands in what is kept, or shown', async (t) => {
  await everybody('bodies')
  upstream.script((request, response) => {
    response.setHeader('x-echo', String(request.headers.authorization))
    response.setHeader('set-cookie', 'upstream=0123456789abcdef')
    json(200, chat.whole(`your key is ${upstreamKey}, mine ${key}`, 3, 2))(request, response)
  })
  const secret = 'cookie-secret-0123456789'
  const body = ask({ messages: [{ role: 'user', content: `my key is ${key} and ${secret}` }] })
  const headers = { cookie: `session=${secret}`, 'x-api-secret': 'another-secret-012345' }
  const id = await requested(body, headers, '?key=query-secret-0123456789&page=2')
  const [row] = await knex('recordings').where({ request_id: id })
  t.match(row.client_sealed, /^v1\./)
  const shown = JSON.stringify(await admin.must('GET', `/api/log/trace/${id}/recording`))
  const secrets = [key, upstreamKey, secret, 'another-secret-012345', 'query-secret-0123456789']
  for (const one of secrets) {
    const bare = one.replace(/^sk-/, '')
    t.notOk(shown.includes(bare), `shown: ${one}`)
    t.notOk(JSON.stringify(row).includes(bare), `stored: ${one}`)
  }
  t.match(shown, /page=2/)
  t.match(shown, /"cookie","\*\*\*"/)
  t.match(shown, /my key is/)
})

t.test(
  '[X12] owners read their own side; what others sent is read with a row of the audit log',
  async (t) => {
    upstream.script(json(200, chat.whole('Hello', 3, 2)))
    const id = await requested()
    const own = await ada.must('GET', `/api/log/self/trace/${id}/recording`)
    t.match(own.request, { method: 'POST', address: '/v1/chat/completions' })
    t.match(own.reply, { status: 200, gone: false })
    t.match(own.reply.body.text, /Hello/)
    t.notMatch(JSON.stringify(own), /calls|scripted|failing/)
    t.equal((await bob.call('GET', `/api/log/self/trace/${id}/recording`)).status, 404)
    const rows = () => knex('audit_log').where({ action: 'logs.recording' }).orderBy('id')
    t.equal((await rows()).length, 1, 'root read one before')
    const full = await boss.must('GET', `/api/log/trace/${id}/recording`)
    t.match(full.calls[0], { attempt: 1, channel_name: 'failing', reply: { status: 200 } })
    t.match((await rows()).at(-1), { object: `request ${id}`, actor_name: 'boss' })
    t.equal((await ada.call('GET', `/api/log/trace/${id}/recording`)).status, 403)
    const { key: roots } = gateway
    const ofRoot = await gateway.chat(ask(), { authorization: `Bearer ${roots}` })
    await ofRoot.text()
    await program.idle()
    await recordings.flush()
    const rootId = ofRoot.headers.get('x-request-id')
    t.equal((await boss.call('GET', `/api/log/trace/${rootId}/recording`)).status, 403)
    t.match(await knex('audit_log').where({ action: 'recordings.switchOn' }).first(), {
      detail: 'bodies for 5 minutes',
    })
  },
)

t.test(
  '[API-7] bodies are bounded, media give way to their size, and what is no text is shown as text',
  async (t) => {
    upstream.takes('bodies are odd on purpose')
    const media = Buffer.from(
      Array.from({ length: 90_000 }, (_, at) => (at * 7919) % 256),
    ).toString('base64')
    const odd = '<script>alert(1)</script> \u001b[31m \u0000 \ud800'
    upstream.script(json(200, chat.whole(`${odd} ${'x y '.repeat(100_000)}`, 3, 2)))
    const content = [
      { type: 'image_url', image_url: { url: `data:image/png;base64,${media}` } },
      { type: 'text', text: `after the picture ${'word '.repeat(90_000)}` },
    ]
    const id = await requested(ask({ messages: [{ role: 'user', content }] }))
    const { request, reply } = await ada.must('GET', `/api/log/self/trace/${id}/recording`)
    t.match(request.body.text, /\[base64, 120000 characters\]/)
    t.match(request.body.text, /after the picture/)
    t.ok(request.body.cut && request.body.text.length <= 256 * 1024)
    t.ok(request.body.bytes > 560_000)
    t.match(reply.body.text, /<script>alert\(1\)/)
    t.ok(reply.body.cut)
  },
)

t.test('[API-7] a stream is recorded as the bytes that went out', async (t) => {
  const pieces = [chat.role(), chat.delta('Hel'), chat.delta('lo'), chat.stop(), chat.usage(3, 2)]
  upstream.script(events(...pieces, chat.done))
  const id = await requested(ask({ stream: true }))
  const { reply } = await ada.must('GET', `/api/log/self/trace/${id}/recording`)
  t.match(reply.body.text, /data: .*Hel[\s\S]*\[DONE\]/)
})

t.test(
  '[API-7] headers alone leave the bodies out, and by hand what is kept is deleted',
  async (t) => {
    await everybody('headers')
    upstream.script(json(200, chat.whole('Hello', 3, 2)))
    const id = await requested()
    const found = await admin.must('GET', `/api/log/trace/${id}/recording`)
    t.equal(found.request.body.text, '')
    t.equal(found.calls[0].reply.body.text, '')
    t.ok(found.request.headers.length > 0)
    t.equal((await bob.call('DELETE', `/api/log/self/trace/${id}/recording`)).status, 404)
    await ada.must('DELETE', `/api/log/self/trace/${id}/recording`)
    t.equal((await admin.call('GET', `/api/log/trace/${id}/recording`)).status, 404)
  },
)

t.test('[X3] what is switched off meanwhile is not written, and old ones go', async (t) => {
  await everybody('bodies')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  upstream.script(async (request, response) => {
    await held
    json(200, chat.whole('Hello', 3, 2))(request, response)
  })
  const before = upstream.requests.length
  const pending = requested()
  await upstream.request(before)
  await boss.must('DELETE', '/api/recordings/everybody')
  release()
  t.equal(await recordings.find(await pending), undefined)
  t.match(await ada.must('GET', '/api/recordings'), { everybody: '', until: 0 })
  await knex('recordings').update({ created_at: knex.raw(`now() - interval '8 days'`) })
  await recordings.trim()
  t.match(await admin.must('GET', '/api/recordings/stored'), { recordings: 0 })
})

t.test('[API-7] the log is filtered by the error code its clients were sent', async (t) => {
  upstream.script(json(500, { error: { message: 'tired' } }))
  const id = await requested()
  const { items } = await admin.must('GET', '/api/log/?error_code=upstream_error')
  t.ok(items.some(({ request_id }: { request_id: string }) => request_id === id))
  t.equal((await admin.must('GET', '/api/log/?error_code=upstream_err')).items.length, 0)
  t.equal((await ada.must('GET', '/api/log/self?error_code=upstream_error')).total > 0, true)
  t.same(await admin.must('GET', '/api/log/stat?error_code=upstream_error'), {
    quota: 0,
    rpm: 0,
    tpm: 0,
  })
})

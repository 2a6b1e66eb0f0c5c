import { connect } from 'node:net'
import t from 'tap'
import type { Clock } from '../../kernel/contract/kit.js'
import { httpLimits } from '../../kernel/http/limits.js'
import { peerOptions } from '../../kernel/http/socket-peer.js'
import { systemClock } from '../../kernel/schedule/system-clock.js'
import { firstFrameMs } from '../../plugins/stages/upstream/socket.js'
import {
  otherModel,
  realtimeModel,
  type SocketGateway,
  socketGateway,
} from '../kit/socket-gateway.js'
import { answer, greet, turnAway } from '../kit/socket-upstream.js'

/** The machine's clock, on which the limits of a socket run out in a few milliseconds. */
const hurried: Clock = {
  ...systemClock,
  after: (ms, run) => systemClock.after(socketLimits.includes(ms) ? 40 : ms, run),
}
const socketLimits: readonly number[] = [httpLimits.pingMs, httpLimits.closeMs, firstFrameMs]

const gateway = await socketGateway(t)
const quick = await socketGateway(t, { clock: hurried })
const { upstream, admin } = gateway
const create = { type: 'response.create' }

/** Opens a socket and answers it with the upstream's end of it. */
async function session(
  at: SocketGateway = gateway,
  options: Parameters<SocketGateway['open']>[0] = {},
) {
  const index = at.upstream.sessions.length
  const client = await at.open(options)
  return { client, up: await at.upstream.session(index) }
}

async function cost(run: () => Promise<unknown>): Promise<bigint> {
  const before = await gateway.balance()
  await run()
  return before - (await gateway.balance())
}

t.test('[RT-1] both directions of a session are relayed as they are', async (t) => {
  const { client, up } = await session()
  t.match(await client.next('session.created'), { session: { id: 'sess_1' } })
  t.match(client.headers['x-request-id'], /^req_/)
  t.equal(up.headers.authorization, 'Bearer upstream-key')
  t.equal(up.url, `/v1/realtime?model=${realtimeModel}`)
  t.notOk('sec-websocket-extensions' in up.headers, 'nothing is compressed')
  client.send({ type: 'input_audio_buffer.append', audio: 'AAAA' })
  t.strictSame(await up.next('input_audio_buffer.append'), {
    type: 'input_audio_buffer.append',
    audio: 'AAAA',
  })
  up.send({ type: 'input_audio_buffer.committed', item_id: 'item_9' })
  t.match(await client.next('input_audio_buffer.committed'), { item_id: 'item_9' })
  client.socket.close(1000)
  t.equal(await up.closed, 1000)
})

t.test('[RT-1] the client is let in only once the upstream has opened', async (t) => {
  let letIn: () => void = () => {}
  let sendRequest: () => void = () => {}
  const reached = new Promise<void>((resolve) => {
    sendRequest = resolve
  })
  upstream.welcome((_, __, open) => {
    letIn = open
    sendRequest()
  }, greet)
  let opened = false
  const index = upstream.sessions.length
  const opening = gateway.open().then((client) => {
    opened = true
    return client
  })
  await reached
  t.equal(opened, false)
  letIn()
  const client = await opening
  client.socket.close()
  await (await upstream.session(index)).closed
})

t.test('[RT-1] an upstream that refuses is a plain HTTP answer in its frame', async (t) => {
  upstream.welcome(turnAway(400, { error: { message: 'no such voice', type: 'bad' } }), greet)
  const { status, headers, body } = await gateway.refused()
  t.equal(status, 400)
  t.match(headers['x-request-id'], /^req_/)
  t.match(body, {
    error: { message: /no such voice/, type: 'bad', param: '', code: 'upstream_rejected' },
  })
})

t.test('[RT-1] before the socket is open another channel may take the session', async (t) => {
  const second = await gateway.serve({ name: 'second', key: 'second-key' })
  upstream.welcome(turnAway(503, {}), greet)
  const { client, up } = await session()
  t.equal(upstream.requests.length >= 2, true)
  client.socket.close()
  await up.closed
  await admin.must('DELETE', `/api/channel/${second}`)
})

t.test('[RT-1] an upstream that lets in to say no is no session either', async (t) => {
  const { greeting } = upstream
  t.teardown(() => {
    upstream.greeting = greeting
  })
  upstream.greeting = [
    {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        code: 'invalid_api_key',
        message: 'Bad key sk-abcdefgh',
      },
    },
  ]
  const { status, body } = await gateway.refused()
  t.equal(status, 502)
  t.notMatch(JSON.stringify(body), 'sk-abcdefgh')
})

t.test('[RT-1] an upstream that waits for the client to speak first is let through', async (t) => {
  const { greeting } = quick.upstream
  quick.upstream.greeting = []
  const { client, up } = await session(quick)
  quick.upstream.greeting = greeting
  client.send({ type: 'session.update', session: { type: 'realtime' } })
  await up.next('session.update')
  up.send({ type: 'session.updated', session: {} })
  t.match(await client.next('session.updated'), { session: {} })
  client.socket.close()
  await up.closed
})

t.test('[RT-1] the built-in OpenAI provider opens the socket of its own service', async (t) => {
  const base_url = `${upstream.url}/v1`
  const id = await gateway.serve({ type: 1, key: 'openai-key', models: otherModel, base_url })
  const { client, up } = await session(gateway, { model: otherModel })
  t.equal(up.url, `/v1/realtime?model=${otherModel}`)
  t.equal(up.headers.authorization, 'Bearer openai-key')
  client.socket.close()
  await up.closed
  await admin.must('DELETE', `/api/channel/${id}`)
})

t.test('[AUTH-1] a wrong key, no key and an unknown model are refused in plain HTTP', async (t) => {
  const requestCount = upstream.requests.length
  const wrong = await gateway.refused({ headers: { authorization: 'Bearer sk-wrong' } })
  t.equal(wrong.status, 401)
  t.match(wrong.body, { error: { code: 'invalid_api_key', param: '' } })
  t.equal((await gateway.refused({ headers: {} })).status, 401)
  t.equal((await gateway.refused({ model: 'no-such-model' })).status, 503)
  t.equal(upstream.requests.length, requestCount, 'the upstream heard of none of them')
})

t.test(
  '[RT-1] without a model the request is refused and states which field is at fault',
  async (t) => {
    const { status, body } = await gateway.refused({ model: '' })
    t.equal(status, 400)
    t.match(body, { error: { type: 'invalid_request_error', param: 'model' } })
  },
)

t.test('[AUTH-1] a browser gives its key as a subprotocol, which is not echoed', async (t) => {
  const index = upstream.sessions.length
  const protocols = ['realtime', `openai-insecure-api-key.${gateway.key}`]
  const client = await gateway.open({ headers: {}, protocols })
  t.equal(client.socket.protocol, 'realtime')
  t.notMatch(JSON.stringify(client.headers), gateway.key)
  const up = await upstream.session(index)
  t.notMatch(JSON.stringify(up.headers), gateway.key)
  client.socket.close()
  await up.closed
})

t.test('[RT-1] a plain request to the path has to upgrade', async (t) => {
  const reply = await fetch(`${gateway.url}/v1/realtime?model=${realtimeModel}`)
  t.equal(reply.status, 426)
  t.equal(reply.headers.get('upgrade'), 'websocket')
  t.match(await reply.json(), { error: { code: 'upgrade_required', param: '' } })
  const post = await fetch(`${gateway.url}/v1/realtime`, { method: 'POST' })
  t.equal(post.status, 405)
  await post.text()
})

t.test('[BILL-9] a session is one charge and one row: the sum of its answers', async (t) => {
  const rows = (await gateway.logs()).length
  const charged = await cost(async () => {
    const { client, up } = await session()
    for (const id of ['resp_1', 'resp_2']) {
      client.send(create)
      await up.next('response.create')
      up.send(answer.created(id))
      up.send(answer.text(id, 'hello'))
      up.send(answer.done(id, answer.usage(100, 20, 10, 5, 40)))
      await client.next('response.done')
    }
    // Reported twice, paid once.
    up.send(answer.done('resp_2', answer.usage(100, 20, 10, 5, 40)))
    await client.next('response.done')
    client.socket.close(1000)
    await up.closed
  })
  // Of 100 in 40 are cached and free; 60 + 20 x 4 + 10 x 8 + 5 x 16.
  t.equal(charged, 2n * (60n + 80n + 80n + 80n))
  const logs = await gateway.logs()
  t.equal(logs.length, rows + 1)
  t.match(logs[0], { quota: 600, model_name: realtimeModel, is_stream: true, prompt_tokens: 220 })
  t.equal(logs[0]!.completion_tokens, 50)
})

t.test('[BILL-9] an answer begins only once the hold covers it, in rising steps', async (t) => {
  const held: number[] = []
  const rest = async () => held.push((await admin.must('GET', '/api/user/self')).quota)
  const { client, up } = await session()
  await rest()
  for (const id of ['rise_1', 'rise_2', 'rise_3']) {
    client.send(create)
    await up.next('response.create')
    await rest()
    up.send(answer.created(id))
    up.send(answer.done(id, answer.usage(20_000, 500)))
    await client.next('response.done')
  }
  const [opened, first, second, third] = held
  t.equal(first, opened, 'the first answer was covered before the socket was open')
  t.ok(second! < first!, 'the second needs more')
  t.ok(third! < second!, 'the third more still')
  client.socket.close(1000)
  await up.closed
})

t.test('[BILL-9] an answer the upstream begins by itself is covered too', async (t) => {
  const before = (await admin.must('GET', '/api/user/self')).quota
  const { client, up } = await session()
  up.send(answer.created('vad_1'))
  up.send(answer.text('vad_1', 'words '.repeat(8000)))
  await client.next('response.output_text.delta')
  up.send(answer.text('vad_1', 'more'))
  await client.next('response.output_text.delta')
  const held = before - (await admin.must('GET', '/api/user/self')).quota
  t.ok(held > 8000 * 4, 'more is held than what came so far costs')
  up.send(answer.done('vad_1', answer.usage(10, 8000)))
  await client.next('response.done')
  client.socket.close(1000)
  await up.closed
})

t.test(
  '[ERR-1] out of funds the client reads an error event, then both sockets close',
  async (t) => {
    const { key } = await admin.token({ unlimited_quota: false, remain_quota: 60_000 })
    const charged = await cost(async () => {
      const { client, up } = await session(gateway, { headers: { authorization: `Bearer ${key}` } })
      client.send(create)
      await up.next('response.create')
      up.send(answer.created('poor_1'))
      up.send(answer.done('poor_1', answer.usage(1000, 12_000)))
      await client.next('response.done')
      t.equal(client.socket.readyState, client.socket.OPEN, 'it goes on until it asks for more')
      client.send(create)
      const { error } = await client.next('error')
      t.match(error, { type: 'billing_error', code: 'out_of_funds', param: '' })
      t.type((error as { message: unknown }).message, 'string')
      t.equal(await client.closed, 1008)
      await up.closed
      t.notOk(
        up.received.filter(({ type }) => type === 'response.create').length > 1,
        'what could not be paid was not requested',
      )
    })
    t.equal(charged, 49_000n, 'to the unit: 1000 + 12000 x 4')
  },
)

t.test('[BILL-9] short of funds for one answer nothing is opened', async (t) => {
  const requestCount = upstream.requests.length
  const { key } = await admin.token({ unlimited_quota: false, remain_quota: 100 })
  const { status, body } = await gateway.refused({ headers: { authorization: `Bearer ${key}` } })
  t.equal(status, 403)
  t.match(body, { error: { code: 'pre_consume_token_quota_failed' } })
  t.equal(upstream.requests.length, requestCount)
})

t.test(
  '[BILL-9] a client that leaves amid an answer pays what the upstream tells of it, once',
  async (t) => {
    const rows = (await gateway.logs()).length
    const charged = await cost(async () => {
      const { client, up } = await session()
      client.send(create)
      await up.next('response.create')
      up.send(answer.created('left_1'))
      up.send(answer.text('left_1', 'half a'))
      await client.next('response.output_text.delta')
      client.socket.terminate()
      t.match(await up.next('response.cancel'), { response_id: 'left_1' })
      up.send(answer.done('left_1', answer.usage(50, 3), { status: 'cancelled' }))
      await up.closed
    })
    t.equal(charged, 62n, '50 + 3 x 4')
    t.equal((await gateway.logs()).length, rows + 1)
  },
)

t.test('[BILL-9] with the policy abort, what was delivered is estimated and paid', async (t) => {
  const id = await gateway.serve({ models: otherModel, setting: '{"on_client_gone":"abort"}' })
  const charged = await cost(async () => {
    const { client, up } = await session(gateway, { model: otherModel })
    up.send(answer.created('gone_1'))
    up.send(answer.audio('gone_1', 48_000))
    await client.next('response.output_audio.delta')
    client.socket.terminate()
    await up.closed
  })
  t.equal(charged, 320n, 'one second of speech is 20 tokens at 16')
  await admin.must('DELETE', `/api/channel/${id}`)
  const [row] = await gateway.logs()
  t.match(JSON.parse(row!.other), { admin_info: { local_count_tokens: ['input', 'output'] } })
})

t.test(
  '[RT-1] an upstream that breaks is reported as an error event, and what came is paid',
  async (t) => {
    const charged = await cost(async () => {
      const { client, up } = await session()
      up.send(answer.created('break_1'))
      up.send(answer.audio('break_1', 96_000))
      await client.next('response.output_audio.delta')
      up.socket.terminate()
      t.match(await client.next('error'), {
        error: { code: 'upstream_broke_off', type: 'upstream_error' },
      })
      t.equal(await client.closed, 1011)
    })
    t.equal(charged, 640n)
  },
)

t.test(
  '[RT-1] an upstream that states goodbye between answers ends the session in order',
  async (t) => {
    const { client, up } = await session()
    up.socket.close(1001)
    t.equal(await client.closed, 1001)
    t.notOk(client.received.some(({ type }) => type === 'error'))
  },
)

t.test('[RT-1] the gateway pings both ways and answers pings', async (t) => {
  const { client, up } = await session(quick)
  await Promise.all([
    new Promise((resolve) => client.socket.once('ping', resolve)),
    new Promise((resolve) => up.socket.once('ping', resolve)),
  ])
  client.socket.ping()
  up.socket.ping()
  await Promise.all([
    new Promise((resolve) => client.socket.once('pong', resolve)),
    new Promise((resolve) => up.socket.once('pong', resolve)),
  ])
  t.pass('all four came')
  client.socket.close()
  await up.closed
})

t.test('[RT-1] a client that falls silent is given up and its session reclaimed', async (t) => {
  const { client, up } = await session(quick, { options: { autoPong: false } })
  t.equal(await client.closed, 1006)
  t.equal(await up.closed, 1001)
  await quick.gateway.idle()
})

t.test('[RT-1] an upstream that falls silent is given up too', async (t) => {
  const { client, up } = await session(quick)
  up.socket.pause()
  t.match(await client.next('error'), { error: { code: 'upstream_broke_off' } })
  t.equal(await client.closed, 1011)
})

t.test(
  '[RT-1] a frame without measure closes the socket with 1009 and costs nothing',
  async (t) => {
    const charged = await cost(async () => {
      const { client, up } = await session()
      client.socket.send(Buffer.alloc(peerOptions.maxPayload + 1, 0x20), { binary: false })
      t.equal(await client.closed, 1009)
      await up.closed
      t.strictSame(up.received, [])
    })
    t.equal(charged, 0n)
  },
)

t.test('[RT-1] a reader that does not keep up holds the upstream back', async (t) => {
  const { client, up } = await session()
  client.socket.pause()
  const piece = JSON.stringify(answer.audio('slow_1', 256 * 1024))
  up.send(answer.created('slow_1'))
  const total = 192
  for (let sent = 0; sent < total; sent += 1) up.socket.send(piece)
  // Everything between the two ends is full once the upstream's own queue no longer shrinks.
  let left = up.socket.bufferedAmount
  for (let still = 0; still < 200; ) {
    await new Promise((resolve) => setImmediate(resolve))
    still = up.socket.bufferedAmount === left ? still + 1 : 0
    left = up.socket.bufferedAmount
  }
  t.ok(left > (total * piece.length) / 2, `${left} bytes wait at the upstream`)
  client.socket.resume()
  up.send(answer.done('slow_1', answer.usage(1, 1)))
  await client.next('response.done')
  const heard = client.received.filter(({ type }) => type === 'response.output_audio.delta')
  t.equal(heard.length, total)
  client.socket.close()
  await up.closed
})

t.test('[RT-1] the model of a session is the one it was opened with', async (t) => {
  const id = await gateway.serve({
    models: otherModel,
    model_mapping: JSON.stringify({ [otherModel]: 'upstream-name' }),
  })
  const { client, up } = await session(gateway, { model: otherModel })
  t.equal(up.url, '/v1/realtime?model=upstream-name')
  client.send({ type: 'session.update', session: { type: 'realtime', model: otherModel, x: 1 } })
  t.match(await up.next('session.update'), { session: { model: 'upstream-name', x: 1 } })
  const dearer = { type: 'session.update', event_id: 'mine', session: { model: 'dearer' } }
  client.send(dearer)
  t.match(await client.next('error'), {
    error: { code: 'invalid_request', param: 'session.model', event_id: 'mine' },
  })
  const disguised = JSON.stringify(dearer).replace('session.update', 'sessio\\u006e.update')
  client.socket.send(disguised.replace('"session"', '"sessio\\u006e"'))
  t.match(await client.next('error'), { error: { param: 'session.model' } })
  client.socket.send('{"type":"input_audio_buffer.append","type":"session.update","session":{}}')
  t.match(await client.next('error'), { error: { code: 'duplicate_key' } })
  client.send({ type: 'input_audio_buffer.clear' })
  await up.next('input_audio_buffer.clear')
  t.equal(up.received.length, 2, 'nothing of it reached the upstream')
  client.socket.close()
  await up.closed
  await admin.must('DELETE', `/api/channel/${id}`)
})

t.test('[ERR-2] what the upstream states of its operator does not reach the client', async (t) => {
  const { client, up } = await session()
  up.send({ type: 'rate_limits.updated', rate_limits: [{ name: 'requests', limit: 1000 }] })
  up.send({
    type: 'error',
    event_id: 'event_7',
    error: { type: 'server_error', message: 'org-abcdefgh123 is on fire', code: null, param: null },
  })
  const event = await client.next('error')
  t.match(event, { event_id: 'event_7', error: { type: 'upstream_error', param: '' } })
  t.match(event.error, { code: 'upstream_error', message: /^The upstream failed/ })
  t.notMatch(JSON.stringify(client.received), 'org-abcdefgh123')
  t.notOk(client.received.some(({ type }) => type === 'rate_limits.updated'))
  client.socket.close()
  await up.closed
})

t.test('[RT-1] a stopping gateway ends open sessions with 1001 and settles them', async (t) => {
  const at = await socketGateway(t)
  const { client, up } = await session(at)
  const idle = await session(at)
  up.send(answer.created('stop_1'))
  up.send(answer.text('stop_1', 'one moment'))
  await client.next('response.output_text.delta')
  const before = await at.admin.balance()
  const ledger = at.gateway.service('ledger')
  const stopping = at.stop()
  t.equal(await idle.client.closed, 1001, 'nothing is under way there')
  up.send(answer.done('stop_1', answer.usage(10, 5)))
  await client.next('response.done')
  t.equal(await client.closed, 1001)
  await stopping
  t.ok(before > 0n)
  t.strictSame(await ledger.check(), [])
})

t.test('[RT-1] requests that offer another protocol on the way are answered as ever', async (t) => {
  const { hostname, port } = new URL(gateway.url)
  const lines = (text: string) => text.replaceAll('\n', '\r\n')
  const ask = (text: string) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname)
      let got = ''
      socket.on('data', (data) => {
        got += data
      })
      socket.on('close', () => resolve(got))
      socket.end(lines(text))
    })
  const head = `Host: x\nAuthorization: Bearer ${gateway.key}\nConnection: Upgrade, HTTP2-Settings, close`
  const body = '{"model":"nothing","messages":[]}'
  const post = `POST /v1/chat/completions HTTP/1.1\n${head}\nUpgrade: h2c\nContent-Type: application/json`
  t.match(await ask(`${post}\nContent-Length: ${body.length}\n\n${body}`), /^HTTP\/1.1 400 /)
  const socket = 'Upgrade: websocket\nSec-WebSocket-Version: 13'
  t.match(await ask(`GET /v1/nothing HTTP/1.1\n${head}\n${socket}\n\n`), /^HTTP\/1.1 404 /)
})

import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import t from 'tap'
import type { Inbound } from '../../../../kernel/contract/endpoint.js'
import { Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import { json, scriptedGateway, until } from '../harness.js'

const requestIdPattern = /^req_[0-9A-HJKMNP-TV-Z]{26}$/

t.test('every answer carries the minted request id, never the client’s (X16)', async (t) => {
  const { ask } = await scriptedGateway(t)
  const theirs = { ...json, 'x-request-id': 'mine', 'x-oneapi-request-id': 'mine' }
  for (const [method, path] of [
    ['POST', '/v1/chat/completions'],
    ['GET', '/v1/models'],
    ['GET', '/v1/nothing'],
    ['GET', '/api/nothing'],
  ] as const) {
    const { headers } = await ask(method, path, { headers: theirs })
    t.match(headers['x-request-id'], requestIdPattern, path)
    t.equal(headers['x-oneapi-request-id'], headers['x-request-id'])
    t.notOk('request-id' in headers)
  }
})

t.test('messages clients find the id under request-id too, on refusals as well', async (t) => {
  const { ask } = await scriptedGateway(t)
  for (const path of ['/v1/messages', '/v1/messages/nothing']) {
    const { headers } = await ask('POST', path, { headers: json, body: '{}' })
    t.equal(headers['request-id'], headers['x-request-id'], path)
  }
})

t.test('[ERR-3] the upstream cannot override the local request id', async (t) => {
  const { ask } = await scriptedGateway(t, {
    relay: async ({ sink }) => {
      sink.send(200, { ...json, 'x-request-id': 'upstream', 'set-cookie': 'a=1' }, '{}')
    },
  })
  const { headers } = await ask('POST', '/v1/chat/completions', { body: '{}' })
  t.match(headers['x-request-id'], requestIdPattern)
  t.notOk('set-cookie' in headers)
})

t.test('an endpoint gets the bytes, the address and the query as they came', async (t) => {
  let seen: Inbound | undefined
  const { ask } = await scriptedGateway(t, {
    trustedProxies: ['127.0.0.1'],
    relay: async ({ inbound, sink }) => {
      seen = inbound
      sink.send(200, json, '{}')
    },
  })
  await ask('POST', '/v1beta/models/org%2Fsome-model:generateContent/?key=one&key=two&alt=sse', {
    headers: { ...json, 'x-forwarded-for': '6.6.6.6, 203.0.113.4' },
    body: '{"a" : 1}',
  })
  t.equal(seen?.payload.toString(), '{"a" : 1}')
  t.equal(seen?.client.address, '203.0.113.4')
  t.equal(seen?.secure, false)
  t.strictSame({ ...seen?.client.query }, { key: 'one', alt: 'sse' })
  t.strictSame({ ...seen?.params }, { model: 'org/some-model' })
  t.equal(seen?.method, 'POST')
})

t.test('both slash forms are served', async (t) => {
  const { ask } = await scriptedGateway(t)
  for (const path of ['/v1/models', '/v1/models/']) t.equal((await ask('GET', path)).status, 200)
})

t.test('what is refused before an endpoint takes the frame of the path', async (t) => {
  const { ask } = await scriptedGateway(t, { maxRequestBodyBytes: 1000 })
  const big = 'x'.repeat(2000)
  const bomb = gzipSync('x'.repeat(100_000))
  t.ok(bomb.length < 1000, 'the bomb is within the limit as it comes')
  const gzip = { ...json, 'content-encoding': 'gzip' }
  const cases = [
    { method: 'GET', under: '/nothing', status: 404, code: 'not_found' },
    { method: 'GET', under: '', status: 405, code: 'method_not_allowed' },
    { method: 'POST', under: '', status: 413, code: 'body_too_large', body: big, headers: json },
    {
      method: 'POST',
      under: '',
      status: 415,
      code: 'unsupported_media_type',
      body: 'a=1',
      headers: { 'content-type': 'text/plain' },
    },
    {
      method: 'POST',
      under: '',
      status: 415,
      code: 'unsupported_media_type',
      body: '{}',
      headers: { 'content-type': 'a malformed one' },
    },
    {
      method: 'POST',
      under: '',
      status: 400,
      code: 'read_request_body_failed',
      body: 'not gzip',
      headers: gzip,
    },
    { method: 'POST', under: '', status: 413, code: 'body_too_large', body: bomb, headers: gzip },
    {
      method: 'POST',
      under: '',
      status: 415,
      code: 'unsupported_media_type',
      body: gzipSync(gzipSync('{}')),
      headers: { ...json, 'content-encoding': 'gzip, gzip' },
    },
  ]
  const paths = [
    ['/v1/chat/completions', 'chat'],
    ['/v1/messages', 'messages'],
    ['/v1/responses', 'responses'],
    ['/v1beta/models/m:generateContent', 'generative'],
  ] as const
  for (const [path, frame] of paths) {
    for (const { method, under, status, code, body, headers = {} } of cases) {
      const reply = await ask(method, path + under, { headers, body })
      const label = `${method} ${path}${under} ${code}`
      t.equal(reply.status, status, label)
      t.equal(reply.json.frame, frame, label)
      t.match(reply.json.error, { code, message: String, type: String, param: String }, label)
      t.match(reply.headers['content-type'], 'application/json', label)
      t.match(reply.headers['x-request-id'], requestIdPattern, label)
    }
  }
})

t.test('a wrong method names those that are served', async (t) => {
  const { ask } = await scriptedGateway(t)
  t.equal((await ask('DELETE', '/v1/chat/completions')).headers.allow, 'POST')
  t.equal((await ask('POST', '/v1/models')).headers.allow, 'GET, HEAD')
  t.equal((await ask('HEAD', '/v1/models')).status, 200)
})

t.test('an unknown path speaks like the nearest endpoint, the rest like management', async (t) => {
  const { ask } = await scriptedGateway(t)
  for (const [path, frame] of [
    ['/v1', 'chat'],
    ['/v1/unknown', 'chat'],
    ['/v1/chat/unknown', 'chat'],
    ['/v1/messages/count_tokens', 'messages'],
    ['/v1/responses/r_1/cancel', 'responses'],
    ['/v1beta/unknown', 'generative'],
    ['/api/unknown', undefined],
    ['/unknown', undefined],
  ] as const) {
    const { status, json } = await ask('GET', path)
    t.equal(status, 404, path)
    t.equal(json.frame, frame, path)
    if (frame === undefined) {
      t.match(json, { success: false, code: 'not_found', data: null, message: String }, path)
    }
  }
})

t.test('an address that cannot be decoded is a 400 and not a crash', async (t) => {
  const { ask } = await scriptedGateway(t)
  t.equal((await ask('POST', '/v1beta/models/%zz:generateContent')).status, 400)
})

t.test('gzip, deflate and br bodies reach the endpoint opened', async (t) => {
  const seen: string[] = []
  const { ask } = await scriptedGateway(t, {
    relay: async ({ inbound, sink }) => {
      seen.push(inbound.payload.toString())
      sink.send(200, json, '{}')
    },
  })
  const text = JSON.stringify({ text: 'x'.repeat(5000) })
  for (const [coding, body] of [
    ['gzip', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ] as const) {
    const headers = { ...json, 'content-encoding': coding }
    t.equal((await ask('POST', '/v1/chat/completions', { headers, body })).status, 200, coding)
  }
  t.strictSame(seen, [text, text, text, text])
})

t.test('a refusal of an endpoint and a crash of the relay both reach the client', async (t) => {
  const { ask, lines } = await scriptedGateway(t, {
    relay: async ({ inbound }) => {
      if (inbound.path === '/v1/messages') throw new Error('secret detail')
      throw new Refusal('invalid_api_key')
    },
  })
  const refused = await ask('POST', '/v1/chat/completions', { headers: json })
  t.equal(refused.status, 401)
  t.match(refused.json, { frame: 'chat', error: { code: 'invalid_api_key' } })
  const crashed = await ask('POST', '/v1/messages', { headers: json })
  t.equal(crashed.status, 500)
  t.match(crashed.json, { frame: 'messages', error: { code: 'internal_error' } })
  t.notMatch(crashed.text, 'secret detail')
  t.match(
    lines.find(({ level }) => level === 'error'),
    { requestId: crashed.headers['x-request-id'], err: { message: 'secret detail' } },
  )
})

t.test('a relay that forgets to answer still answers', async (t) => {
  const { ask } = await scriptedGateway(t, { relay: async () => {} })
  t.equal((await ask('POST', '/v1/chat/completions', { headers: json })).status, 500)
})

t.test('a relay that fails within its answer cuts it', async (t) => {
  const { ask } = await scriptedGateway(t, {
    relay: async ({ sink }) => {
      sink.head(200, { 'content-type': 'text/event-stream' })
      sink.write(Buffer.from('data: 1\n\n'))
      throw new Error('broke')
    },
  })
  await t.rejects(ask('POST', '/v1/chat/completions', { headers: json }))
})

t.test('the relay paths are open to any page, without credentials; /api to none', async (t) => {
  const { ask } = await scriptedGateway(t)
  const origin = 'https://page.example'
  const preflight = await ask('OPTIONS', '/v1/chat/completions', {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization, x-stainless-os, bad name',
    },
  })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers['access-control-allow-origin'], '*')
  t.equal(preflight.headers['access-control-allow-headers'], 'authorization, x-stainless-os')
  for (const [method, path] of [
    ['POST', '/v1/chat/completions'],
    ['POST', '/v1beta/models/m:generateContent'],
    ['GET', '/v1/unknown'],
  ] as const) {
    const { headers } = await ask(method, path, { headers: { ...json, origin } })
    t.equal(headers['access-control-allow-origin'], '*', path)
    t.match(headers['access-control-expose-headers'], /x-request-id/i, path)
    t.notOk('access-control-allow-credentials' in headers, path)
  }
  for (const method of ['OPTIONS', 'GET']) {
    const { headers } = await ask(method, '/api/unknown', { headers: { origin } })
    t.notOk('access-control-allow-origin' in headers)
  }
})

t.test('one access line per request, without the query', async (t) => {
  const { ask, access } = await scriptedGateway(t, {
    relay: async ({ sink }) => {
      sink.note({ model: 'm' })
      sink.send(200, json, '{"ok":true}')
    },
  })
  const relayed = await ask('POST', '/v1/chat/completions?key=sk-secret', { headers: json })
  await ask('GET', '/v1/models?key=sk-secret')
  await ask('GET', '/v1/unknown?key=sk-secret')
  t.match(access(), [
    {
      requestId: relayed.headers['x-request-id'],
      method: 'POST',
      path: '/v1/chat/completions',
      status: 200,
      bytes: 11,
      address: '127.0.0.1',
      model: 'm',
      durationMs: 0,
    },
    { method: 'GET', path: '/v1/models', status: 200 },
    { method: 'GET', path: '/v1/unknown', status: 404 },
  ])
  t.equal(access().length, 3)
  t.notMatch(JSON.stringify(access()), 'sk-secret')
})

t.test('giant and endless heads are turned away by the listener (S14)', async (t) => {
  const { socket, server } = await scriptedGateway(t)
  const client = await socket()
  const pendingText = new Promise<string>((resolve) => {
    let text = ''
    client.on('data', (chunk) => {
      text += chunk
    })
    client.on('close', () => resolve(text))
  })
  client.write(`GET /v1/models HTTP/1.1\r\nhost: x\r\nx-big: ${'x'.repeat(100_000)}\r\n\r\n`)
  t.match(await pendingText, /^HTTP\/1\.1 431 /)
  t.equal(server.listener.headersTimeout, 30_000)
  t.ok(server.listener.requestTimeout > 0)
  t.equal(server.listener.maxHeadersCount, 200)
})

const head = 'POST /v1/chat/completions HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n'

t.test(
  'a body of unknown length is bounded while it comes, and its connection ends behind the answer',
  async (t) => {
    const { socket } = await scriptedGateway(t, { maxRequestBodyBytes: 10 })
    const client = await socket()
    let message = ''
    const ended = new Promise((resolve) => client.once('end', resolve))
    client.on('data', (bytes) => {
      message += String(bytes)
    })
    client.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    client.write('8\r\n{"a": 12\r\n')
    client.write('8\r\n34567890\r\n')
    await until(() => message.includes('body_too_large'))
    t.match(message, /^HTTP\/1.1 413 /)
    t.match(message, /Connection: close/i)
    await ended
  },
)

t.test(
  'a body that does not arrive in time is a 408 in the frame of the path, and the connection ends',
  async (t) => {
    const { socket, clock } = await scriptedGateway(t)
    const client = await socket()
    let message = ''
    let ended = false
    client.on('data', (bytes) => {
      message += String(bytes)
    })
    client.on('close', () => {
      ended = true
    })
    client.write(`${head}Content-Length: 20\r\n\r\n{"a":`)
    await until(() => clock.pending > 0)
    clock.advance(120_000)
    await until(() => ended)
    t.match(message, /^HTTP\/1.1 408 /)
    t.match(message, /Connection: close/i)
    t.match(message, /"code":"request_timeout"/)
  },
)

t.test('a client that leaves in the middle of its body leaves nothing behind', async (t) => {
  let relays = 0
  const { socket, server, clock, access } = await scriptedGateway(t, {
    relay: async () => {
      relays += 1
    },
  })
  const client = await socket()
  client.write(`${head}Content-Length: 20\r\n\r\n{"a":`)
  await until(() => clock.pending > 0)
  client.destroy()
  await until(() => access().length === 1)
  await server.idle()
  t.equal(relays, 0)
  t.equal(clock.pending, 0)
  t.match(access()[0], { status: 499, gone: true })
})

t.test('a relay route answers by itself what is for no upstream', async (t) => {
  const relayed: string[] = []
  const { ask, access } = await scriptedGateway(t, {
    receive: ({ client }) =>
      client.query.action === 'read'
        ? { status: 429, headers: { 'retry-after': '1' }, body: { read: true } }
        : undefined,
    relay: async ({ request, sink }) => {
      relayed.push(request.operation)
      sink.send(200, json, '{"relayed":true}')
    },
  })
  const post = (query: string) =>
    ask('POST', `/v1/chat/completions?action=${query}`, { headers: json, body: '{}' })
  const answer = await post('read')
  t.strictSame([answer.status, answer.json], [429, { read: true }])
  t.equal(answer.headers['retry-after'], '1')
  t.match(answer.headers['content-type'], 'application/json')
  t.match(answer.headers['x-request-id'], requestIdPattern)
  t.strictSame(relayed, [])
  t.strictSame((await post('submit')).json, { relayed: true })
  t.strictSame(relayed, ['chat'])
  t.match(access(), [{ status: 429 }, { status: 200 }])
})

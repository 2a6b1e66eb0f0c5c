/** The bytes of results: decoded from the row, fetched at public addresses and behind keys, by a real way out and real upstreams. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import type { ByteSource } from '../../../../kernel/contract/bytes.js'
import type { Adapter } from '../../../../kernel/contract/provider.js'
import type { TaskResult } from '../../../../kernel/contract/task.js'
import type { AddressPolicy } from '../../../../kernel/egress/address-policy.js'
import { createEgress } from '../../../../kernel/egress/egress.js'
import { readAll } from '../../../../kernel/toolkit/body/read-body.js'
import { EgressError } from '../../../../kernel/toolkit/errors/egress-error.js'
import type { Authorized } from '../../../../plugins/services/credentials/index.js'
import {
  type ContentDependencies,
  createContent,
} from '../../../../plugins/services/tasks/content.js'
import { FakeClock } from '../../../kit/clock.js'
import { quietLog } from '../../../kit/fakes.js'
import { channel as lineChannel } from '../../../kit/line-fakes.js'

const task = {
  taskId: 'task_1',
  operation: 'video',
  channelId: 3,
  keyId: 31,
  ref: { ref: 'up-1', action: 'generate', model: 'up-model', keep: {} },
} as const

interface Call {
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

async function upstream(t: Test, answer: RequestListener, host = '127.0.0.1') {
  const calls: Call[] = []
  let open = 0
  const server = createServer((request, response) => {
    calls.push({ path: request.url ?? '', headers: request.headers })
    answer(request, response)
  })
  server.on('connection', (socket) => {
    open += 1
    socket.on('close', () => {
      open -= 1
    })
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://${host}:${(server.address() as AddressInfo).port}`
  return { url, calls, connections: () => open }
}

interface Parts {
  /** Absent: every address may be called. */
  readonly policy?: AddressPolicy | 'as usual'
  readonly baseUrl?: string
  readonly adapter?: Partial<Adapter>
  readonly hosts?: readonly string[]
  readonly keys?: ReturnType<typeof lineChannel>['keys']
  readonly authorized?: Authorized
}

function reading(t: Test, parts: Parts = {}) {
  const { policy = () => true } = parts
  const clock = new FakeClock()
  const egress = createEgress({
    ...{ allowPrivateUpstreams: true, clock, log: quietLog },
    ...(policy !== 'as usual' && { policy }),
  })
  t.teardown(() => egress.close())
  const forgotten: string[] = []
  const channel = {
    ...lineChannel(3),
    baseUrl: parts.baseUrl ?? 'http://nowhere.example',
    keys: parts.keys ?? [
      { id: 30, text: 'other-key', enabled: true },
      { id: 31, text: 'its-key', enabled: true },
    ],
  }
  const dependencies: ContentDependencies = {
    ...{ egress, clock },
    channels: { get: (id) => (id === 3 ? channel : undefined) },
    providers: {
      adapter: () => parts.adapter as Adapter | undefined,
      hosts: () => parts.hosts ?? ['channel'],
      warm: async () => {},
    },
    credentials: {
      of: (_, key) => parts.authorized ?? { key },
      forget: (_, key) => void forgotten.push(key),
    },
  }
  const content = createContent(dependencies)
  return {
    forgotten,
    read: (result: Partial<TaskResult>, range?: string, of: object = {}) =>
      content(
        { ...task, ...of },
        { type: 'video', ...result },
        range === undefined ? {} : { range },
      ),
  }
}

const mp4 = { 'content-type': 'video/mp4' }
const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7) % 251))
const all = (body: ByteSource) => readAll(body, 1_000_000)
const dataOf = (of: Buffer, mime = 'video/mp4') => `data:${mime};base64,${of.toString('base64')}`

t.test('[API-8] a result that is a data URL is passed on as bytes', async (t) => {
  const { read } = reading(t)
  const { status, headers, body } = await read({ data: dataOf(bytes) })
  t.equal(status, 200)
  t.strictSame(headers, {
    'content-type': 'video/mp4',
    'content-length': '200000',
    'accept-ranges': 'bytes',
  })
  t.ok((await all(body)).equals(bytes))
})

const stretches = [
  ['bytes=0-0', 0, 0],
  ['bytes=1-7', 1, 7],
  ['bytes=49151-49152', 49_151, 49_152],
  ['bytes=100000-', 100_000, 199_999],
  ['bytes=199999-900000', 199_999, 199_999],
  ['bytes=-5', 199_995, 199_999],
  ['bytes=-900000', 0, 199_999],
] as const

t.test('a stretch of a data URL is exactly what was requested', async (t) => {
  const { read } = reading(t)
  for (const [range, first, last] of stretches) {
    const { status, headers, body } = await read({ data: dataOf(bytes) }, range)
    t.equal(status, 206, range)
    t.equal(headers['content-range'], `bytes ${first}-${last}/200000`, range)
    t.equal(headers['content-length'], String(last - first + 1), range)
    t.ok((await all(body)).equals(bytes.subarray(first, last + 1)), range)
  }
  for (const range of ['bytes=200000-', 'bytes=-0']) {
    const { status, headers, body } = await read({ data: dataOf(bytes) }, range)
    t.equal(status, 416, range)
    t.equal(headers['content-range'], 'bytes */200000')
    t.equal((await all(body)).length, 0)
  }
  for (const range of ['bytes=5-2', 'bytes=0-1,5-6', 'bytes=-', 'lines=1-2', 'bytes=x']) {
    t.equal((await read({ data: dataOf(bytes) }, range)).status, 200, range)
  }
})

t.test('a data URL is decoded no faster than it is taken', async (t) => {
  const { read } = reading(t)
  const { body } = await read({ data: dataOf(bytes) })
  const got: Buffer[] = []
  let ended = false
  body.consume({
    data(chunk) {
      got.push(chunk)
      return false
    },
    end() {
      ended = true
    },
    fail: () => t.fail('it is sound'),
  })
  t.equal(got.length, 1)
  body.resume()
  t.equal(got.length, 2)
  body.abort()
  body.resume()
  t.equal(got.length, 2)
  t.equal(ended, false)
})

t.test('[API-8] the types of clips that pass are four, and no other', async (t) => {
  const { read } = reading(t)
  for (const type of ['mp4', 'webm', 'quicktime', 'x-matroska']) {
    const { headers } = await read({ data: dataOf(bytes, `video/${type}`) })
    t.equal(headers['content-type'], `video/${type}`)
  }
  for (const type of ['video/x-msvideo', 'video/mpeg', 'image/svg+xml', 'text/html', 'x/y', '']) {
    const refused = { code: 'task_result_refused', status: 415 }
    await t.rejects(read({ data: dataOf(bytes, type) }), refused, type)
  }
})

t.test(
  '[API-8] a clip of 100 MiB passes, one byte more does not, and neither is decoded',
  async (t) => {
    const { read } = reading(t)
    const most = 100 * 1024 * 1024
    // As many characters as base64 has for it: 4 for each 3 bytes, the last group padded.
    const inBase64 = (size: number) => {
      const padding = (3 - (size % 3)) % 3
      return 'A'.repeat(Math.ceil(size / 3) * 4 - padding) + '='.repeat(padding)
    }
    const { headers } = await read({ data: `data:video/mp4;base64,${inBase64(most)}` })
    t.equal(headers['content-length'], String(most))
    await t.rejects(read({ data: `data:video/mp4;base64,${inBase64(most + 1)}` }), {
      code: 'task_result_refused',
      status: 415,
    })
  },
)

t.test('what is no base64 breaks off instead of being sent as something else', async (t) => {
  const { read } = reading(t)
  const { body } = await read({ data: 'data:video/mp4;base64,AAAA!!!!AAAA' })
  const error = await all(body).catch((error: unknown) => error)
  t.ok(error instanceof EgressError)
  await t.rejects(read({ data: 'data:video/mp4,plain' }), { code: 'task_result_missing' })
})

t.test('a result at an address is fetched without a key, and its bytes pass', async (t) => {
  const { url, calls } = await upstream(t, (_, response) => {
    response.writeHead(200, {
      'content-type': 'Video/MP4; codecs="avc1"',
      'content-length': '3',
      etag: '"a"',
      'set-cookie': 'a=1',
      'content-disposition': 'attachment; filename="evil.html"',
      'x-account': 'theirs',
    })
    response.end('abc')
  })
  const { read } = reading(t)
  const { status, headers, body } = await read({ url: `${url}/clip name.mp4?sig=1#part` })
  t.equal(status, 200)
  t.strictSame(headers, { 'content-type': 'video/mp4', 'content-length': '3', etag: '"a"' })
  t.equal(String(await all(body)), 'abc')
  t.equal(calls[0]?.path, '/clip%20name.mp4?sig=1')
  t.notOk('authorization' in calls[0]!.headers)
})

t.test('a range goes to the upstream, and its stretch comes back', async (t) => {
  const { url, calls } = await upstream(t, ({ headers: { range } }, response) => {
    const head = { ...mp4, 'content-range': 'bytes 1-2/9', 'content-length': '2' }
    if (range === 'bytes=1-2') response.writeHead(206, head).end('bc')
    else if (range === 'bytes=90-') {
      response.writeHead(416, { 'content-type': 'text/html', 'content-range': 'bytes */9' })
      response.end('<html>no</html>')
    } else response.writeHead(200, mp4).end('abc')
  })
  const { read } = reading(t)
  const { status, headers, body } = await read({ url }, 'bytes=1-2')
  t.equal(status, 206)
  t.equal(headers['content-range'], 'bytes 1-2/9')
  t.equal(String(await all(body)), 'bc')

  const outside = await read({ url }, 'bytes=90-')
  t.equal(outside.status, 416)
  t.strictSame(outside.headers, { 'content-range': 'bytes */9', 'content-length': '0' })
  t.equal(String(await all(outside.body)), '', 'nothing of the page is passed on')

  const whole = await read({ url }, 'bytes=0-1,3-4')
  t.equal(whole.status, 200)
  t.notOk('range' in calls[2]!.headers, 'several stretches are not requested')
  await all(whole.body)
})

t.test('only media passes, and bytes of no type as a file (X15)', async (t) => {
  const { url, connections } = await upstream(t, ({ url: path = '' }, response) => {
    const type = decodeURIComponent(path.slice(1))
    response.writeHead(200, type === '' ? {} : { 'content-type': type }).end('abc')
  })
  const { read } = reading(t)
  const of = (type: string) => read({ url: `${url}/${encodeURIComponent(type)}` })
  for (const type of ['video/mp4', 'image/png', 'image/avif', 'audio/mpeg', 'video/mp2t']) {
    const { headers, body } = await of(type)
    t.equal(headers['content-type'], type)
    t.notOk('content-disposition' in headers)
    await all(body)
  }
  for (const type of ['', 'application/octet-stream', 'binary/octet-stream']) {
    const { headers, body } = await of(type)
    t.match(headers, {
      'content-type': 'application/octet-stream',
      'content-disposition': 'attachment',
    })
    await all(body)
  }
  for (const type of [
    'text/html',
    'image/svg+xml',
    'IMAGE/SVG+XML; charset=utf-8',
    'application/json',
    'application/xhtml+xml',
    'text/plain',
    'video',
    'video/',
    'multipart/byteranges; boundary=x',
    'application/pdf',
  ]) {
    await t.rejects(of(type), { code: 'task_result_refused', status: 415 }, type)
  }
  // A body nobody reads is let go.
  while (connections() > 1) await new Promise((resolve) => setImmediate(resolve))
})

t.test('what an upstream answers instead of a result is a refusal, never passed on', async (t) => {
  const { url } = await upstream(t, ({ url: path = '' }, response) => {
    response.writeHead(Number(path.slice(1)), mp4).end('secret of the upstream')
  })
  const { read } = reading(t)
  for (const status of [401, 403, 404, 410]) {
    await t.rejects(read({ url: `${url}/${status}` }), { code: 'task_result_missing' })
  }
  for (const status of [206, 400, 416, 429, 500, 503]) {
    await t.rejects(read({ url: `${url}/${status}` }), { code: 'upstream_error' }, String(status))
  }
})

t.test('an address on a private network is refused, also behind a redirect (X1)', async (t) => {
  const { url, calls } = await upstream(t, (_, response) => {
    response.writeHead(200, mp4).end('abc')
  })
  const { read } = reading(t, { policy: 'as usual' })
  for (const address of [
    url,
    'http://169.254.169.254/latest',
    'http://[::1]/x',
    'https://user:pass@host.example/x',
    'http://127.1/x',
  ]) {
    await t.rejects(read({ url: address }), { code: 'task_result_missing' }, address)
  }
  for (const address of [
    'file:///etc/passwd',
    'ftp://host/x',
    'gopher://h/',
    'no address',
    '//h',
  ]) {
    await t.rejects(read({ url: address }), { code: 'task_result_missing' }, address)
  }
  t.equal(calls.length, 0)

  // This one stands for a public address.
  const host = '127.0.0.2'
  const entry = await upstream(
    t,
    (_, response) => void response.writeHead(302, { location: url }).end(),
    host,
  )
  const looked = new Set<string>()
  const guarded = reading(t, {
    policy(address, namedBy) {
      looked.add(namedBy)
      return address === host
    },
  })
  await t.rejects(guarded.read({ url: entry.url }), { code: 'task_result_missing' })
  t.equal(entry.calls.length, 1)
  t.equal(calls.length, 0)
  t.strictSame([...looked], ['user'])
})

t.test('redirects are followed three times, each checked anew (X1)', async (t) => {
  const { url, calls } = await upstream(t, ({ url: path = '' }, response) => {
    const left = Number(path.slice(1))
    if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end('moved')
    else response.writeHead(200, mp4).end('abc')
  })
  const { read } = reading(t)
  const { body } = await read({ url: `${url}/3` }, 'bytes=0-1')
  t.equal(String(await all(body)), 'abc')
  t.equal(calls.length, 4)
  t.ok(calls.every(({ headers }) => headers.range === 'bytes=0-1'))
  await t.rejects(read({ url: `${url}/4` }), { code: 'upstream_error' })
  t.equal(calls.length, 8)
})

t.test('a redirect to what is no address, or nowhere, is refused', async (t) => {
  for (const location of ['file:///etc/passwd', 'http://', undefined]) {
    const { url } = await upstream(t, (_, response) => {
      response.writeHead(302, location === undefined ? {} : { location }).end()
    })
    await t.rejects(reading(t).read({ url }), { code: 'task_result_missing' })
  }
})

const keyed = {
  content: (ref, result, channel, { key, token }) => ({
    method: 'GET' as const,
    url: `${channel.baseUrl}/files/${ref.ref}${result.meta?.part ?? ''}`,
    headers: { authorization: `Bearer ${token ?? key}` },
  }),
} satisfies Partial<Adapter>

t.test(
  'a result at the address of its own channel is fetched there, without its key',
  async (t) => {
    const { url, calls } = await upstream(t, ({ url: path }, response) => {
      if (path === '/gone') response.writeHead(401).end()
      else if (path === '/away') response.writeHead(302, { location: 'http://127.0.0.2:9/x' }).end()
      else response.writeHead(200, mp4).end('abc')
    })
    const { read, forgotten } = reading(t, { baseUrl: `${url}/v1`, policy: 'as usual' })
    t.equal(String(await all((await read({ url: `${url}/a.mp4` })).body)), 'abc')
    t.notOk(calls[0]?.headers.authorization)
    for (const path of ['/gone', '/away']) {
      await t.rejects(read({ url: `${url}${path}` }), { code: 'task_result_missing' }, path)
    }
    t.strictSame(forgotten, [])
  },
)

t.test('a keyed result is fetched with the channel and key that have the task', async (t) => {
  const { url, calls } = await upstream(t, (_, response) => {
    response.writeHead(206, { ...mp4, 'content-range': 'bytes 0-2/9' }).end('abc')
  })
  const { read } = reading(t, { baseUrl: url, adapter: keyed, policy: 'as usual' })
  const { status, body } = await read({ keyed: true }, 'bytes=0-2')
  t.equal(status, 206)
  t.equal(String(await all(body)), 'abc')
  t.match(calls, [
    { path: '/files/up-1', headers: { authorization: 'Bearer its-key', range: 'bytes=0-2' } },
  ])
})

t.test('where its key is gone another enabled one of the channel is used', async (t) => {
  const { url, calls } = await upstream(t, (_, response) => {
    response.writeHead(200, mp4).end('abc')
  })
  const keys = [
    { id: 40, text: 'off', enabled: false },
    { id: 41, text: 'on', enabled: true },
  ]
  const { read } = reading(t, { baseUrl: url, adapter: keyed, keys })
  await all((await read({ keyed: true })).body)
  t.equal(calls[0]?.headers.authorization, 'Bearer on')
})

t.test('a keyed result goes nowhere but to the channel (X1)', async (t) => {
  const elsewhere = await upstream(t, (_, response) => {
    response.writeHead(200, mp4).end('abc')
  })
  const { url, calls } = await upstream(t, ({ url: path }, response) => {
    if (path === '/files/up-1') response.writeHead(302, { location: '/inner' }).end()
    else response.writeHead(307, { location: `${elsewhere.url}/clip` }).end()
  })
  const astray = { content: () => ({ method: 'GET' as const, url: elsewhere.url, headers: {} }) }
  await t.rejects(reading(t, { baseUrl: url, adapter: astray }).read({ keyed: true }), {
    code: 'channel:address_refused',
  })
  t.equal(elsewhere.calls.length, 0)

  const { body } = await reading(t, { baseUrl: url, adapter: keyed }).read({ keyed: true })
  await all(body)
  t.strictSame(
    calls.map(({ headers }) => headers.authorization),
    ['Bearer its-key', 'Bearer its-key'],
    'the key stays for redirects of the same host',
  )
  t.equal(elsewhere.calls.length, 1)
  t.notOk('authorization' in elsewhere.calls[0]!.headers, 'and goes to no other')
})

t.test(
  'a key the upstream does not take is exchanged again, and that is no refusal of ours',
  async (t) => {
    const { url } = await upstream(t, (_, response) => {
      response.writeHead(401).end('invalid key its-key')
    })
    const { read, forgotten } = reading(t, { baseUrl: url, adapter: keyed })
    const error = await read({ keyed: true }).catch((error: Error) => error)
    t.match(error, { code: 'upstream_error', status: 502 })
    t.notMatch(String(error), 'its-key')
    t.strictSame(forgotten, ['its-key'])
  },
)

t.test('a file behind a key may be a text, which is sent as bytes to be saved', async (t) => {
  const { url } = await upstream(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"seed":4}')
  })
  const { read } = reading(t, { baseUrl: url, adapter: keyed })
  const { headers, body } = await read({ type: 'file', keyed: true })
  t.match(headers, {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment',
  })
  t.equal(String(await all(body)), '{"seed":4}')
  await t.rejects(read({ type: 'video', keyed: true }), { code: 'task_result_refused' })
})

t.test('what is nowhere is missing', async (t) => {
  const { read } = reading(t)
  await t.rejects(read({ type: 'text', text: 'a song' }), { code: 'task_result_missing' })
  await t.rejects(read({}), { code: 'task_result_missing' })
  await t.rejects(read({ keyed: true }), { code: 'task_result_missing' }, 'no adapter has it')
  await t.rejects(read({ keyed: true }, undefined, { channelId: 4 }), {
    code: 'task_result_missing',
  })
  const unkeyed = reading(t, { keys: [], adapter: keyed })
  await t.rejects(unkeyed.read({ keyed: true }), { code: 'task_result_missing' })
})

t.test('an exchange of the key that fails is the upstream’s failure', async (t) => {
  const failure = {
    blame: 'channel',
    status: 0,
    code: 'upstream_error',
    message: 'no token.',
  } as const
  const { read } = reading(t, { adapter: keyed, authorized: { failure } })
  await t.rejects(read({ keyed: true }), { code: 'upstream_error', message: /no token/ })
})

import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import type { FrameSocket, SocketSink } from '../../../kernel/contract/bytes.js'
import type { Endpoint, Inbound } from '../../../kernel/contract/endpoint.js'
import type { ClientError, Format } from '../../../kernel/contract/format.js'
import type { Log } from '../../../kernel/contract/kit.js'
import type { Manifest, RouteManifest } from '../../../kernel/contract/manifest.js'
import { httpLimits } from '../../../kernel/http/limits.js'
import { createServer, type RelayStart } from '../../../kernel/http/server.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { FakeClock } from '../../kit/clock.js'
import { exchange, type Line, until } from './harness.js'

interface Options {
  /** What becomes of a request for a socket. Absent: it is let in. */
  relay?(sink: SocketSink, start: RelayStart): Promise<void>
  receive?(inbound: Inbound): void
}

const json = { 'content-type': 'application/json' }
const caller = { id: 1, username: 'ann', role: 1, group: 'default', walletId: 1 }

async function scriptedGateway(t: Test, { relay, receive }: Options = {}) {
  const clock = new FakeClock()
  const lines: Line[] = []
  const keep = (fields: object, message: string) =>
    void lines.push({ ...fields, level: '', message })
  const log: Log = { debug: keep, info: keep, warn: keep, error: keep }
  const ask = { operation: 'realtime', format: 'chat', body: { kind: 'none' } } as const
  const server = createServer({
    environment: { host: '127.0.0.1', port: 0, trustedProxies: [], maxRequestBodyBytes: 100_000 },
    clock,
    log,
    endpoints: [
      endpoint('GET', '/v1/realtime', {
        kind: 'socket',
        receive(inbound) {
          receive?.(inbound)
          return { ...ask, credential: { kind: 'none' } }
        },
      }),
      endpoint('POST', '/v1/chat/completions', {
        kind: 'answer',
        caller: () => ({ kind: 'user', user: caller }),
        answer: async ({ payload }) => ({ status: 200, body: { got: payload.toString() } }),
      }),
    ],
    management: [],
    formats: { get: () => frame },
    authenticator: { principal: async () => undefined, byKey: () => ({ user: caller }) },
    limiter: { arrived: () => undefined, known: () => undefined },
    auditor: { record: async () => {}, refused() {} },
    async relay(start) {
      const sink = start.sink as SocketSink
      if (relay !== undefined) await relay(sink, start)
      else await echo(sink)
    },
  })
  await server.start()
  const port = Number(new URL(server.address).port)
  const sockets: { terminate(): void }[] = []
  t.teardown(async () => {
    for (const socket of sockets) socket.terminate()
    const stopped = server.stop({ abort: () => {} })
    clock.advance(60_000)
    await stopped
  })
  return {
    server,
    clock,
    port,
    lines,
    access: () => lines.filter(({ message }) => message === 'request'),
    socket(path = '/v1/realtime?model=m', protocols: string[] = []) {
      const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols)
      socket.on('error', () => {})
      sockets.push(socket)
      return socket
    },
    raw: (text: string) => raw(port, text, sockets),
  }
}

/** Lets the client in and states everything back; over once the client has left. */
function echo(sink: SocketSink): Promise<void> {
  return new Promise((resolve) => {
    const socket = sink.accept()!
    socket.consume({
      frame: (bytes, binary) => void socket.send(bytes, binary),
      drained: () => {},
      closed: () => resolve(),
    })
    sink.onStopping(() => socket.close(1001, ''))
  })
}

function endpoint(method: 'GET' | 'POST', path: string, route: Endpoint['routes'][string]) {
  const declared: RouteManifest = {
    ...{ name: 'it', method, path, credential: 'key', limiter: 'relay', format: 'chat' },
    body: method === 'GET' ? 'none' : 'json',
  }
  const manifest: Manifest = {
    ...{
      id: `endpoint.${method}`,
      kind: 'endpoint',
      engines: { waybill: '^1.0' },
      version: '1.0.0',
      title: '',
    },
    ...{ entry: './index.js', requires: [], hosts: [], channelTypes: [], settings: [] },
    ...{ channelSettings: [], instanceSettings: [], userSettings: [], routes: [declared] },
  }
  return { manifest, endpoint: { routes: { it: route } } }
}

const frame = {
  name: 'chat',
  encodeError: ({ status, ...words }: ClientError) => ({ status, body: { error: words } }),
} as unknown as Format

/** Speaks HTTP by hand; resolves with everything that came once the other side has closed. */
function raw(port: number, text: string, sockets: { terminate(): void }[]) {
  const socket: Socket = connect(port, '127.0.0.1')
  sockets.push({ terminate: () => socket.destroy() })
  let got = ''
  socket.on('error', () => {})
  socket.on('data', (data) => {
    got += data.toString('latin1')
  })
  socket.write(text.replaceAll('\n', '\r\n'))
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(got)))
  return { socket, closed, got: () => got }
}

const key = 'dGhlIHNhbXBsZSBub25jZQ=='

function handshake(over: Readonly<Record<string, string>> = {}, path = '/v1/realtime'): string {
  const headers = {
    Host: 'x',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': key,
    ...over,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `GET ${path} HTTP/1.1\n${lines.join('\n')}\n\n`
}

t.test('a socket is let in with the request id, and both slash forms are one path', async (t) => {
  const { socket, access } = await scriptedGateway(t)
  for (const path of ['/v1/realtime?key=secret', '/v1/realtime/?key=secret']) {
    const client = socket(path, ['realtime', 'openai-insecure-api-key.sk-secret'])
    let id: unknown
    client.on('upgrade', ({ headers }) => {
      id = headers['x-request-id']
      t.equal(headers['x-oneapi-request-id'], id)
    })
    await new Promise((resolve) => client.once('open', resolve))
    t.match(id, /^req_/)
    t.equal(client.protocol, 'realtime')
    client.send('hello')
    t.equal(String(await new Promise((resolve) => client.once('message', resolve))), 'hello')
    client.close(1000)
    await new Promise((resolve) => client.once('close', resolve))
  }
  await until(() => access().length === 2)
  t.match(access()[0], { status: 101, path: '/v1/realtime', closeCode: 1000, method: 'GET' })
  t.notMatch(JSON.stringify(access()), 'secret')
})

t.test('a handshake that cannot succeed is refused in the frame of the path', async (t) => {
  const relay = async () => {
    t.fail('it does not come to the line')
  }
  const { raw } = await scriptedGateway(t, { relay })
  for (const [over, status, code] of [
    [{ 'Sec-WebSocket-Version': '8' }, 426, 'upgrade_required'],
    [{ 'Sec-WebSocket-Key': 'short' }, 400, 'invalid_request'],
    [{ 'Sec-WebSocket-Protocol': 'a b' }, 400, 'invalid_request'],
    [{ 'Sec-WebSocket-Protocol': 'a, a' }, 400, 'invalid_request'],
  ] as const) {
    const answer = await raw(handshake(over)).closed
    t.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    t.match(answer, `"code":"${code}"`)
    t.match(answer, /x-request-id: req_/i)
    t.match(answer, /sec-websocket-version: 13/i)
    t.match(answer, /connection: close/i)
  }
})

t.test('a refusal of the endpoint and of the line are plain answers', async (t) => {
  const { raw, access } = await scriptedGateway(t, {
    receive({ client }) {
      if (client.query.model === undefined) throw new Refusal('missing_credential')
    },
    relay: async (sink) => sink.send(403, { ...json, 'set-cookie': 'a=1' }, '{"no":true}'),
  })
  const early = await raw(handshake()).closed
  t.match(early, /^HTTP\/1.1 401 /)
  t.match(early, '"code":"missing_credential"')
  const late = await raw(handshake({}, '/v1/realtime?model=m&model=n')).closed
  t.match(late, /^HTTP\/1.1 403 Forbidden\r\n/)
  t.match(late, /\r\n\r\n\{"no":true\}$/)
  t.match(late, /access-control-allow-origin: \*/i)
  t.notMatch(late, /set-cookie/i)
  await until(() => access().length === 2)
  t.strictSame(
    access().map(({ status }) => status),
    [401, 403],
  )
})

t.test('a relay that ends without an answer is an internal error', async (t) => {
  const { raw } = await scriptedGateway(t, { relay: async () => {} })
  t.match(await raw(handshake()).closed, /^HTTP\/1.1 500 /)
})

t.test('a client that leaves before it is let in is gone, and may not be let in', async (t) => {
  let sink: SocketSink | undefined
  let count = 0
  const { raw, access } = await scriptedGateway(t, {
    relay: (given) =>
      new Promise((resolve) => {
        sink = given
        given.onGone(() => {
          count += 1
          resolve()
        })
      }),
  })
  const { socket } = raw(handshake())
  await until(() => sink !== undefined)
  socket.end()
  await until(() => count === 1)
  t.equal(sink!.gone, true)
  t.equal(sink!.accept(), undefined)
  t.match(access(), [{ status: 499, gone: true }])
})

t.test('what a client states before it is let in is kept, within bounds', async (t) => {
  const held: { sink: SocketSink; done: () => void }[] = []
  const { raw } = await scriptedGateway(t, {
    relay: (sink) => new Promise((done) => held.push({ sink, done })),
  })
  const early = raw(handshake())
  await until(() => held.length === 1)
  early.socket.write(Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69]))
  await new Promise((resolve) => setImmediate(resolve))
  const socket: FrameSocket = held[0]!.sink.accept()!
  const heard: string[] = []
  socket.consume({
    frame: (bytes) => heard.push(bytes.toString()),
    drained: () => {},
    closed: () => held[0]!.done(),
  })
  await until(() => heard.length === 1)
  t.strictSame(heard, ['hi'])
  early.socket.destroy()
  const flood = raw(handshake())
  await until(() => held.length === 2)
  held[1]!.sink.onGone(() => held[1]!.done())
  flood.socket.write(Buffer.alloc(1024 * 1024))
  await flood.closed
})

t.test(
  'a plain request to the path has to upgrade, other methods which one there is',
  async (t) => {
    const { port } = await scriptedGateway(t)
    const plain = await exchange(port, 'GET', '/v1/realtime?model=m', {})
    t.equal(plain.status, 426)
    t.equal(plain.headers.upgrade, 'websocket')
    t.match(plain.json, { error: { code: 'upgrade_required' } })
    t.equal((await exchange(port, 'POST', '/v1/realtime', {})).status, 405)
  },
)

t.test(
  'requests that offer another protocol are answered as the plain requests they are',
  async (t) => {
    const { raw, server } = await scriptedGateway(t)
    let connections = 0
    server.listener.on('connection', () => {
      connections += 1
    })
    const offer = 'Host: x\nConnection: Upgrade, HTTP2-Settings\nUpgrade: h2c\nHTTP2-Settings: AAA'
    const post = `POST /v1/chat/completions HTTP/1.1\n${offer}`
    const chunked = raw(`${post}\nTransfer-Encoding: chunked\n\n3\nabc\n`)
    await new Promise((resolve) => setImmediate(resolve))
    chunked.socket.write('2\r\nde\r\n0\r\n\r\n')
    await until(() => chunked.got().includes('abcde'))
    chunked.socket.write(
      'POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nfgh',
    )
    await until(() => chunked.got().includes('fgh'))
    t.equal(chunked.got().match(/HTTP\/1.1 200 OK/g)?.length, 2)
    t.equal(connections, 1, 'whoever counts connections counts one')
    chunked.socket.destroy()
    const elsewhere = raw(handshake({ Connection: 'upgrade, close' }, '/v1/nothing'))
    t.match(await elsewhere.closed, /^HTTP\/1.1 404 /)
  },
)

t.test('stopping tells open sockets, refuses new ones and waits for the goodbyes', async (t) => {
  const { server, socket, clock } = await scriptedGateway(t)
  const client = socket()
  await new Promise((resolve) => client.once('open', resolve))
  const code = new Promise((resolve) => client.once('close', resolve))
  await server.stop({ abort: () => t.fail('it ended by itself') })
  t.equal(await code, 1001)
  t.equal(clock.pending, 0)
})

t.test('stopping refuses those who come late', async (t) => {
  let settle: (() => void) | undefined
  const { server, raw } = await scriptedGateway(t, {
    relay: (sink) =>
      new Promise((resolve) => {
        settle = () => {
          sink.send(200, json, '{}')
          resolve()
        }
      }),
  })
  const first = raw(handshake())
  await until(() => settle !== undefined)
  const late = raw('')
  await new Promise((resolve) => late.socket.once('connect', resolve))
  const stop = server.stop({ abort: () => {} })
  late.socket.write(handshake().replaceAll('\n', '\r\n'))
  t.match(await late.closed, /^HTTP\/1.1 503 /)
  settle!()
  await first.closed
  await stop
})

t.test('stopping ends even when a socket never states goodbye', async (t) => {
  let settle: () => void = () => {}
  const { server, socket, clock } = await scriptedGateway(t, {
    relay: (sink) =>
      new Promise((resolve) => {
        sink.accept()
        settle = resolve
      }),
  })
  const client = socket()
  await new Promise((resolve) => client.once('open', resolve))
  const closed = new Promise((resolve) => client.once('close', resolve))
  let aborted = false
  const stop = server.stop({
    abort: () => {
      aborted = true
    },
  })
  clock.advance(limits.shutdownMs)
  await until(() => aborted)
  // The time to settle begins to run a turn later.
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(httpLimits.closeMs)
  await stop
  t.equal(await closed, 1006)
  settle()
})

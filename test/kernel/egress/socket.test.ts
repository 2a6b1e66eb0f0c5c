import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { type WebSocket, WebSocketServer } from 'ws'
import type { EgressSocketRequest } from '../../../kernel/contract/services/egress.js'
import type { Resolve } from '../../../kernel/egress/address-policy.js'
import { createEgress } from '../../../kernel/egress/egress.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'

interface Upstream {
  readonly url: string
  readonly requests: IncomingMessage[]
  readonly sockets: WebSocket[]
  /** Connections open now. */
  readonly connections: Set<Socket>
}

/** Lets everyone in, or answers plainly where there is an answer. */
async function upstream(t: Test, answer?: RequestListener): Promise<Upstream> {
  const server = createServer(answer)
  const requests: IncomingMessage[] = []
  const sockets: WebSocket[] = []
  const connections = new Set<Socket>()
  server.on('connection', (connection) => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
  })
  if (answer === undefined) {
    const upgrader = new WebSocketServer({ noServer: true })
    server.on('upgrade', (request: IncomingMessage, connection: Socket, head: Buffer) => {
      requests.push(request)
      upgrader.handleUpgrade(request, connection, head, (socket) => {
        sockets.push(socket)
        socket.send('first')
      })
    })
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const connection of connections) connection.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `ws://127.0.0.1:${port}`, requests, sockets, connections }
}

function exit(t: Test, resolve?: Resolve) {
  const clock = new FakeClock()
  const egress = createEgress({ allowPrivateUpstreams: true, clock, log: quietLog, resolve })
  t.teardown(() => egress.close())
  const connect = (url: string, terms: Partial<EgressSocketRequest> = {}) =>
    egress.connect({
      url,
      headers: {},
      protocols: [],
      namedBy: 'admin',
      handshakeTimeoutMs: 10_000,
      ...terms,
    })
  return { egress, clock, connect }
}

/** Why an attempt came to nothing. */
async function failure(attempt: Promise<unknown>) {
  const error = await attempt.then(
    () => undefined,
    (error) => error,
  )
  return error?.failure
}

async function until(met: () => boolean): Promise<void> {
  while (!met()) await new Promise((resolve) => setImmediate(resolve))
}

t.test('a socket opens with the headers requested, and its first frame is not lost', async (t) => {
  const { url, requests, sockets } = await upstream(t)
  const { connect } = exit(t)
  const reply = await connect(`${url}/v1/realtime?model=m`, {
    headers: { authorization: 'Bearer k', 'sec-websocket-key': 'mine', connection: 'x', host: 'h' },
  })
  if (reply.kind !== 'open') throw new Error('it is open')
  await until(() => sockets.length === 1)
  const heard: string[] = []
  reply.socket.consume({
    frame: (bytes) => heard.push(bytes.toString()),
    drained: () => {},
    closed: (code) => heard.push(`closed ${code}`),
  })
  await until(() => heard.length > 0)
  t.strictSame(heard, ['first'])
  t.equal(requests[0]!.url, '/v1/realtime?model=m')
  t.equal(requests[0]!.headers.authorization, 'Bearer k')
  t.not(requests[0]!.headers['sec-websocket-key'], 'mine')
  t.notOk('sec-websocket-extensions' in requests[0]!.headers)
  reply.socket.close(1000, '')
  await until(() => heard.length > 1)
  t.equal(heard[1], 'closed 1000')
})

t.test(
  'an upstream that answers instead is reported as it answered, its body bounded',
  async (t) => {
    const { url, connections } = await upstream(t, (_, response) => {
      response.writeHead(429, { 'retry-after': '7', 'set-cookie': 'a=1' })
      response.end(Buffer.alloc(limits.errorBodyBytesMax * 3, 'x'))
    })
    const { connect, clock } = exit(t)
    const reply = await connect(url)
    if (reply.kind !== 'refused') throw new Error('it is refused')
    t.equal(reply.status, 429)
    t.equal(reply.headers['retry-after'], '7')
    t.notOk('set-cookie' in reply.headers)
    t.equal(reply.head.length, limits.errorBodyBytesMax)
    await until(() => connections.size === 0)
    t.equal(clock.pending, 0)
  },
)

t.test('a redirect is an answer, never followed', async (t) => {
  const { url } = await upstream(t, (_, response) => {
    response.writeHead(302, { location: 'ws://169.254.169.254/' }).end()
  })
  const reply = await exit(t).connect(url)
  t.match(reply, { kind: 'refused', status: 302 })
})

t.test('addresses are checked as for every other call (X1)', async (t) => {
  const { url } = await upstream(t)
  const { connect } = exit(t)
  const refused = { code: 'channel:address_refused' }
  t.match(await failure(connect(url, { namedBy: 'user' })), refused)
  t.match(await failure(connect('ws://169.254.169.254/')), refused)
  t.match(await failure(connect('ftp://example.com/')), refused)
  t.match(await failure(connect(`${url}/a/../b`)), refused)
  t.match(await failure(connect('ws://user:pass@127.0.0.1/')), refused)
})

t.test(
  '[SVC-1] the body of a refusal that comes byte by byte is not read to its end',
  async (t) => {
    const server = createTcpServer((connection) => {
      connection.on('error', () => {})
      connection.write('HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n')
      connection.write('1\r\na\r\n'.repeat(100_000))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.teardown(() => server.close())
    const { connect } = exit(t)
    const reply = await connect(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    if (reply.kind !== 'refused') throw new Error('it is refused')
    t.equal(reply.status, 403)
    // As many pieces as come in any case, and one for every 64 bytes they brought.
    t.ok(reply.head.length < 5000, `${reply.head.length} bytes`)
    t.ok(reply.head.length > 4000)
  },
)

t.test('a name is refused when one of its addresses may not be called (X1)', async (t) => {
  const { connect } = exit(t, (_, done) =>
    done(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '169.254.169.254', family: 4 },
    ]),
  )
  const result = await failure(connect('ws://upstream.example/'))
  t.match(result, { code: 'channel:address_refused' })
})

t.test('the connection goes to the address that was resolved and checked', async (t) => {
  const { url, sockets } = await upstream(t)
  const { connect } = exit(t, (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }]))
  const reply = await connect(url.replace('127.0.0.1', 'upstream.example'))
  t.equal(reply.kind, 'open')
  await until(() => sockets.length === 1)
})

t.test('an upstream that does not answer in time is given up', async (t) => {
  const silent = createTcpServer(() => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const connections: Socket[] = []
  silent.on('connection', (connection) => {
    connection.on('error', () => {})
    connections.push(connection)
  })
  t.teardown(() => {
    for (const connection of connections) connection.destroy()
    silent.close()
  })
  const { port } = silent.address() as AddressInfo
  const { connect, clock } = exit(t)
  const pending = failure(connect(`ws://127.0.0.1:${port}/`))
  await until(() => connections.length === 1)
  // The limit of the connection gives way to that of the answer once it stands.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  clock.advance(limits.connectMs)
  t.match(await pending, { code: 'upstream_timeout', blame: 'upstream', status: 0 })
  t.equal(clock.pending, 0)
})

t.test('nobody there, and a connection that breaks, are failures of their own', async (t) => {
  const { connect } = exit(t)
  t.match(await failure(connect('ws://127.0.0.1:1/')), { code: 'upstream_unreachable' })
  const { url } = await upstream(t, (request) => request.socket.destroy())
  t.match(await failure(connect(url)), { code: 'upstream_broke_off', status: 0 })
})

t.test('an attempt can be cancelled, and leaves nothing behind', async (t) => {
  let reached = false
  const { url, connections } = await upstream(t, () => {
    reached = true
  })
  const { connect, clock } = exit(t)
  const cancel: { abort?: () => void } = {}
  const pending = failure(connect(url, { cancel }))
  await until(() => reached)
  cancel.abort?.()
  t.match(await pending, { code: 'client_gone' })
  await until(() => connections.size === 0)
  t.equal(clock.pending, 0)
})

t.test('closing the way out cuts open sockets', async (t) => {
  const { url, connections } = await upstream(t)
  const { egress, connect, clock } = exit(t)
  const reply = await connect(url)
  if (reply.kind !== 'open') throw new Error('it is open')
  const closed = new Promise<number>((resolve) => {
    reply.socket.consume({ frame: () => {}, drained: () => {}, closed: resolve })
  })
  await egress.close()
  t.equal(await closed, 1006)
  await until(() => connections.size === 0)
  t.equal(clock.pending, 0)
})

import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { WebSocketServer } from 'ws'
import type { EgressRequest } from '../../../kernel/contract/services/egress.js'
import { createEgress } from '../../../kernel/egress/egress.js'
import { systemClock } from '../../../kernel/schedule/system-clock.js'
import { readAll } from '../../../kernel/toolkit/body/read-body.js'
import { EgressError } from '../../../kernel/toolkit/errors/egress-error.js'
import { quietLog } from '../../kit/fakes.js'

/** Where a proxy was queried to go. */
interface Proxy {
  readonly url: string
  readonly requests: string[]
  readonly credentials: (string | undefined)[]
}

async function upstream(t: Test): Promise<string> {
  const server = createServer((_, response) => response.end('from the upstream'))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => socket.on('message', (text) => socket.send(`<${text}>`)))
  const port = await listening(t, server)
  t.teardown(() => {
    for (const client of sockets.clients) client.terminate()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${port}`
}

/** An HTTP proxy that tunnels; with a password it insists on. */
async function httpProxy(t: Test, password?: string): Promise<Proxy> {
  const requests: string[] = []
  const credentials: (string | undefined)[] = []
  const server = createServer()
  server.on('connect', (request, client: Socket) => {
    requests.push(request.url ?? '')
    credentials.push(request.headers['proxy-authorization'])
    const right = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`
    if (password !== undefined && request.headers['proxy-authorization'] !== right) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    tunnel(client, request.url ?? '', () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
  })
  const port = await listening(t, server)
  const login = password === undefined ? '' : `ada:${password}@`
  return { url: `http://${login}127.0.0.1:${port}`, requests, credentials }
}

/** The least of SOCKS5: no credentials, CONNECT to a name or an IPv4 address. */
async function socksProxy(t: Test): Promise<Proxy> {
  const requests: string[] = []
  const server = createTcpServer((client) => {
    client.once('data', () => {
      client.write(Buffer.from([5, 0]))
      client.once('data', (wanted) => {
        const target = targetOf(wanted)
        requests.push(target)
        tunnel(client, target, () => client.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])))
      })
    })
  })
  const port = await listening(t, server)
  return { url: `socks5://127.0.0.1:${port}`, requests, credentials: [] }
}

function targetOf(wanted: Buffer): string {
  const named = wanted[3] === 3
  const end = named ? 5 + wanted[4]! : 8
  const host = named ? wanted.toString('latin1', 5, end) : [...wanted.subarray(4, 8)].join('.')
  return `${host}:${wanted.readUInt16BE(end)}`
}

function tunnel(client: Socket, target: string, ready: () => void): void {
  const [host, port] = target.split(':')
  const out = connect(Number(port), host, () => {
    ready()
    out.pipe(client)
    client.pipe(out)
  })
  out.on('error', () => client.destroy())
  client.on('error', () => out.destroy())
}

async function listening(
  t: Test,
  server: ReturnType<typeof createServer> | ReturnType<typeof createTcpServer>,
): Promise<number> {
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function exit(t: Test, allowPrivateUpstreams = true) {
  const egress = createEgress({ allowPrivateUpstreams, clock: systemClock, log: quietLog })
  t.teardown(() => egress.close())
  const ask = async (url: string, terms: Partial<EgressRequest>) => {
    const reply = await egress.open({
      method: 'GET',
      url,
      headers: {},
      namedBy: 'admin',
      headersTimeoutMs: 5000,
      idleTimeoutMs: 5000,
      ...terms,
    })
    return `${reply.status} ${(await readAll(reply.body, 1000)).toString()}`
  }
  return { egress, ask }
}

t.test('a call of a channel goes through its proxy, HTTP or SOCKS5, and not past it', async (t) => {
  const target = await upstream(t)
  const { host } = new URL(target)
  const { ask } = exit(t)
  for (const proxy of [await httpProxy(t), await socksProxy(t)]) {
    t.equal(await ask(`${target}/x`, { proxy: proxy.url }), '200 from the upstream')
    t.strictSame(proxy.requests, [host])
  }
})

t.test('a WebSocket goes through the proxy as well', async (t) => {
  const target = (await upstream(t)).replace('http', 'ws')
  const { egress } = exit(t)
  for (const proxy of [await httpProxy(t), await socksProxy(t)]) {
    const reply = await egress.connect({
      url: `${target}/live`,
      headers: {},
      protocols: [],
      namedBy: 'admin',
      handshakeTimeoutMs: 5000,
      proxy: proxy.url,
    })
    if (reply.kind !== 'open') return t.fail('the socket was refused')
    const { socket } = reply
    const text = await new Promise<string>((resolve) => {
      socket.consume({
        frame: (bytes) => resolve(bytes.toString()),
        drained() {},
        closed: () => resolve('closed'),
      })
      socket.send(Buffer.from('hello'), false)
    })
    socket.close(1000, '')
    t.equal(text, '<hello>')
    t.equal(proxy.requests.length, 1)
  }
})

t.test(
  'credentials of the proxy go to the proxy; wrong ones are a failure of the call',
  async (t) => {
    const target = await upstream(t)
    const proxy = await httpProxy(t, 'secret')
    const { ask } = exit(t)
    t.equal(await ask(target, { proxy: proxy.url }), '200 from the upstream')
    const wrong = proxy.url.replace('secret', 'guess')
    const error = await ask(target, { proxy: wrong }).catch((thrown) => thrown)
    t.ok(error instanceof EgressError)
    t.equal(error.failure.blame, 'upstream')
    t.notMatch(error.failure.message, /guess|127/)
  },
)

t.test('a proxy nobody answers at, or that may not be called, is a failure by name', async (t) => {
  const target = await upstream(t)
  const { ask } = exit(t)
  const strict = exit(t, false)
  const gone = await httpProxy(t)
  const table: readonly (readonly [typeof ask, string, string])[] = [
    [ask, 'http://127.0.0.1:1', 'upstream_unreachable'],
    [ask, 'socks5://127.0.0.1:1', 'upstream_unreachable'],
    [ask, 'ftp://127.0.0.1', 'channel:address_refused'],
    [ask, 'nonsense', 'channel:address_refused'],
    [ask, 'http://169.254.169.254:80', 'channel:address_refused'],
    [strict.ask, gone.url, 'channel:address_refused'],
  ]
  for (const [way, proxy, code] of table) {
    const error = await way(target.replace('127.0.0.1', 'localhost'), { proxy }).catch((e) => e)
    t.equal(error.failure?.code, code, proxy.replace(/:\d+$/, ''))
  }
})

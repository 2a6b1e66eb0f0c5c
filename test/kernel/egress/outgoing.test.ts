/** The way out that OAuth providers, notifiers and payment gateways get: where it leads, and how long and large it gets. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { NamedBy, Resolve } from '../../../kernel/egress/address-policy.js'
import { createEgress } from '../../../kernel/egress/egress.js'
import { createOutgoing } from '../../../kernel/egress/outgoing.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'

interface Terms {
  readonly hosts: readonly string[]
  /** Values of settings; the test may change them. */
  readonly settings?: Record<string, string>
  readonly allowPrivate?: boolean
  /** Any address may be called, and who named it is written down. */
  readonly named?: NamedBy[]
}

/** Every name leads to this machine. */
const here: Resolve = (_name, done) => done(null, [{ address: '127.0.0.1', family: 4 }])

function exit(t: Test, { hosts, settings = {}, allowPrivate = true, named }: Terms) {
  const clock = new FakeClock()
  const egress = createEgress({
    allowPrivateUpstreams: allowPrivate,
    clock,
    log: quietLog,
    resolve: here,
    ...(named && { policy: (_address, namedBy) => named.push(namedBy) > 0 }),
  })
  t.teardown(() => egress.close())
  const view = { string: (name: string) => settings[name] ?? '' } as Settings
  const outgoing = createOutgoing({
    manifest: { hosts },
    settings: view,
    egress: () => egress,
    clock,
  })
  return { ...outgoing, clock }
}

async function server(t: Test, answer: RequestListener) {
  const requests: IncomingMessage[] = []
  const http = createServer((request, response) => {
    requests.push(request)
    answer(request, response)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  t.teardown(() => {
    http.close()
    http.closeAllConnections()
  })
  return { port: (http.address() as AddressInfo).port, requests, http }
}

const ok: RequestListener = (_request, response) => void response.end('ok')
const expired = { name: 'EgressError', failure: { code: 'upstream_timeout' } }
const refused = { name: 'EgressError', failure: { code: 'channel:address_refused' } }

t.test('a host of the manifest is called, and nothing that only looks like it', async (t) => {
  const { port, requests } = await server(t, ok)
  const { fetch } = exit(t, { hosts: ['id.example.com', '*.acme.example'] })
  for (const host of ['id.example.com', 'eu.acme.example', 'a.b.acme.example', 'ID.Example.com']) {
    t.equal(await (await fetch(`http://${host}:${port}/me`)).text(), 'ok', host)
  }
  const before = requests.length
  for (const host of [
    'example.com',
    'id.example.com.evil.example',
    'xid.example.com',
    'acme.example',
    'evilacme.example',
    'id.example.com@evil.example',
    'evil.example/id.example.com',
    '127.0.0.1',
    '[::1]',
  ]) {
    await t.rejects(fetch(`http://${host}:${port}/me`), refused, host)
  }
  for (const url of ['ftp://id.example.com/', 'file:///etc/passwd', '//id.example.com/', '']) {
    await t.rejects(fetch(url), refused, url)
  }
  t.equal(requests.length, before)
})

t.test('the address of a setting is called as it is now, at its origin alone', async (t) => {
  const { port, requests } = await server(t, ok)
  const { port: otherPort } = await server(t, ok)
  const settings = { address: '' }
  const { fetch } = exit(t, { hosts: ['settings.address'], settings })
  const url = `http://helper.example:${port}/api`
  await t.rejects(fetch(url), refused, 'an empty setting names nobody')
  settings.address = `http://helper.example:${port}/below/`
  t.equal((await fetch(url)).status, 200)
  for (const other of [
    `http://helper.example:${otherPort}/api`,
    `https://helper.example:${port}/api`,
    `http://other.example:${port}/api`,
    `http://helper.example:${port}@other.example/`,
  ]) {
    await t.rejects(fetch(other), refused, other)
  }
  settings.address = 'helper.example'
  await t.rejects(fetch(url), refused, 'a setting that is no address names nobody')
  t.equal(requests.length, 1)
})

t.test('who named the address goes along: author and admin, or a user', async (t) => {
  const { port } = await server(t, ok)
  const named: NamedBy[] = []
  const settings = { address: `http://set.example:${port}` }
  const hosts = ['fixed.example.com', 'settings.address', 'user']
  const { fetch } = exit(t, { hosts, settings, named })
  for (const host of ['fixed.example.com', 'set.example', 'any.example']) {
    await fetch(`http://${host}:${port}/`)
  }
  t.strictSame(named, ['admin', 'admin', 'user'])
})

t.test('what a user named never reaches a private address, whatever is allowed', async (t) => {
  const { port, requests } = await server(t, ok)
  const { fetch } = exit(t, { hosts: ['user'], allowPrivate: true })
  for (const host of [
    '127.0.0.1',
    '[::1]',
    '10.0.0.1',
    '169.254.169.254',
    '0x7f.1',
    '2130706433',
  ]) {
    await t.rejects(fetch(`http://${host}:${port}/`), refused, host)
  }
  // A name is checked by what it leads to.
  await t.rejects(fetch(`http://rebound.example:${port}/`), refused)
  await t.rejects(fetch('http://public.example:22/'), refused, 'nor the ports of other services')
  t.equal(requests.length, 0)
})

t.test('what an admin named reaches a private address only where that is allowed', async (t) => {
  const { port } = await server(t, ok)
  const settings = { address: `http://127.0.0.1:${port}` }
  const terms = { hosts: ['settings.address'], settings }
  t.equal((await exit(t, terms).fetch(settings.address)).status, 200)
  await t.rejects(exit(t, { ...terms, allowPrivate: false }).fetch(settings.address), refused)
})

t.test('a redirect is an answer, wherever it leads', async (t) => {
  const { port, requests } = await server(t, (_request, response) => {
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' })
    response.end('moved')
  })
  const { fetch } = exit(t, { hosts: ['id.example.com'] })
  const response = await fetch(`http://id.example.com:${port}/me`)
  t.equal(response.status, 302)
  t.equal(response.redirected, false)
  t.equal(await response.text(), 'moved')
  t.equal(requests.length, 1)
})

t.test('a request goes out as it was made; cookies do not come in', async (t) => {
  let body = ''
  const { port, requests } = await server(t, (request, response) => {
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      response.writeHead(201, { 'set-cookie': 'a=1', 'x-a': '1' })
      response.end('{"id":"7"}')
    })
  })
  const { fetch } = exit(t, { hosts: ['id.example.com'] })
  const response = await fetch(new URL(`http://id.example.com:${port}/token?x=1`), {
    method: 'POST',
    headers: { authorization: 'Bearer k', 'accept-encoding': 'gzip' },
    body: 'code=1',
  })
  t.equal(response.status, 201)
  t.equal(response.headers.get('x-a'), '1')
  t.equal(response.headers.get('set-cookie'), null)
  t.strictSame(await response.json(), { id: '7' })
  t.match(requests[0], {
    method: 'POST',
    url: '/token?x=1',
    headers: { authorization: 'Bearer k', 'accept-encoding': 'identity' },
  })
  t.equal(body, 'code=1')
})

t.test('an answer without a body is one', async (t) => {
  const { port } = await server(t, ({ url }, response) => {
    response.writeHead(Number(url?.slice(1)))
    response.end()
  })
  const { fetch } = exit(t, { hosts: ['id.example.com'] })
  for (const status of [204, 205, 304, 200]) {
    const response = await fetch(`http://id.example.com:${port}/${status}`)
    t.equal(response.status, status)
    t.equal(await response.text(), '')
  }
})

t.test('the whole call has a time, whether nothing comes or not enough', async (t) => {
  const silent: RequestListener = () => {}
  const halting: RequestListener = (_request, response) => {
    response.writeHead(200)
    response.write('half')
  }
  for (const answer of [silent, halting]) {
    const { port, http } = await server(t, answer)
    const arrived = once(http, 'request')
    const { fetch, clock } = exit(t, { hosts: ['id.example.com'] })
    // So long that only the clock of the test can be meant.
    const call = fetch(`http://id.example.com:${port}/`, { timeoutMs: 600_000 })
    const pending = t.rejects(call, expired)
    const [request] = (await arrived) as [IncomingMessage]
    request.socket.on('error', () => {})
    const closed = new Promise((resolve) => request.socket.on('close', resolve))
    clock.advance(600_000)
    await pending
    await closed
    t.equal(clock.pending, 0, 'nothing is left to wait for')
  }
})

t.test('the time is ten seconds for who asks for no other', async (t) => {
  const { port, http } = await server(t, () => {})
  const arrived = once(http, 'request')
  const { fetch, clock } = exit(t, { hosts: ['id.example.com'] })
  let over = false
  const call = fetch(`http://id.example.com:${port}/`).finally(() => {
    over = true
  })
  const pending = t.rejects(call, expired)
  await arrived
  clock.advance(9_999)
  await new Promise((resolve) => setImmediate(resolve))
  t.equal(over, false)
  clock.advance(1)
  await pending
})

t.test('an answer leaves no clock running', async (t) => {
  const { port } = await server(t, ok)
  const { fetch, clock } = exit(t, { hosts: ['id.example.com'] })
  await fetch(`http://id.example.com:${port}/`)
  t.equal(clock.pending, 0)
  await t.rejects(fetch('http://evil.example/'), refused)
  t.equal(clock.pending, 0)
})

t.test('an answer has a largest size, at which it fails or is cut', async (t) => {
  const { port } = await server(t, ({ url }, response) => {
    response.end('x'.repeat(Number(url?.slice(1))))
  })
  const { fetch } = exit(t, { hosts: ['id.example.com'] })
  const sized = (bytes: number) => `http://id.example.com:${port}/${bytes}`
  const tooLarge = { name: 'EgressError', failure: { code: 'upstream_too_large' } }
  const lengthOf = async (response: Response) => (await response.text()).length
  t.equal(await lengthOf(await fetch(sized(1000), { bytesMax: 1000 })), 1000)
  await t.rejects(fetch(sized(1001), { bytesMax: 1000 }), tooLarge)
  t.equal(await lengthOf(await fetch(sized(1001), { bytesMax: 1000, cut: true })), 1000)
  t.equal(await lengthOf(await fetch(sized(1024 * 1024))), 1024 * 1024)
  await t.rejects(fetch(sized(1024 * 1024 + 1)), tooLarge)
})

t.test('errors tell neither the address nor what was sent', async (t) => {
  const { fetch } = exit(t, { hosts: ['id.example.com'] })
  const headers = { authorization: 'Bearer canary-1' }
  for (const url of ['http://evil.example/?code=canary-1', 'http://id.example.com:1/canary-1']) {
    const error: unknown = await fetch(url, { headers, body: 'canary-1' }).catch((result) => result)
    t.ok(error instanceof Error)
    t.notMatch(String(error), /canary|example/)
  }
})

t.test('a connection is made to the host of a setting and to no other', async (t) => {
  const sockets: Socket[] = []
  const tcp = createTcpServer((socket) => {
    sockets.push(socket)
    socket.end('220 ready\r\n')
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  t.teardown(() => void tcp.close())
  const { port } = tcp.address() as AddressInfo
  const settings = { server: 'mail.example', other: '' }
  const hosts = ['settings.server', 'settings.other', 'fixed.example.com', 'user']
  const { dial } = exit(t, { hosts, settings })
  const socket = await dial('mail.example', port)
  const [greeting] = await once(socket, 'data')
  t.equal(String(greeting), '220 ready\r\n')
  socket.destroy()
  for (const host of [
    'fixed.example.com',
    'any.example',
    '127.0.0.1',
    'localhost',
    'mail.exampl',
  ]) {
    await t.rejects(dial(host, port), refused, host)
  }
  t.equal(sockets.length, 1)
})

t.test('a connection to a private address needs that it is allowed', async (t) => {
  const settings = { server: 'mail.example', plain: '127.0.0.1' }
  const hosts = ['settings.server', 'settings.plain']
  const { dial } = exit(t, { hosts, settings, allowPrivate: false })
  for (const host of Object.values(settings)) await t.rejects(dial(host, 25), refused, host)
})

t.test('a setting that is empty names no host for a connection', async (t) => {
  const { dial } = exit(t, { hosts: ['settings.server'], settings: { server: '' } })
  await t.rejects(dial('', 25), refused)
})

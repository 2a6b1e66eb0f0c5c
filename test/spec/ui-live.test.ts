/** Open consoles hear that something changed, while their session lasts, and of nothing that is not theirs to know. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { Client } from '@hapi/nes'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import type { Clock } from '../../kernel/contract/kit.js'
import { liveLimits } from '../../kernel/live/limits.js'
import { systemClock } from '../../kernel/schedule/system-clock.js'
import { type Management, management, root } from '../kit/management.js'
import { socketGateway } from '../kit/socket-gateway.js'
import { answer } from '../kit/socket-upstream.js'

t.setTimeout(240_000)

const testGateway = await socketGateway(t)
const { url, admin, gateway } = testGateway

interface Person {
  readonly id: number
  readonly cookie: string
  readonly console: Management
}

async function signIn(username: string, password: string, at = url): Promise<string> {
  const answer = await fetch(`${at}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return String(answer.headers.getSetCookie()[0]).split(';')[0]!
}

let people = 0

async function person(role = 1): Promise<Person> {
  people += 1
  const username = `person${people}`
  const { password } = root
  await admin.must('POST', '/api/user/', { username, password, role })
  const { items } = await admin.must('GET', `/api/user/search?keyword=${username}`)
  const own = management(url)
  await own.login(username, password)
  return { id: items[0].id, cookie: await signIn(username, password), console: own }
}

const rootCookie = await signIn(root.username, root.password)
const origin = url

interface Heard {
  readonly client: Client
  readonly closed: Promise<number>
}

/** A console of this cookie; it does not come back by itself. */
async function open(t: Test, cookie: string, at = url): Promise<Heard> {
  const client = new Client(`ws${at.slice('http'.length)}/live` as `ws://${string}`, {
    ws: { origin: at, headers: { cookie } },
  })
  const closed = new Promise<number>((resolve) => {
    client.onDisconnect = (_, log) => resolve(log.code)
  })
  client.onError = () => {}
  await client.connect({ reconnect: false })
  t.teardown(() => client.disconnect())
  return { client, closed }
}

/** What comes at a path, in order, each awaited. */
async function listen(client: Client, path: string) {
  const heard: unknown[] = []
  const waiting: ((message: unknown) => void)[] = []
  await client.subscribe(path, (message: unknown) => {
    const next = waiting.shift()
    if (next) next(message)
    else heard.push(message)
  })
  return {
    heard,
    next: () =>
      heard.length > 0
        ? Promise.resolve(heard.shift())
        : new Promise<unknown>((resolve) => waiting.push(resolve)),
  }
}

/** Of a subscription that is refused. */
function statusOf(client: Client, path: string): Promise<number | undefined> {
  return client
    .subscribe(path, () => {})
    .then(
      () => undefined,
      (error) => error.statusCode,
    )
}

async function refused(headers: Record<string, string>, path = '/live') {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}${path}`, { headers })
  const [, response] = await once(socket, 'unexpected-response')
  let text = ''
  for await (const piece of response) text += piece
  return { status: response.statusCode, body: JSON.parse(text), headers: response.headers }
}

t.test('a socket is for signed-in users on a page of this site', async (t) => {
  t.match(await refused({ origin }), {
    status: 401,
    body: { success: false, code: 'unauthorized' },
  })
  const wrong = { origin, cookie: `session=${'x'.repeat(43)}` }
  t.match(await refused(wrong), { status: 401 })
  const cookie = rootCookie
  const places = [
    'https://elsewhere.example',
    'null',
    url.replace(/\d+$/, '1'),
    `${url}.evil.example`,
  ]
  for (const other of places) {
    t.match(await refused({ origin: other, cookie }), {
      status: 403,
      body: { code: 'cross_site_request' },
    })
  }
  t.match(await refused({ cookie }), { status: 403 }, 'a browser states where it comes from')
  t.match(await refused({ origin, cookie }, '/live/x'), { status: 404 })
  const ada = await person()
  const token = await ada.console.must('POST', '/api/user/token', {}).catch(() => 'none')
  t.match(await refused({ origin, authorization: `Bearer ${token}` }), { status: 401 })
  t.equal((await fetch(`${url}/live`)).status, 404, 'without an upgrade there is nothing')
})

t.test('admins hear which rows changed, in ids alone', async (t) => {
  const { client } = await open(t, rootCookie)
  const channels = await listen(client, '/live/changes/channels')
  const id = await testGateway.serve({ name: 'another', key: 'hush-hush' })
  const result = await channels.next()
  t.strictSame(result, { ids: [String(id)] })
  const users = await listen(client, '/live/changes/users')
  const { id: userId } = await person()
  t.match(await users.next(), { ids: [String(userId)] })
})

t.test('of many rows it is reported that there were many', async (t) => {
  const { client } = await open(t, rootCookie)
  const topic = await listen(client, '/live/changes/models')
  const { knex, changes } = { ...gateway.service('database'), changes: gateway.service('changes') }
  const note = (count: number) =>
    knex.transaction((trx) =>
      changes.note(
        trx,
        'models',
        Array.from({ length: count }, (_, at) => at + 9000),
      ),
    )
  await note(200)
  t.equal(((await topic.next()) as { ids: string[] }).ids.length, 200)
  await note(201)
  t.strictSame(await topic.next(), { ids: null })
})

t.test('who is no admin hears of nothing but their own account', async (t) => {
  const ada = await person()
  const bob = await person()
  const { client } = await open(t, ada.cookie)
  for (const path of [
    '/live/changes/channels',
    '/live/changes/users',
    '/live/runs',
    '/live/system',
    '/live/health',
  ]) {
    t.equal(await statusOf(client, path), 403, path)
  }
  t.equal(await statusOf(client, '/live/nothing'), 404)
  const account = await listen(client, '/live/account')
  gateway.service('live').publish('account', { of: 'bob' }, bob.id)
  gateway.service('live').publish('account', { of: 'ada' }, ada.id)
  t.strictSame(await account.next(), { of: 'ada' })
  await admin.credit(ada.id, 500)
  gateway.service('live').publish('account', {}, ada.id)
  t.strictSame(await account.next(), {})
})

t.test('users hear of their own orders alone', async (t) => {
  const [ada, bob] = [await person(), await person()]
  const { client } = await open(t, ada.cookie)
  const orders = await listen(client, '/live/orders')
  gateway.service('live').publish('orders', { of: 'bob' }, bob.id)
  gateway.service('live').publish('orders', { of: 'ada' }, ada.id)
  t.strictSame(await orders.next(), { of: 'ada' })
})

t.test('users hear that their balance changed, and realtime works beside it', async (t) => {
  const { client } = await open(t, rootCookie)
  const account = await listen(client, '/live/account')
  const index = testGateway.upstream.sessions.length
  const realtime = await testGateway.open()
  const upstream = await testGateway.upstream.session(index)
  realtime.send({ type: 'response.create' })
  await upstream.next('response.create')
  upstream.send(answer.created('resp_1'))
  upstream.send(answer.done('resp_1', answer.usage(100, 20)))
  await realtime.next('response.done')
  realtime.socket.close()
  await realtime.closed
  t.strictSame(await account.next(), {}, 'reported once it is settled')
})

t.test('runs, heartbeats and the health of channels are reported to admins', async (t) => {
  const { client } = await open(t, rootCookie)
  const runs = await listen(client, '/live/runs')
  const system = await listen(client, '/live/system')
  const health = await listen(client, '/live/health')
  await admin.must('GET', '/api/channel/test')
  const first = (await runs.next()) as { done: number; total: number; running: boolean }
  t.match(first, { run: 'tests', running: true, failed: 0 })
  let last = first
  while (last.running) last = (await runs.next()) as typeof first
  t.match(last, { run: 'tests', done: first.total, total: first.total })
  gateway.service('live').publish('system', { node: 'test' })
  t.strictSame(await system.next(), { node: 'test' })
  gateway.service('live').publish('health', { channels: [1] })
  t.ok(await health.next())
})

t.test('a session that ends loses its sockets; the others stay', async (t) => {
  const ada = await person()
  const { closed } = await open(t, ada.cookie)
  const stays = await open(t, rootCookie)
  await admin.must('POST', '/api/user/manage', { id: ada.id, action: 'disable' })
  t.equal(await closed, 4401)
  const account = await listen(stays.client, '/live/account')
  gateway.service('live').publish('account', { still: true }, 1)
  t.strictSame(await account.next(), { still: true })
  t.match(await refused({ origin, cookie: ada.cookie }), { status: 401 })
})

t.test(
  'a session that only went, or has another rank, is noticed without being used',
  async (t) => {
    const short: Clock = {
      ...systemClock,
      after: (ms, run) => systemClock.after(ms === liveLimits.sessionCheckMs ? 40 : ms, run),
    }
    const quick = await socketGateway(t, { clock: short })
    const { knex } = quick.gateway.service('database')
    const cookies = [await signIn(root.username, root.password, quick.url)]
    cookies.push(await signIn(root.username, root.password, quick.url))
    const consoles = await Promise.all(cookies.map((cookie) => open(t, cookie, quick.url)))
    const lastUse = new Date(Date.now() - 3_600_000)
    await knex('sessions').update({ last_seen_at: lastUse })
    const [gone] = await knex('sessions').orderBy('created_at', 'desc').limit(1)
    await knex('sessions').where('id_hash', gone.id_hash).delete()
    t.equal(await consoles[1]!.closed, 4401)
    const rows = await knex('sessions').select('last_seen_at')
    for (const row of rows) t.strictSame(row.last_seen_at, lastUse)
    await knex('users').where({ id: 1 }).update({ role: 10 })
    t.equal(await consoles[0]!.closed, 4401)
    await knex('users').where({ id: 1 }).update({ role: 100 })
  },
)

t.test('[AUTH-2] what a page reads while nobody is there keeps nobody signed in', async (t) => {
  const ada = await person()
  const { knex } = gateway.service('database')
  const lastUse = new Date(Date.now() - 3_600_000)
  const ask = async (method: string, content: Record<string, string>) => {
    await knex('sessions').where('user_id', ada.id).update({ last_seen_at: lastUse })
    const headers = { cookie: ada.cookie, origin, 'content-type': 'application/json', ...content }
    const path = method === 'GET' ? '/api/user/self' : '/api/user/setting'
    const body = method === 'GET' ? undefined : '{}'
    await fetch(`${url}${path}`, { method, headers, body })
    const rows = await knex('sessions').where('user_id', ada.id).select('last_seen_at')
    return rows.some((row) => row.last_seen_at.getTime() !== lastUse.getTime())
  }
  t.equal(await ask('GET', { 'x-session-unused': '1' }), false)
  t.equal(await ask('GET', { 'x-session-unused': '0' }), true)
  t.equal(await ask('GET', {}), true)
  t.equal(await ask('PUT', { 'x-session-unused': '1' }), true, 'who writes is there')
  const gone = new Date(Date.now() - 25 * 3_600_000)
  await knex('sessions').where('user_id', ada.id).update({ last_seen_at: gone })
  const headers = { cookie: ada.cookie, 'x-session-unused': '1' }
  t.equal((await fetch(`${url}/api/user/self`, { headers })).status, 401, 'it is no way around')
})

t.test('nobody listens to topics without end', async (t) => {
  const { client, closed } = await open(t, rootCookie)
  const subscribe = (name: string) => client.subscribe(`/live/changes/${name}`, () => {})
  const names = Array.from({ length: liveLimits.topicsMax }, (_, at) => `t${'x'.repeat(at)}`)
  await Promise.all(names.map(subscribe))
  await client.unsubscribe('/live/changes/t', undefined)
  await subscribe('another')
  await subscribe('channels').catch(() => {})
  t.equal(await closed, 1008)
})

t.test('nobody opens sockets without end', async (t) => {
  const ada = await person()
  const opened = await Promise.all(
    Array.from({ length: liveLimits.socketsPerUserMax }, () => open(t, ada.cookie)),
  )
  t.match(await refused({ origin, cookie: ada.cookie }), {
    status: 429,
    headers: { 'retry-after': '60' },
  })
  const [first] = opened
  await first!.client.disconnect()
  await open(t, ada.cookie)
})

t.test('what is no subscription closes the socket, and nothing else happens', async (t) => {
  const hello = { type: 'hello', id: 1, version: '2' }
  const messages: readonly unknown[] = [
    { type: 'request', id: 2, method: 'GET', path: '/api/status' },
    { type: 'message', id: 2, message: 'hi' },
    { type: 'reauth', id: 2, auth: 'x' },
    { type: 'sub', id: 2, path: 7 },
    { type: 'sub', id: 2, path: '__proto__' },
    { type: 'unsub', id: 2, path: '__proto__' },
    { type: 'sub', id: 2, path: ['/live/account'] },
    { ...hello, id: 2, subs: [7] },
    { type: 'sub', path: '/live/account' },
    ...['null', '7', '[]', '"x"', '{', ''].map((text) => Buffer.from(text)),
  ]
  for (const message of messages) {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/live`, {
      headers: { origin, cookie: rootCookie },
    })
    await once(socket, 'open')
    socket.send(JSON.stringify(hello))
    await once(socket, 'message')
    socket.send(Buffer.isBuffer(message) ? message : JSON.stringify(message))
    const [code] = await once(socket, 'close')
    t.equal(code, 1008, String(Buffer.isBuffer(message) ? message : JSON.stringify(message)))
  }
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/live`, {
    headers: { origin, cookie: rootCookie },
  })
  await once(socket, 'open')
  socket.send('x'.repeat(5000))
  const [code] = await once(socket, 'close')
  t.equal(code, 1009, 'too long')
})

t.test('a client that leaves in the middle of the handshake harms nobody', async (t) => {
  const { port, host } = new URL(url)
  for (const piece of ['', 'garbage behind the request']) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(
      `GET /live HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nCookie: ${rootCookie}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n${piece}`,
    )
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  await open(t, rootCookie)
})

t.test('a gateway that stops states goodbye at once', async (t) => {
  const hurried = await socketGateway(t)
  const cookie = await signIn(root.username, root.password, hurried.url)
  const consoles = await Promise.all([1, 2, 3].map(() => open(t, cookie, hurried.url)))
  // This one answers nothing any more.
  const deaf = new WebSocket(`${hurried.url.replace(/^http/, 'ws')}/live`, {
    headers: { origin: hurried.url, cookie },
  })
  deaf.on('error', () => {})
  await once(deaf, 'open')
  deaf.pause()
  const since = systemClock.monotonic()
  await hurried.stop()
  t.ok(systemClock.monotonic() - since < 5000)
  t.strictSame(await Promise.all(consoles.map(({ closed }) => closed)), [1001, 1001, 1001])
  deaf.terminate()
})

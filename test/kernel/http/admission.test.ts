/** Who is let in, before a body is read: keys, room, requests at once, speed. */
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { RelayStart } from '../../../kernel/http/server.js'
import { ByteBudget } from '../../../kernel/memory/byte-budget.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import {
  type GatewayOptions,
  json,
  type ScriptedGateway,
  scriptedGateway,
  until,
} from './harness.js'

const MiB = 1024 * 1024
const user = (id: number) => ({ id, username: 'ann', role: 1, group: 'default', walletId: 1 })
const post = (...lines: readonly string[]) =>
  ['POST /v1/chat/completions HTTP/1.1', 'Host: h', 'Authorization: 1', ...lines, '', ''].join(
    '\r\n',
  )

async function raw({ socket }: ScriptedGateway, text: string) {
  const client: Socket = await socket()
  let message = ''
  let ended = false
  client.on('data', (bytes) => {
    message += bytes.toString('latin1')
  })
  client.on('close', () => {
    ended = true
  })
  client.write(text)
  return { client, readResult: () => message, ended: () => ended }
}

function connections({ server }: ScriptedGateway): Promise<number> {
  return new Promise((resolve, reject) => {
    server.listener.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })
}

/** Everybody has a key: the number of their account. */
const byNumber: GatewayOptions['byKey'] = (key) => ({
  user: user(Number(key)),
  token: { id: Number(key) } as never,
})

/** Relays that end on command. */
function waiting() {
  const starts: RelayStart[] = []
  const ends: (() => void)[] = []
  const relay = (start: RelayStart) => {
    starts.push(start)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  return { starts, ends, relay }
}

t.test('[AUTH-1] a key that is looked up is waited for before anything is read', async (t) => {
  let answer: (() => void) | undefined
  let payload = ''
  const it = await scriptedGateway(t, {
    byKey: () =>
      new Promise((resolve) => {
        answer = () => resolve({ user: user(1) })
      }),
    relay: async ({ inbound, sink }) => {
      payload = inbound.payload.toString()
      sink.send(200, json, '{"ok":true}')
    },
  })
  const call = await raw(it, post('Content-Length: 2', 'Expect: 100-continue'))
  await until(() => answer !== undefined)
  t.equal(call.readResult(), '')
  answer?.()
  await until(() => call.readResult().includes('100 Continue'))
  call.client.write('{}')
  await until(() => call.readResult().includes('"ok":true'))
  t.equal(payload, '{}')
})

t.test(
  '[AUTH-1] a small body of a stranger costs them the answer and not the connection',
  async (t) => {
    const it = await scriptedGateway(t, {
      byKey(key) {
        if (key !== '1') throw new Refusal('invalid_api_key')
        return { user: user(1) }
      },
    })
    const wrong = post('Content-Length: 3').replace('Authorization: 1', 'Authorization: 2')
    const call = await raw(it, `${wrong}abc${post('Content-Length: 2')}{}`)
    await until(() => call.readResult().includes('"ok":true'))
    t.match(call.readResult(), /^HTTP\/1.1 401 /)
    t.notMatch(call.readResult(), /connection: close/i)
  },
)

t.test('[AUTH-1] a large one ends it, after a moment to read the answer in', async (t) => {
  const it = await scriptedGateway(t, {
    byKey() {
      throw new Refusal('invalid_api_key')
    },
  })
  const call = await raw(it, post('Content-Length: 70000'))
  let halfClosed = false
  call.client.allowHalfOpen = true
  call.client.on('end', () => {
    halfClosed = true
  })
  await until(() => halfClosed)
  t.match(call.readResult(), /^HTTP\/1.1 401 /)
  t.equal(await connections(it), 1, 'bytes on their way meet no reset')
  it.clock.advance(2_000)
  let left = 1
  while (left > 0) left = await connections(it)
  t.equal(it.clock.pending, 0)
})

t.test(
  '[LIMIT-6] requests at once are bounded by address, user and key, and by nobody else',
  async (t) => {
    const { starts, ends, relay } = waiting()
    const it = await scriptedGateway(t, {
      relay,
      byKey: (key) => ({ user: user(Number(key) % 10), token: { id: Number(key) } as never }),
      trustedProxies: ['127.0.0.1'],
      concurrency: { perAddress: 4, perUser: 3, perKey: 2 },
    })
    const call = (key: string, address: string) =>
      raw(
        it,
        post('Content-Length: 2', `X-Forwarded-For: ${address}`)
          .replace('Authorization: 1', `Authorization: ${key}`)
          .concat('{}'),
      )
    const refused = async (key: string, address: string, whose: string) => {
      const { readResult } = await call(key, address)
      await until(() => readResult().includes('too_many_at_once'))
      t.match(readResult(), /^HTTP\/1.1 429 /)
      t.match(readResult(), new RegExp(`of this ${whose} `))
      t.match(readResult(), /retry-after: 1/i)
    }
    const first = await call('11', '10.0.0.1')
    await call('11', '10.0.0.1')
    await until(() => starts.length === 2)
    await refused('11', '10.0.0.2', 'API key')
    await call('21', '10.0.0.1')
    await until(() => starts.length === 3)
    await refused('31', '10.0.0.2', 'user')
    await call('2', '10.0.0.1')
    await until(() => starts.length === 4)
    await refused('3', '10.0.0.1', 'address')
    await call('3', '10.0.0.9')
    await until(() => starts.length === 5)
    // A client that leaves counts for as long as its request is worked on.
    first.client.destroy()
    await until(() => it.access().length === 4)
    await refused('11', '10.0.0.8', 'user')
    ends[0]?.()
    await new Promise((resolve) => setImmediate(resolve))
    await call('11', '10.0.0.8')
    await until(() => starts.length === 6)
    for (const start of starts) start.sink.send(200, json, '{}')
    for (const end of ends) end()
  },
)

t.test(
  '[LIMIT-6] whichever way a request ends, its place and its room are free again',
  async (t) => {
    const budget = new ByteBudget(8 * MiB)
    const it = await scriptedGateway(t, {
      budget,
      byKey: byNumber,
      maxRequestBodyBytes: MiB,
      // Each way begins with nobody there: one place is all there is.
      trustedProxies: ['192.0.2.1'],
      concurrency: { perAddress: 1, perUser: 1, perKey: 1 },
      relay: async ({ inbound, sink }) => {
        const way = inbound.payload.toString().slice(0, 5)
        if (way === 'throw') throw new Error('broken')
        if (way === 'never') return
        if (way === 'cut..') {
          sink.head(200, json)
          sink.write(Buffer.from('{'))
          sink.destroy()
          return
        }
        if (way === 'refus') throw new Refusal('model_not_found', { model: 'm' })
        sink.send(200, json, '{"ok":true}')
      },
    })
    const sized = (text: string, ...lines: readonly string[]) =>
      post(`Content-Length: ${text.length}`, ...lines) + text
    const bomb = gzipSync(Buffer.alloc(2 * MiB))
    const gzipped = Buffer.concat([
      Buffer.from(post(`Content-Length: ${bomb.length}`, 'Content-Encoding: gzip')),
      bomb,
    ]).toString('latin1')
    const ways: readonly (readonly [string, 'answer' | 'cut' | 'leave' | 'late'])[] = [
      [sized('well.'), 'answer'],
      [sized('throw'), 'answer'],
      [sized('never'), 'answer'],
      [sized('refus'), 'answer'],
      [sized('cut..'), 'cut'],
      [post('Content-Length: 500000'), 'leave'],
      [`${post('Content-Length: 500000')}abc`, 'late'],
      [`${post('Transfer-Encoding: chunked')}5\r\nthrow\r\n`, 'leave'],
      [post('Content-Length: 2000000'), 'answer'],
      [`${post('Transfer-Encoding: chunked')}zz\r\n`, 'cut'],
      [sized('abc', 'Content-Encoding: gzip'), 'answer'],
      [sized('abc', 'Content-Encoding: zip'), 'answer'],
      [gzipped, 'answer'],
      [`${post('Transfer-Encoding: chunked')}${'1\r\na\r\n'.repeat(5000)}`, 'answer'],
    ]
    for (const [text, end] of [...ways, ...ways.toReversed(), ...ways]) {
      const client = await it.socket()
      let message = ''
      let closed = false
      client.on('data', (bytes) => {
        message += bytes.toString('latin1')
      })
      client.on('close', () => {
        closed = true
      })
      const lines = it.access().length
      client.write(Buffer.from(text, 'latin1'))
      if (end === 'leave' || end === 'late') await until(() => budget.held > 0)
      if (end === 'leave') client.destroy()
      if (end === 'late') it.clock.advance(20_000)
      if (end === 'cut') await until(() => closed)
      else if (end !== 'leave') await until(() => message.includes('\r\n\r\n'))
      await until(() => it.access().length > lines)
      await new Promise((resolve) => setImmediate(resolve))
      t.equal(budget.held, 0, text.slice(0, 200))
      t.notMatch(message, /too_many_at_once/)
      client.destroy()
    }
    const last = await raw(it, sized('well.'))
    await until(() => last.readResult().includes('"ok":true'))
  },
)

t.test('[SVC-1] a large body that trickles is ended, a small one is waited for', async (t) => {
  const it = await scriptedGateway(t, { byKey: byNumber, maxRequestBodyBytes: 10 * MiB })
  const large = await raw(it, `${post('Content-Length: 9000000')}a`)
  await until(() => it.clock.pending === 1)
  const small = await raw(it, `${post('Content-Length: 5')}a`)
  await until(() => it.clock.pending === 2)
  it.clock.advance(10_000)
  t.equal(large.readResult(), '')
  large.client.write('b')
  it.clock.advance(5_000)
  await until(() => large.readResult().includes('request_timeout'))
  t.match(large.readResult(), /^HTTP\/1.1 408 /)
  it.clock.advance(50_000)
  small.client.write('bcde')
  await until(() => small.readResult().includes('"ok":true'))
})

t.test('[SVC-1] what a body unfolds to counts, and is given back with the answer', async (t) => {
  const budget = new ByteBudget(16 * MiB)
  const { starts, ends, relay } = waiting()
  const it = await scriptedGateway(t, {
    byKey: byNumber,
    budget,
    relay,
    maxRequestBodyBytes: 10 * MiB,
  })
  const body = gzipSync(Buffer.alloc(7 * MiB))
  const send = () =>
    it.ask('POST', '/v1/chat/completions', {
      headers: { 'content-encoding': 'gzip', authorization: '1' },
      body,
    })
  const first = send()
  await until(() => starts.length === 1)
  t.equal(budget.held, 7 * MiB)
  const second = await send()
  t.equal(second.status, 503)
  t.match(second.json, { error: { code: 'out_of_room' } })
  t.equal(second.headers['retry-after'], '1')
  starts[0]?.sink.send(200, json, '{}')
  ends[0]?.()
  await first
  await until(() => budget.held === 0)
})

/** A body of these items, as large as that. */
function listOf(item: string, bytes: number): Buffer {
  return Buffer.from(`{"a":[${`${item},`.repeat(Math.floor(bytes / (item.length + 1)))}0]}`)
}

t.test(
  '[SVC-1] what is built of the JSON of a request is held as what it weighs, and given back',
  async (t) => {
    const budget = new ByteBudget(64 * MiB)
    const { starts, ends, relay } = waiting()
    const it = await scriptedGateway(t, { byKey: byNumber, budget, relay, readsJson: true })
    const send = (body: Buffer, key: string) =>
      it.ask('POST', '/v1/chat/completions', { headers: { authorization: key }, body })
    const light = send(Buffer.from(`{"a":"${'x'.repeat(90_000)}"}`), '1')
    await until(() => starts.length === 1)
    t.ok(budget.held < 91_000, 'a text weighs its bytes')
    const heavy: Promise<unknown>[] = []
    const refused: { status: number; json: object; headers: object }[] = []
    for (let sent = 0; sent < 40; sent += 1) {
      const answer = send(listOf('[]', 90_000), String(sent))
      heavy.push(answer.then((reply) => reply.status === 503 && refused.push(reply)))
    }
    await until(() => starts.length + refused.length === 41)
    t.ok(refused.length > 10, `${refused.length} found no room`)
    t.ok(starts.length > 10, `${starts.length - 1} did`)
    t.ok(budget.held / (starts.length - 1) > 1.5 * MiB)
    t.match(refused[0], {
      json: { error: { code: 'out_of_room' } },
      headers: { 'retry-after': '1' },
    })
    for (const start of starts) start.sink.send(200, json, '{}')
    for (const end of ends) end()
    await Promise.all([light, ...heavy])
    await until(() => budget.held === 0)
  },
)

t.test(
  '[SVC-1] a body whose values could never be held is refused as too large, large or small',
  async (t) => {
    const budget = new ByteBudget(4 * MiB)
    const it = await scriptedGateway(t, { budget, readsJson: true, maxRequestBodyBytes: MiB })
    for (const bytes of [250_000, 600_000]) {
      const reply = await it.ask('POST', '/v1/chat/completions', { body: listOf('[0]', bytes) })
      t.equal(reply.status, 413)
      t.match(reply.json, { error: { code: 'json_too_large', message: /bytes of memory/ } })
      await until(() => budget.held === 0)
    }
  },
)

t.test('[SVC-1] the JSON of management weighs as much', async (t) => {
  const budget = new ByteBudget(4 * MiB)
  const held: number[] = []
  const it = await scriptedGateway(t, {
    budget,
    managementRoutes: [
      {
        name: 'a',
        method: 'POST',
        path: '/api/a',
        body: 'json',
        credential: 'user',
        maxBytes: MiB,
      },
    ],
    principal: {
      ...{ userId: 1, username: 'ann', role: 1, group: 'default', via: 'accessToken' },
      accessToken: { id: 1, name: 'a', scopes: ['all'] },
    },
    management: {
      routes: {
        a: {
          handle: async () => {
            held.push(budget.held)
            return null
          },
        },
      },
    },
  })
  const headers = { 'content-type': 'application/json' }
  const send = (body: Buffer) => it.ask('POST', '/api/a', { headers, body })
  t.equal((await send(listOf('[]', 20_000))).status, 200)
  t.ok(held[0]! > 500_000, `${held[0]} bytes`)
  t.equal((await send(listOf('[]', 300_000))).status, 413)
  await until(() => budget.held === 0)
})

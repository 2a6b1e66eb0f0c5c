import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { ByteConsumer } from '../../../kernel/contract/bytes.js'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { EgressRequest } from '../../../kernel/contract/services/egress.js'
import type { Resolve } from '../../../kernel/egress/address-policy.js'
import { createEgress } from '../../../kernel/egress/egress.js'
import { UpstreamCall } from '../../../kernel/egress/upstream-call.js'
import { readAll, readHead } from '../../../kernel/toolkit/body/read-body.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'

interface Upstream {
  readonly url: string
  /** Connections open now. */
  readonly sockets: Set<Socket>
}

async function upstream(t: Test, answer: RequestListener): Promise<Upstream> {
  const server = createServer(answer)
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets }
}

function exit(t: Test, resolve?: Resolve) {
  const clock = new FakeClock()
  const egress = createEgress({ allowPrivateUpstreams: true, clock, log: quietLog, resolve })
  t.teardown(() => egress.close())
  const open = (url: string, terms: Partial<EgressRequest> = {}) =>
    egress.open({
      method: 'POST',
      url,
      headers: {},
      namedBy: 'admin',
      headersTimeoutMs: 10_000,
      idleTimeoutMs: 10_000,
      ...terms,
    })
  return { egress, clock, open }
}

/** What a consumer received, in order. */
function listener(more: () => boolean = () => true) {
  const heard: string[] = []
  let readResult: (failure: Failure | undefined) => void
  const over = new Promise<Failure | undefined>((resolve) => {
    readResult = resolve
  })
  const consumer: ByteConsumer = {
    data(chunk) {
      heard.push(chunk.toString())
      return more()
    },
    end() {
      heard.push('end')
      readResult(undefined)
    },
    fail(failure) {
      heard.push(`fail ${failure.code}`)
      readResult(failure)
    },
  }
  return { heard, over, consumer }
}

/** Why a call came to nothing. */
function failureOf(call: Promise<unknown>): Promise<Failure | undefined> {
  return call.then(
    () => undefined,
    (error) => error.failure,
  )
}

async function until(met: () => boolean): Promise<void> {
  while (!met()) await new Promise((resolve) => setImmediate(resolve))
}

t.test('a request goes out as it was made and its answer comes back', async (t) => {
  let seen: IncomingMessage | undefined
  let body = ''
  const { url } = await upstream(t, (request, response) => {
    seen = request
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => response.writeHead(201, { 'X-A': '1' }).end('answer'))
  })
  const { open } = exit(t)
  const reply = await open(`${url}/v1/x?y=1`, {
    headers: { authorization: 'Bearer k', 'accept-encoding': 'gzip', host: 'evil.example' },
    body: '{"a":1}',
  })
  t.equal(reply.status, 201)
  t.equal(reply.headers['x-a'], '1')
  t.equal(String(await readAll(reply.body, 100)), 'answer')
  t.equal(body, '{"a":1}')
  t.equal(seen?.url, '/v1/x?y=1')
  t.match(seen?.headers, {
    authorization: 'Bearer k',
    'accept-encoding': 'identity',
    host: url.slice('http://'.length),
    'content-length': '7',
  })
})

t.test('[ERR-3] cookies and hop-by-hop headers stop here, in both directions', async (t) => {
  let seen: IncomingMessage | undefined
  const { url } = await upstream(t, (request, response) => {
    seen = request
    response.setHeader('Set-Cookie', ['a=1', 'b=2'])
    response.setHeader('Connection', 'keep-alive, X-Hop')
    response.setHeader('X-Hop', '1')
    response.setHeader('Proxy-Authenticate', 'Basic')
    response.setHeader('Content-Type', 'application/json')
    response.end('{}')
  })
  const { open } = exit(t)
  const reply = await open(url, {
    headers: { connection: 'X-Named', 'x-named': '1', 'x-kept': '2', te: 'trailers' },
  })
  const { date, ...headers } = reply.headers
  t.strictSame(headers, { 'content-type': 'application/json', 'content-length': '2' })
  t.equal(seen?.headers['x-kept'], '2')
  t.notOk('x-named' in seen!.headers)
  t.notOk('te' in seen!.headers)
})

t.test('a redirect is an answer and is not followed', async (t) => {
  let requests = 0
  const { url } = await upstream(t, (_, response) => {
    requests += 1
    response.writeHead(302, { location: 'http://169.254.169.254/' }).end('moved')
  })
  const { open } = exit(t)
  const reply = await open(url)
  t.equal(reply.status, 302)
  t.equal(String(await readHead(reply.body, 100)), 'moved')
  t.equal(requests, 1)
})

t.test(
  'names are checked when they are resolved; nothing is dialled when one is refused',
  async (t) => {
    const { url, sockets } = await upstream(t, (_, response) => response.end('ok'))
    const port = new URL(url).port
    const resolve: Resolve = (_, done) => done(null, [{ address: '127.0.0.1', family: 4 }])
    const { open } = exit(t, resolve)
    const reply = await open(`http://inside.example:${port}/`)
    t.equal(String(await readAll(reply.body, 10)), 'ok')
    const before = sockets.size
    t.match(await failureOf(open(`http://inside.example:${port}/`, { namedBy: 'user' })), {
      code: 'channel:address_refused',
      blame: 'channel',
      status: 0,
    })
    t.match(await failureOf(open(`http://127.0.0.1:${port}/`, { namedBy: 'user' })), {
      code: 'channel:address_refused',
    })
    t.equal(sockets.size, before)
  },
)

t.test('a paused body is not read on; resume goes on; the end comes once and last', async (t) => {
  const total = 30 * 1024 * 1024
  let sent = 0
  const { url } = await upstream(t, (_, response) => {
    const push = () => {
      while (sent < total && response.write(Buffer.alloc(256 * 1024, 'x'))) sent += 256 * 1024
      if (sent >= total) response.end()
    }
    response.on('drain', () => {
      sent += 256 * 1024
      push()
    })
    push()
  })
  const { open } = exit(t)
  const { body } = await open(url)
  let received = 0
  let paused = 0
  let ended = 0
  await new Promise<void>((resolve, reject) => {
    body.consume({
      data(chunk) {
        received += chunk.length
        if (received < 1024 * 1024 || paused > 0) return true
        paused = received
        return false
      },
      end() {
        ended += 1
        resolve()
      },
      fail: reject,
    })
    until(() => paused > 0)
      .then(async () => {
        // The upstream fills the kernel's buffers and then waits.
        let quiet = 0
        for (let last = sent; quiet < 50; last = sent) {
          await new Promise((turn) => setImmediate(turn))
          quiet = sent === last ? quiet + 1 : 0
        }
        t.equal(received, paused, 'nothing arrives while paused')
        t.ok(sent < total, 'the upstream is held back')
        body.resume()
      })
      .catch(reject)
  })
  t.ok(received >= total)
  t.equal(ended, 1)
})

t.test(
  'a consumer that pauses after every piece gets the whole, and no piece is empty',
  async (t) => {
    const part = Buffer.alloc(700_001, 'x')
    const { url } = await upstream(t, (_, response) => {
      response.write(part)
      response.end(part)
    })
    const { body } = await exit(t).open(url)
    let received = 0
    let empty = 0
    await new Promise<void>((resolve, reject) => {
      body.consume({
        data({ length }) {
          received += length
          if (length === 0) empty += 1
          if (empty < 10) queueMicrotask(() => body.resume())
          return false
        },
        end: resolve,
        fail: reject,
      })
    })
    t.equal(received, 2 * part.length)
    t.equal(empty, 0)
  },
)

t.test('a consumer that resumes within its own data is not left paused', async (t) => {
  const { url } = await upstream(t, (_, response) => {
    response.write('one')
    setImmediate(() => response.end('two'))
  })
  const { open } = exit(t)
  const { body } = await open(url)
  const { heard, over, consumer } = listener(() => {
    body.resume()
    return false
  })
  body.consume(consumer)
  await over
  t.equal(heard.join(''), 'onetwoend')
})

t.test('a small answer frees its connection before anyone reads it', async (t) => {
  const { url, sockets } = await upstream(t, (_, response) => response.end('small'))
  const { open } = exit(t)
  const first = await open(url)
  for (let turns = 0; turns < 5; turns++) await new Promise((turn) => setImmediate(turn))
  const second = await open(url)
  t.equal(sockets.size, 1, 'the connection was used again')
  t.equal(String(await readAll(first.body, 100)), 'small')
  t.equal(String(await readAll(second.body, 100)), 'small')
})

t.test('a body nobody reads leaves no connection (S8)', async (t) => {
  const { url, sockets } = await upstream(t, endless)
  const { open, clock } = exit(t)
  await open(url)
  t.equal(sockets.size, 1)
  clock.advance(60_000)
  await until(() => sockets.size === 0)
  t.equal(clock.pending, 0)
})

t.test('a body that is being read may take as long as it takes (S8)', async (t) => {
  let finish = () => {}
  const { url } = await upstream(t, (_, response) => {
    response.write('first')
    finish = () => response.end('last')
  })
  const { open, clock } = exit(t)
  const { body } = await open(url, { idleTimeoutMs: 60_000 })
  clock.advance(29_999)
  const { heard, over, consumer } = listener(() => true)
  body.consume(consumer)
  await until(() => heard.length === 1)
  clock.advance(30_000)
  finish()
  t.equal(await over, undefined)
  t.same(heard, ['first', 'last', 'end'])
  t.equal(clock.pending, 0)
})

t.test('an aborted body leaves no connection and states no more (S8)', async (t) => {
  const { url, sockets } = await upstream(t, endless)
  const { open, clock } = exit(t)
  const { body } = await open(url)
  const { heard, consumer } = listener(() => {
    body.abort()
    body.abort()
    return true
  })
  body.consume(consumer)
  await until(() => sockets.size === 0)
  t.equal(heard.length, 1)
  t.equal(clock.pending, 0)
})

t.test('a body that is aborted unread leaves neither connection nor timer (S8)', async (t) => {
  const { url, sockets } = await upstream(t, endless)
  const { open, clock } = exit(t)
  const { body } = await open(url)
  body.abort()
  await until(() => sockets.size === 0)
  t.equal(clock.pending, 0)
})

t.test('of a body nobody reads yet little is taken from the connection (S7)', async (t) => {
  let paused = 0
  const controller = { pause: () => paused++, abort() {}, resume() {} } as never
  const call = new UpstreamCall({
    ...{ clock: new FakeClock(), log: quietLog },
    ...{ resolve() {}, reject() {} },
  })
  call.onRequestStart(controller)
  call.onResponseStart(controller, 200, {})
  const chunk = Buffer.alloc(16 * 1024)
  for (let taken = 0; taken < 3; taken++) call.onResponseData(controller, chunk)
  t.equal(paused, 0)
  call.onResponseData(controller, chunk)
  t.equal(paused, 1, 'at 64 KiB')
  call.abort()
})

t.test('an abort from outside while the body is paused', async (t) => {
  const { url, sockets } = await upstream(t, endless)
  const { open } = exit(t)
  const { body } = await open(url)
  const { heard, consumer } = listener(() => false)
  body.consume(consumer)
  await until(() => heard.length > 0)
  body.abort()
  await until(() => sockets.size === 0)
  t.equal(heard.length, 1)
})

t.test('cancel ends a call that still waits for headers, or for its connection', async (t) => {
  let arrived = 0
  const { url, sockets } = await upstream(t, () => {
    arrived += 1
  })
  const { open } = exit(t)
  const waiting = { abort: undefined as (() => void) | undefined }
  const call = open(url, { cancel: waiting })
  await until(() => arrived === 1)
  waiting.abort?.()
  t.match(await failureOf(call), { code: 'client_gone' })
  await until(() => sockets.size === 0)

  const dialling = { abort: undefined as (() => void) | undefined }
  const early = open(url, { cancel: dialling })
  dialling.abort?.()
  t.match(await failureOf(early), { code: 'client_gone' })
  t.equal(arrived, 1)
})

t.test('each limit that runs out states which it was (S6)', async (t) => {
  const silent = await upstream(t, () => {})
  const stuck = await upstream(t, (_, response) => {
    response.writeHead(200).write('begun')
  })
  const { open } = exit(t)
  t.match(await failureOf(open(silent.url, { headersTimeoutMs: 50 })), {
    code: 'upstream_timeout',
    message: /response headers/,
    status: 0,
    blame: 'upstream',
  })
  const { body } = await open(stuck.url, { idleTimeoutMs: 50 })
  const { heard, over, consumer } = listener()
  body.consume(consumer)
  t.match(await over, { code: 'upstream_timeout', message: /silence/, blame: 'upstream' })
  t.strictSame(heard, ['begun', 'fail upstream_timeout'])
  await until(() => silent.sockets.size + stuck.sockets.size === 0)
})

t.test('a paused body does not run into the idle limit', async (t) => {
  const answers: ServerResponse[] = []
  const { url } = await upstream(t, (_, response) => {
    response.flushHeaders()
    answers.push(response)
  })
  const { open } = exit(t)
  let pieces = 0
  const paused = listener(() => ++pieces > 1)
  const first = await open(url, { idleTimeoutMs: 30 })
  first.body.consume(paused.consumer)
  answers[0]!.write('one')
  await until(() => pieces === 1)
  const waiting = listener()
  const second = await open(url, { idleTimeoutMs: 30 })
  second.body.consume(waiting.consumer)
  // The one that was not paused measures the time: it started later and has run out by now.
  t.match(await waiting.over, { code: 'upstream_timeout' })
  answers[0]!.end('two')
  first.body.resume()
  await paused.over
  t.equal(paused.heard.join(' '), 'one two end')
})

t.test('an upstream that is not there, hangs up, or breaks off', async (t) => {
  const { open } = exit(t)
  const port = await freePort()
  t.match(await failureOf(open(`http://127.0.0.1:${port}/`)), {
    code: 'upstream_unreachable',
    blame: 'upstream',
    status: 0,
  })
  const hangsUp = await upstream(t, ({ socket }) => socket.destroy())
  t.match(await failureOf(open(hangsUp.url)), { code: 'upstream_broke_off', status: 0 })

  const resets = await upstream(t, (_, response) => {
    response.writeHead(200).write('part', () => response.socket?.resetAndDestroy())
  })
  const broken = listener()
  ;(await open(resets.url)).body.consume(broken.consumer)
  t.match(await broken.over, { code: 'upstream_broke_off', blame: 'upstream', status: 502 })

  const short = await upstream(t, (_, response) => {
    response.writeHead(200, { 'content-length': '10' }).write('part', () => response.destroy())
  })
  const { body } = await open(short.url)
  t.match(await failureOf(readAll(body, 100)), { code: 'upstream_broke_off' })
})

t.test('a break while the body waits unread is reported after what came before it', async (t) => {
  const { url, sockets } = await upstream(t, (_, response) => {
    response.writeHead(200).write('part', () => response.destroy())
  })
  const { open } = exit(t)
  const { body } = await open(url)
  await until(() => sockets.size === 0)
  const { heard, over, consumer } = listener()
  body.consume(consumer)
  await over
  t.strictSame(heard, ['part', 'fail upstream_broke_off'])
})

t.test('giant headers and answers in no HTTP at all', async (t) => {
  const giant = await upstream(t, (_, response) => {
    response.setHeader('x-big', 'x'.repeat(60_000))
    response.end()
  })
  const { open } = exit(t)
  t.match(await failureOf(open(giant.url)), { code: 'upstream_too_large' })
  const server = createTcpServer((socket) => socket.end('SSH-2.0-x\r\n'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  t.match(await failureOf(open(`http://127.0.0.1:${port}/`)), { code: 'upstream_broke_off' })
})

t.test(
  'an answer compressed without being queried is refused; of an error the status stays (S11)',
  async (t) => {
    const { url, sockets } = await upstream(t, ({ url }, response) => {
      response.writeHead(url === '/error' ? 401 : 200, { 'content-encoding': 'gzip' })
      response.end(gzipSync('{}'))
    })
    const { open, clock } = exit(t)
    t.match(await failureOf(open(`${url}/`)), { code: 'upstream_error', status: 502 })
    const { status, body } = await open(`${url}/error`)
    t.equal(status, 401)
    t.equal((await readHead(body, 100)).length, 0)
    await until(() => sockets.size === 0)
    t.equal(clock.pending, 0)
  },
)

t.test(
  'readAll refuses what is too large, readHead cuts it; neither keeps the connection',
  async (t) => {
    const { url, sockets } = await upstream(t, endless)
    const { open } = exit(t)
    t.match(await failureOf(readAll((await open(url)).body, 1000)), {
      code: 'upstream_too_large',
      blame: 'upstream',
    })
    t.equal((await readHead((await open(url)).body, 1000)).length, 1000)
    await until(() => sockets.size === 0)
  },
)

t.test('a reader that throws has failed and the call ends', async (t) => {
  const { url, sockets } = await upstream(t, endless)
  const { open } = exit(t)
  const { body } = await open(url)
  const { over, consumer } = listener(() => {
    throw new Error('cannot read this')
  })
  body.consume(consumer)
  t.match(await over, { code: 'internal_error' })
  await until(() => sockets.size === 0)
})

t.test('failures name no address and no key', async (t) => {
  const { open } = exit(t)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/v1?key=secret`
  const failure = await failureOf(open(url, { headers: { authorization: 'Bearer secret' } }))
  t.match(failure, { code: 'upstream_unreachable' })
  t.notMatch(JSON.stringify(failure), /secret|127\.0\.0\.1/)
})

/** Writes as long as anyone takes it. */
function endless(_: IncomingMessage, response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const push = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', push)
  response.on('error', () => {})
  push()
}

async function freePort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

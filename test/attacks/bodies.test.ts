/**
 * What a stranger on the network can send to a process with a small heap, over raw connections: it goes on, its memory
 * stays where it was, and whoever has a key is served meanwhile.
 */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { management } from '../kit/management.js'
import { installation, startProcess } from '../kit/process.js'
import { ask } from '../kit/scripted-gateway.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'

t.setTimeout(360_000)

const MiB = 1024 * 1024
const upstream = await scriptedUpstream(t)
upstream.script(json(200, chat.whole('Hi.', 10, 2)))
const gateway = await startProcess(
  t,
  {
    ...(await installation(t)),
    // This machine is a client like any other here.
    TRUSTED_PROXIES: '192.0.2.1',
    MAX_BODIES_IN_FLIGHT_MB: '64',
    KEY_FAILURE_RATE_LIMIT: '60',
  },
  ['--max-old-space-size=256'],
)
const admin = management(gateway.url)
await admin.setUp()
await admin.credit(1, 1_000_000_000)
await admin.option('ModelRatio', { 'gpt-4o-mini': 1 })
await admin.option('CompletionRatio', { 'gpt-4o-mini': 1 })
await admin.channel({
  type: 1,
  name: 'scripted',
  key: 'k',
  base_url: upstream.url,
  models: 'gpt-4o-mini',
  group: 'default',
})
const { key } = await admin.token()
const port = Number(new URL(gateway.url).port)

/** Resident memory of the process, bytes. */
function resident(): number {
  const status = readFileSync(`/proc/${gateway.pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024
}

/** A served request of somebody with a key. */
async function served(): Promise<number> {
  const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(ask({ model: 'gpt-4o-mini' })),
  })
  await answer.text()
  return answer.status
}

interface Raw {
  readonly socket: Socket
  got(): string
  /** The beginning of an answer is there, or the connection is gone. */
  readonly answered: Promise<string>
  readonly closed: Promise<void>
}

function raw(head: string): Raw {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const answered = new Promise<string>((resolve) => {
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      if (text.includes('\r\n\r\n')) resolve(text)
    })
    socket.once('close', () => resolve(text))
  })
  socket.write(head)
  t.teardown(() => socket.destroy())
  return { socket, got: () => text, answered, closed }
}

const headOf = (path: string, ...lines: readonly string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json', ...lines, '', ''].join(
    '\r\n',
  )
const withKey = `Authorization: Bearer ${key}`
const chatPath = '/v1/chat/completions'

/** Writes the same bytes until so many were taken or the other side has had enough; what got through. */
async function pour({ socket, closed }: Raw, piece: Buffer, bytes: number): Promise<number> {
  let written = 0
  let over = false
  void closed.then(() => {
    over = true
  })
  while (written < bytes && !over) {
    written += piece.length
    if (socket.write(piece)) continue
    await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed])
  }
  return socket.bytesWritten - socket.writableLength
}

const crumbs = Buffer.from('1\r\na\r\n'.repeat(10_000))

t.test('[AUTH-1] a stranger is refused before the body, which is not read', async (t) => {
  const before = resident()
  for (const [path, status] of [
    [chatPath, '401'],
    ['/v1/messages', '401'],
    ['/v1beta/models/gpt-4o-mini:generateContent', '401'],
    ['/v1/images/edits', '401'],
    ['/pg/chat/completions', '401'],
    ['/api/token/', '401'],
    ['/v1/files/x', '501'],
  ] as const) {
    for (const length of ['Content-Length: 66000000', 'Transfer-Encoding: chunked']) {
      const startedAt = performance.now()
      const stranger = raw(headOf(path, length))
      const answer = await stranger.answered
      const ms = performance.now() - startedAt
      t.match(answer, new RegExp(`^HTTP/1.1 ${status} `), `${path} ${length}`)
      t.match(answer, /connection: close/i)
      t.ok(ms < 1000, `${Math.round(ms)} ms`)
      stranger.socket.destroy()
    }
  }
  const flood = raw(headOf(chatPath, 'Transfer-Encoding: chunked'))
  const taken = await pour(flood, crumbs, 135 * MiB)
  t.ok(taken < 16 * MiB, `${taken} bytes left this side`)
  t.match(flood.got(), /^HTTP\/1.1 401 /)
  await flood.closed
  t.ok(resident() - before < 100 * MiB, `${Math.round((resident() - before) / MiB)} MiB more`)
  t.equal(await served(), 200)
})

t.test('[ERR-1] a body sent where nothing is served is refused unread', async (t) => {
  const before = resident()
  for (const [path, status] of [
    ['/nothing/here', 404],
    ['/v1/nothing/here', 404],
    ['/api/nothing/here', 404],
    ['/v1/models', 405],
    ['/%zz', 400],
  ] as const) {
    const flood = raw(headOf(path, 'Transfer-Encoding: chunked'))
    const taken = await pour(flood, crumbs, 64 * MiB)
    t.ok(taken < 16 * MiB, `${path}: ${taken} bytes left this side`)
    t.match(flood.got(), new RegExp(`^HTTP/1.1 ${status} `), path)
    await flood.closed
    const waiting = raw(headOf(path, 'Content-Length: 66000000'))
    t.match(await waiting.answered, new RegExp(`^HTTP/1.1 ${status} `), `${path}, of a length`)
    t.match(waiting.got(), /connection: close/i)
    waiting.socket.destroy()
  }
  t.ok(resident() - before < 100 * MiB)
  t.equal(await served(), 200)
})

t.test(
  '[SVC-1] chunks of one byte are refused, with a key too and where nobody signs in',
  async (t) => {
    const before = resident()
    for (const head of [headOf(chatPath, withKey, 'Transfer-Encoding: chunked')]) {
      const flood = raw(head)
      await pour(flood, crumbs, 135 * MiB)
      t.match(flood.got(), /^HTTP\/1.1 400 /)
      t.match(flood.got(), /chunks are too small/)
      await flood.closed
    }
    const signIn = raw(
      headOf('/api/user/login', 'Sec-Fetch-Site: same-origin', 'Transfer-Encoding: chunked'),
    )
    await pour(signIn, crumbs, 135 * MiB)
    t.match(signIn.got(), /^HTTP\/1.1 400 /)
    await signIn.closed
    t.ok(resident() - before < 100 * MiB, `${Math.round((resident() - before) / MiB)} MiB more`)
    t.equal(await served(), 200)
  },
)

t.test('[SVC-1] forty large bodies of one key get no more room than there is', async (t) => {
  const before = resident()
  const heads = headOf(chatPath, withKey, 'Content-Length: 30000000', 'Expect: 100-continue')
  const many = Array.from({ length: 40 }, () => raw(heads))
  const answers = await Promise.all(many.map(({ answered }) => answered))
  const admitted = answers.filter((answer) => answer.startsWith('HTTP/1.1 100 '))
  const refused = answers.filter((answer) => answer.startsWith('HTTP/1.1 503 '))
  t.equal(admitted.length, 1, 'as many as fit')
  t.equal(refused.length, 39)
  for (const answer of refused) t.match(answer, /retry-after: 1/i)
  t.equal(await served(), 200, 'a small request is served beside it')
  for (const { socket } of many) socket.destroy()
  t.ok(resident() - before < 100 * MiB)
  const later = raw(heads)
  t.match(await later.answered, /^HTTP\/1.1 100 /, 'the room is given back')
  later.socket.destroy()
  const never = raw(headOf(chatPath, withKey, 'Content-Length: 62000000'))
  t.match(await never.answered, /^HTTP\/1.1 413 /, 'what never fits is reported as such')
})

t.test('[LIMIT-1] wrong keys are throttled by address, and right ones go on', async (t) => {
  const statuses = new Map<number, number>()
  let last: Response | undefined
  const guess = async (at: number) => {
    const wrong = `sk-${String(at).padStart(48, 'x')}`
    const [path, headers] = (
      [
        ['/v1/models', { authorization: `Bearer ${wrong}` }],
        ['/v1/messages', { 'x-api-key': wrong }],
        [`/v1beta/models/m:generateContent?key=${wrong}`, {}],
        [chatPath, { authorization: wrong }],
      ] as const
    )[at % 4]!
    const method = path === '/v1/models' ? 'GET' : 'POST'
    const answer = await fetch(`${gateway.url}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(method === 'POST' && { body: '{}' }),
    })
    await answer.text()
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (answer.status === 429) last = answer
  }
  for (let at = 0; at < 200; at += 4) {
    await Promise.all([0, 1, 2, 3].map((more) => guess(at + more)))
  }
  t.ok((statuses.get(401) ?? 0) <= 64, `${statuses.get(401)} were looked for`)
  t.equal((statuses.get(401) ?? 0) + (statuses.get(429) ?? 0), 200)
  t.equal(last?.headers.get('x-ratelimit-policy'), '60;w=300')
  t.ok(Number(last?.headers.get('retry-after')) > 0)
  t.equal(await served(), 200)
  const upgrade = raw(
    [
      'GET /v1/realtime?model=m HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
      `Authorization: Bearer sk-${'y'.repeat(48)}`,
      '',
      '',
    ].join('\r\n'),
  )
  const message = await upgrade.answered
  t.match(message, /^HTTP\/1.1 429 /)
  t.match(message, /retry-after/i)
})

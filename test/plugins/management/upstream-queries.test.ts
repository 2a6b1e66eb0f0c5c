/** Questions to upstreams: page by page, within bounds, through the channel's proxy, and nothing raw comes back. */
import t from 'tap'
import type { ByteSource } from '../../../kernel/contract/bytes.js'
import type { Channel, ChannelKey } from '../../../kernel/contract/line/channel.js'
import type { Provider, UpstreamQuery, UpstreamRequest } from '../../../kernel/contract/provider.js'
import type { Egress, EgressRequest } from '../../../kernel/contract/services/egress.js'
import { createEgress } from '../../../kernel/egress/egress.js'
import { EgressError } from '../../../kernel/toolkit/errors/egress-error.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import { upstreamFailure } from '../../../kernel/toolkit/errors/upstream-failure.js'
import {
  bearerGet,
  bearerList,
  readAmount,
} from '../../../kernel/toolkit/provider/upstream-query.js'
import { createUpstreamQueries } from '../../../plugins/management/channel-tests/upstream-queries/index.js'
import { FakeClock } from '../../kit/clock.js'
import { quietLog } from '../../kit/fakes.js'
import { channel as lineChannel } from '../../kit/line-fakes.js'
import { json, type Script, scriptedUpstream } from '../../kit/upstream.js'
import { RecordingLog } from './management-fixture.js'

const canary = 'hunter2-plainword-canary'
const key: ChannelKey = { id: 7, text: canary, enabled: true }
const fail = (status: number, headers: Readonly<Record<string, string>>, head: Buffer) =>
  upstreamFailure({ status, headers, head })

const list = bearerList('/v1/models', fail)

/** Pages by number: `{data, next}`. */
const paged: UpstreamQuery<readonly string[]> = {
  request: ({ baseUrl }, credentials, { page = '1' }) =>
    bearerGet(`${baseUrl}/models?page=${page}`, credentials),
  read: ({ body }) => {
    const { data, next } = JSON.parse(body.toString())
    return next === undefined ? { value: data } : { value: data, next }
  },
}

const amount: UpstreamQuery<string> = {
  request: ({ baseUrl }, credentials, { page = 'limit' }) =>
    bearerGet(`${baseUrl}/${page}`, credentials),
  read: (answer) =>
    readAmount(answer, fail, ({ value, next }) =>
      typeof next === 'string' ? { value: String(value), next } : { value: String(value) },
    ),
}

interface Terms {
  readonly provider?: Partial<Provider>
  readonly egress?: Egress
  readonly hosts?: readonly string[]
  readonly token?: string
}

function managementFixture({
  provider = { models: list },
  egress,
  hosts = ['channel'],
  token,
}: Terms = {}) {
  const clock = new FakeClock()
  const log = new RecordingLog()
  const forgotten: string[] = []
  const warmed: number[] = []
  const owned = createEgress({ allowPrivateUpstreams: true, clock, log: quietLog })
  const queries = createUpstreamQueries({
    clock,
    log,
    services: {
      egress: egress ?? owned,
      credentials: {
        of: (_channel, text) => (text === 'spent' ? { failure: spent } : { key: text, token }),
        forget: (_channel, text) => void forgotten.push(text),
      },
      providers: {
        adapter: () => undefined,
        provider: () => ({ operations: {}, ...provider }),
        hosts: () => hosts,
        knows: () => true,
        defaultBaseUrl: () => '',
        warm: async (type) => void warmed.push(type),
      },
    },
  })
  t.teardown(() => owned.close())
  return { queries, clock, log, forgotten, warmed }
}

const spent = { blame: 'channel', status: 401, code: 'upstream_error', message: 'Spent.' } as const

function at(baseUrl: string, over: Partial<Channel> = {}): Channel {
  return { ...lineChannel(1), enabled: false, baseUrl, keys: [key], ...over }
}

t.test('names come trimmed, each once, without what cannot be seen', async (t) => {
  const upstream = await scriptedUpstream(t)
  const { queries, warmed } = managementFixture()
  const names = [
    ' gpt-5 ',
    'gpt-5',
    'a\u0000b\u200bc',
    'e\u0301',
    'one,two',
    'x'.repeat(256),
    'x'.repeat(257),
    '\u202e',
    '',
  ]
  upstream.script(json(200, { data: [...names.map((id) => ({ id })), { id: 5 }, null, 'x'] }))
  t.same(await queries.models(at(upstream.url), key), {
    value: ['gpt-5', 'abc', '\u00e9', 'x'.repeat(256)],
  })
  t.equal(upstream.requests[0]?.headers.authorization, `Bearer ${canary}`)
  t.equal(upstream.requests[0]?.method, 'GET')
  t.same(warmed, [1], 'the provider of a channel that is off is loaded first')
})

t.test('a provider without the verb cannot be queried', async (t) => {
  const { queries } = managementFixture({ provider: {} })
  t.equal(await queries.models(at('http://127.0.0.1:1'), key), undefined)
  t.equal(await queries.balance(at('http://127.0.0.1:1'), key), undefined)
})

t.test('pages are one list, parts of a balance one exact sum', async (t) => {
  const upstream = await scriptedUpstream(t)
  const { queries } = managementFixture({ provider: { models: paged, balance: amount } })
  upstream.script(json(200, { data: ['a', 'b'], next: '2' }), json(200, { data: ['b', 'c'] }))
  t.same(await queries.models(at(upstream.url), key), { value: ['a', 'b', 'c'] })
  t.same(
    upstream.requests.map(({ path }) => path),
    ['/models?page=1', '/models?page=2'],
  )
  upstream.script(json(200, { value: 0.3, next: 'used' }), json(200, { value: -0.1 }))
  t.same(await queries.balance(at(upstream.url), key), { value: '0.2' })
})

t.test('a list has an end: pages, names and circles are bounded', async (t) => {
  const upstream = await scriptedUpstream(t)
  const { queries } = managementFixture({ provider: { models: paged } })
  let page = 0
  upstream.script((_, response) => {
    page += 1
    response.end(JSON.stringify({ data: [`m${page}`], next: String(page + 1) }))
  })
  t.match(await queries.models(at(upstream.url), key), {
    failure: { code: 'upstream_too_large' },
  })
  t.equal(upstream.requests.length, 50)
  upstream.script(json(200, { data: ['a'], next: 'same' }))
  t.match(await queries.models(at(upstream.url), key), {
    failure: { code: 'upstream_too_large' },
  })
  t.equal(upstream.requests.length, 52, 'a page that was requested is not requested again')
  upstream.script(json(200, { data: Array.from({ length: 20_001 }, (_, at) => `m${at}`) }))
  t.match(await queries.models(at(upstream.url), key), {
    failure: { code: 'upstream_too_large' },
  })
})

const body =
  (text: string): Script =>
  (_, response) => {
    response.end(text)
  }
const leak = `the key ${canary} at http://10.1.2.3/x?key=${canary} is bad`

const hostile: readonly (readonly [name: string, script: Script])[] = [
  ['words in an error', json(400, { error: { message: leak } })],
  ['words in a 401', json(401, { error: { message: leak, code: canary } })],
  ['words in a 500', json(500, { message: leak })],
  ['words in a 200', json(200, { error: leak })],
  ['a page', body(`<!doctype html><html>${leak}</html>`)],
  ['garbage', body(`{"data":[{"id":"${leak}`)],
  ['a redirect', (_, response) => void response.writeHead(302, { location: leak }).end()],
  ['no answer', (_, response) => void response.destroy()],
]

for (const [name, script] of hostile) {
  t.test(`[ERR-2] nothing of the key or the raw answer is revealed: ${name}`, async (t) => {
    const upstream = await scriptedUpstream(t)
    upstream.script(script)
    const { queries, log } = managementFixture({ provider: { models: list, balance: amount } })
    for (const result of [
      await queries.models(at(upstream.url), key),
      await queries.balance(at(upstream.url), key),
    ]) {
      const text = JSON.stringify([result, log.lines])
      t.ok(result !== undefined && 'failure' in result, 'it is a failure')
      for (const secret of [canary, '10.1.2.3', '<html', 'doctype']) t.notMatch(text, secret)
    }
  })
}

t.test('an answer larger than 4 MiB is not read to its end', async (t) => {
  const upstream = await scriptedUpstream(t)
  upstream.script(body(JSON.stringify({ data: [], pad: 'x'.repeat(4 * 1024 * 1024) })))
  t.match(await managementFixture().queries.models(at(upstream.url), key), {
    failure: { code: 'upstream_too_large' },
  })
})

/** An egress that answers headers at once and never ends its body. */
function trickling(requests: EgressRequest[]): Egress {
  const silent: ByteSource = {
    consume() {},
    resume() {},
    abort: () => void requests.push(requests[0]!),
  }
  return {
    open: async (request) => {
      requests.push(request)
      return { status: 200, headers: {}, body: silent }
    },
    dial: () => Promise.reject(new Error('not requested')),
    connect: () => Promise.reject(new Error('no sockets here')),
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test('fifteen seconds are for all of an answer', async (t) => {
  const requests: EgressRequest[] = []
  const { queries, clock } = managementFixture({ egress: trickling(requests) })
  const pending = queries.models(at('https://upstream.example'), key)
  await turn()
  clock.advance(14_999)
  await turn()
  t.equal(requests.length, 1)
  clock.advance(1)
  t.match(await pending, { failure: { code: 'upstream_timeout' } })
  t.equal(requests.length, 2, 'the call is ended')
  t.equal(clock.pending, 0)
})

t.test(
  '[ERR-2] a call goes where the manifest states, by an admin’s rules, through the proxy',
  async (t) => {
    const requests: EgressRequest[] = []
    const elsewhere: UpstreamQuery<readonly string[]> = {
      ...list,
      request: (): UpstreamRequest => ({
        method: 'GET',
        url: 'https://evil.example/x',
        headers: {},
      }),
    }
    const refused = managementFixture({
      egress: trickling(requests),
      provider: { models: elsewhere },
    })
    t.match(await refused.queries.models(at('https://upstream.example'), key), {
      failure: { code: 'channel:address_refused' },
    })
    t.equal(requests.length, 0)
    const { queries, clock } = managementFixture({ egress: trickling(requests) })
    const proxy = 'socks5://proxy.example:1080'
    const pending = queries.models(at('https://upstream.example', { proxy }), key)
    await turn()
    t.match(requests[0], {
      namedBy: 'admin',
      proxy,
      headersTimeoutMs: 15_000,
      idleTimeoutMs: 15_000,
    })
    clock.advance(15_000)
    await pending
  },
)

t.test('an address of the cloud’s own metadata is refused', async (t) => {
  const { queries } = managementFixture()
  for (const address of ['http://169.254.169.254', 'http://[fe80::1]']) {
    t.match(await queries.models(at(address), key), {
      failure: { code: 'channel:address_refused' },
    })
  }
})

t.test('a refused token is given up, a failed exchange is reported', async (t) => {
  const upstream = await scriptedUpstream(t)
  upstream.script(json(401, { error: { message: 'no tok-abcdefghij' } }))
  const { queries, forgotten } = managementFixture({ token: 'tok-abcdefghij' })
  const result = await queries.models(at(upstream.url), key)
  t.notMatch(JSON.stringify(result), 'tok-abcdefghij')
  t.same(forgotten, [canary])
  t.same(await queries.models(at(upstream.url), { ...key, text: 'spent' }), { failure: spent })
  t.equal(upstream.requests.length, 1)
})

t.test('a provider that breaks is reported of by name only', async (t) => {
  const throwing = (error: unknown): UpstreamQuery<readonly string[]> => ({
    request: () => {
      throw error
    },
    read: () => ({ value: [] }),
  })
  const broken = managementFixture({ provider: { models: throwing(new TypeError(leak)) } })
  t.match(await broken.queries.models(at('http://x.example'), key), {
    failure: { code: 'internal_error' },
  })
  t.notMatch(JSON.stringify(broken.log.lines), canary)
  const reason = 'Only api.example keeps dollars.'
  const refusing = managementFixture({
    provider: { models: throwing(new Refusal('invalid_request', { reason })) },
  })
  t.match(await refusing.queries.models(at('http://x.example'), key), {
    failure: { blame: 'channel', message: reason },
  })
  const failing = managementFixture({ provider: { models: throwing(new EgressError(spent)) } })
  t.same(await failing.queries.models(at('http://x.example'), key), { failure: spent })
})

for (const absurd of ['lots', '1e400', '9'.repeat(30)]) {
  t.test(`a balance of "${absurd.slice(0, 10)}" is a failure`, async (t) => {
    const upstream = await scriptedUpstream(t)
    upstream.script(json(200, { value: absurd }))
    const { queries } = managementFixture({ provider: { balance: amount } })
    t.match(await queries.balance(at(upstream.url), key), {
      failure: { code: 'upstream_error' },
    })
  })
}

/**
 * Secrets that can be recognised are put wherever secrets go, and everything is made to go wrong around them: then no
 * answer, no line of the log and no row of the database holds one in the clear (X3, ERR-2).
 */

import t from 'tap'
import { builtInRoots } from '../../config/built-in.js'
import { core } from '../../config/core.js'
import { boot } from '../../kernel/boot.js'
import { createLog } from '../../kernel/log/log.js'
import { order } from '../../plugins/stages/line.js'
import { testDatabase } from '../kit/database.js'
import { defaultEnvironment } from '../kit/gateway.js'
import { events, json, type Recorded, type Script, scriptedUpstream } from '../kit/upstream.js'
import { searchFor } from './canary-search.js'
import { wholeDatabase } from './whole-database.js'

/** None has a shape by which it could be distinguished from other words. */
const secrets = {
  'a key of one': '6c616e74-6572-4e5f-b1a2-canary0one0a',
  'a key of several': 'zephyr.quill/canary:two0b',
  'another key of several': 'Marmalade canary Three0c',
  'a key that is renewed': 'old-canary-of-a-channel-0d',
  'a key of a draft': 'draft!canary!of!nobody!0e',
  'the password of a proxy': 'pr0xy-canary-w0rd-0f',
  'a literal header': 'h3ader-canary-v4lue-0g',
  'the password of root': 'correct horse battery',
  'the password of a user': 'canary in a coal mine 0h',
  'the secret of the gateway': 'canary secret of the whole 0i',
} as const

const lines: string[] = []
const log = createLog({
  name: 'test',
  level: 'trace',
  stream: { write: (line) => lines.push(line) },
})
const database = await testDatabase(t)
const gateway = await boot({
  environment: { ...defaultEnvironment, cryptoSecret: secrets['the secret of the gateway'] },
  roots: builtInRoots,
  order,
  core,
  log,
  version: 'v0.0.0',
  database,
})
t.teardown(() => gateway.stop())

interface Heard {
  readonly requested: string
  readonly text: string
}

/** Everything any client ever received, headers included. */
const heard: Heard[] = []
/** Reported on purpose, to whom it belongs. */
const revealed: Heard[] = []
let cookie = ''

async function ask(method: string, path: string, body?: unknown, more: object = {}) {
  const answer = await fetch(`${gateway.address}${path}`, {
    method,
    headers: { cookie, 'content-type': 'application/json', ...more },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await answer.text()
  const set = answer.headers.getSetCookie()[0]
  const headers = [...answer.headers].filter(([name]) => name !== 'set-cookie')
  const result = { requested: `${method} ${path}`, text: `${JSON.stringify(headers)} ${text}` }
  if (/^POST .*\/(key|keys)$|^POST \/api\/token\/$/.test(result.requested)) revealed.push(result)
  else heard.push(result)
  return { status: answer.status, text, set, data: parsed(text)?.data }
}

// biome-ignore lint/suspicious/noExplicitAny: answers differ by route.
function parsed(text: string): any {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const root = { username: 'root', password: secrets['the password of root'] }
const code = gateway.service('setup').code()
await ask('POST', '/api/setup', { ...root, confirmPassword: root.password, code })
cookie = (await ask('POST', '/api/user/login', root)).set?.split(';')[0] ?? ''

const option = (key: string, value: unknown) => ask('PUT', '/api/option/', { key, value })
await option('ModelRatio', JSON.stringify({ 'gpt-4o-mini': 1, 'text-embedding-3-small': 1 }))
await option('FreeModels', JSON.stringify(['gpt-4o-mini', 'text-embedding-3-small']))
await option('RetryTimes', 2)
const { data: token } = await ask('POST', '/api/token/', {
  name: 'client',
  unlimited_quota: true,
  expired_time: -1,
})
const clientKey: string = token.key

const upstream = await scriptedUpstream(t)

/** All that an upstream knows of the gateway, in every spelling, wherever an error has room for it. */
function echo({ headers, path }: Recorded): string {
  const key = String(headers.authorization ?? headers['x-api-key'] ?? '').replace(/^Bearer /, '')
  const all = JSON.stringify(headers)
  const spelt = `${key} ${encodeURIComponent(key)} ${JSON.stringify(key)}`
  return `Incorrect API key provided: ${spelt}, in ${path} with ${all}`
}

const failing =
  (status: number): Script =>
  (request, response) => {
    const message = echo(request)
    const key = String(request.headers.authorization ?? '').replace(/^Bearer /, '')
    const headers = {
      'content-type': 'application/json',
      location: `http://127.0.0.1:9/?key=${encodeURIComponent(key)}`,
      'www-authenticate': `Bearer realm="${encodeURIComponent(key)}"`,
      'x-ratelimit-key': encodeURIComponent(key),
    }
    response.writeHead(status, headers)
    response.end(JSON.stringify({ error: { message: message, type: key, code: key, param: key } }))
  }

const garbled: Script = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(`<html>${echo(request)}`)
}

const brokenPage: Script = (request, response) => {
  response.writeHead(500, { 'content-type': 'text/html' })
  response.end(`<html><body>${echo(request)}</body></html>`)
}

/** Text stands long before the key, so that it would be cut in the middle of it. */
const longWinded =
  (length: number): Script =>
  (request, response) => {
    const message = `${'so '.repeat(length / 3)}${echo(request)}`
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ error: { message } }))
  }

const failingInside: Script = (request, response) =>
  events(
    `data: ${JSON.stringify({ error: { message: echo(request), type: 'api_error', code: 401 } })}\n\n`,
  )(request, response)

const failingLater: Script = (request, response) => {
  const chunk = {
    id: 'c',
    object: 'chat.completion.chunk',
    model: 'gpt-4o-mini',
    choices: [{ index: 0, delta: { content: 'hi' }, finish_reason: null }],
  }
  const error = { error: { message: echo(request), type: 'invalid_request_error' } }
  return events(`data: ${JSON.stringify(chunk)}\n\n`, `data: ${JSON.stringify(error)}\n\n`)(
    request,
    response,
  )
}

const scripts: readonly Script[] = [
  ...[400, 401, 402, 403, 404, 409, 413, 422, 429, 451, 500, 502, 503, 504, 529, 302].map(failing),
  garbled,
  brokenPage,
  ...[420, 450, 474, 480, 486, 492].map(longWinded),
  failingInside,
  failingLater,
]

const models = 'gpt-4o-mini,text-embedding-3-small'
const plain = { type: 1, base_url: upstream.url, models, group: 'default' }

const channels = {
  single: { ...plain, name: 'single', key: secrets['a key of one'] },
  renewed: { ...plain, name: 'renewed', key: secrets['a key that is renewed'] },
  header: {
    ...plain,
    name: 'header',
    key: secrets['a key of one'],
    header_override: { 'x-echo': 'Key {api_key}', 'x-other': '{api_key}' },
  },
  messages: { ...plain, type: 14, name: 'messages', key: secrets['a key of one'] },
  generative: { ...plain, type: 24, name: 'generative', key: secrets['a key of one'] },
  proxied: {
    ...plain,
    name: 'proxied',
    key: secrets['a key of one'],
    setting: { proxy: `http://user:${secrets['the password of a proxy']}@127.0.0.1:9` },
  },
  socks: {
    ...plain,
    name: 'socks',
    key: secrets['a key of one'],
    setting: { proxy: `socks5://${secrets['the password of a proxy']}@127.0.0.1:9` },
  },
}

const clients: readonly (readonly [path: string, body: object])[] = [
  ['/v1/chat/completions', { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }] }],
  [
    '/v1/chat/completions',
    { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'hi' }], stream: true },
  ],
  [
    '/v1/messages',
    { model: 'gpt-4o-mini', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] },
  ],
  ['/v1beta/models/gpt-4o-mini:generateContent', { contents: [{ parts: [{ text: 'hi' }] }] }],
  ['/v1/responses', { model: 'gpt-4o-mini', input: 'hi' }],
  ['/v1/embeddings', { model: 'text-embedding-3-small', input: 'hi' }],
]

/** Every call a client can make of it, with an upstream that states all it knows. */
async function relayAll(wanted: readonly Script[]): Promise<void> {
  for (const script of wanted) {
    upstream.script(script)
    for (const [path, body] of clients) {
      await ask('POST', path, body, {
        authorization: `Bearer ${clientKey}`,
        'x-goog-api-key': clientKey,
        'anthropic-version': '2023-06-01',
      })
    }
  }
}

/** Every question an admin can put to it. */
async function askAll(id: number, wanted: readonly Script[]): Promise<void> {
  for (const script of wanted) {
    upstream.script(script)
    await ask('GET', `/api/channel/test/${id}`)
    await ask('GET', `/api/channel/test/${id}?stream=true`)
    await ask('GET', `/api/channel/test/${id}?model=text-embedding-3-small`)
    await ask('GET', `/api/channel/update_balance/${id}`)
    await ask('GET', `/api/channel/fetch_models/${id}`)
    await ask('POST', '/api/channel/upstream_updates/detect', { id })
    await ask('POST', '/api/channel/fetch_models', {
      type: 1,
      base_url: upstream.url,
      key: secrets['a key of a draft'],
    })
  }
}

/** Everything that can be read, by whoever reads most. */
async function readAll(id: number): Promise<void> {
  for (const path of [
    '/api/channel/?page_size=100',
    '/api/channel/search?keyword=a&page_size=100',
    `/api/channel/${id}`,
    '/api/channel/?tag_mode=true&page_size=100',
    '/api/channel/breakers?page_size=100',
    '/api/channel/test/progress',
    '/api/channel/update_balance/progress',
    '/api/channel/upstream_updates/progress',
    '/api/channel/models',
    '/api/log/?page_size=100',
    '/api/log/self?page_size=100',
    '/api/log/search?keyword=',
    '/api/log/search?keyword=gpt',
    '/api/log/self/search?keyword=gpt',
    '/api/data/',
    '/api/token/?page_size=100',
    '/api/token/search?keyword=client',
    '/api/user/?page_size=100',
    '/api/user/self',
    '/api/option/',
    '/api/option/channel_affinity_cache',
    '/api/plugins',
    '/api/openapi.json',
    '/api/status',
    '/api/pricing',
    '/api/catalogue/',
    '/api/catalogue/speed',
    '/api/models/unknown',
    '/api/group/all',
    '/api/models/missing',
  ]) {
    await ask('GET', path)
  }
  for (const action of ['get_key_status', 'disable_all_keys', 'get_key_status']) {
    await ask('POST', '/api/channel/multi_key/manage', { channel_id: id, action })
  }
  await ask('GET', '/v1/models', undefined, { authorization: `Bearer ${clientKey}` })
  await ask('GET', '/dashboard/billing/subscription', undefined, {
    authorization: `Bearer ${clientKey}`,
  })
  await ask('GET', '/api/log/token', undefined, { authorization: `Bearer ${clientKey}` })
}

const hits = searchFor(() => [...Object.entries(secrets), ['the key of a client', clientKey]])

function assertNothingLeaked(test: Pick<typeof t, 'strictSame'>): void {
  test.strictSame(hits(heard.map(({ requested, text }) => [requested, text])), [], 'no answer')
  test.strictSame(hits(lines.map((line) => ['the log', line])), [], 'no line of the log')
  heard.length = 0
}

t.test('the search finds what it looks for', async (t) => {
  t.equal(
    hits(revealed.map(({ requested, text }) => [requested, text])).length,
    1,
    'a key just made',
  )
  t.ok(lines.length > 0, 'lines of the log')
})

for (const [name, fields] of Object.entries(channels)) {
  t.test(`[ERR-2] whatever the upstream says of it, no key is revealed: ${name}`, async (t) => {
    const { data } = await ask('POST', '/api/channel/', fields)
    t.ok(data?.id, 'it is made')
    const wanted = name === 'single' ? scripts : scripts.filter((_, at) => at % 3 !== 2)
    await relayAll(wanted)
    await ask('POST', `/api/channel/${data.id}/breakers/reset`, {})
    await askAll(data.id, name === 'single' ? scripts : wanted.slice(0, 4))
    await readAll(data.id)
    await ask('DELETE', `/api/channel/${data.id}`)
    await gateway.idle()
    assertNothingLeaked(t)
  })
}

t.test('[CHAN-5] nor by a channel of several that is switched off for it', async (t) => {
  const several = [secrets['a key of several'], secrets['another key of several']]
  await option('AutomaticDisableChannelEnabled', true)
  const { data } = await ask('POST', '/api/channel/', {
    mode: 'multi_to_single',
    channel: { ...plain, name: 'several', key: several.join('\n') },
  })
  for (let at = 0; at < 12; at += 1) await relayAll([failing(401)])
  await gateway.idle()
  const { data: record } = await ask('GET', `/api/channel/${data.id}`)
  t.equal(record.status, 3, 'it was switched off')
  t.match(record.channel_info.multi_key_disabled_reason, { 0: /\w/, 1: /\w/ }, 'with its reasons')
  await askAll(data.id, [failing(401), garbled])
  await readAll(data.id)
  await ask('POST', `/api/channel/copy/${data.id}`, {})
  await ask('POST', '/api/channel/', {
    mode: 'batch',
    batch_add_set_key_prefix_2_name: true,
    channel: { ...plain, name: 'batch', key: several.join('\n') },
  })
  await readAll(data.id)
  assertNothingLeaked(t)
})

t.test('nor by the log of what was tried again', async (t) => {
  const ids = ['one', 'other'].map(async (name) => {
    const { data } = await ask('POST', '/api/channel/', {
      ...plain,
      name,
      key: secrets['a key of one'],
    })
    return data.id
  })
  for (const status of [401, 429, 500]) {
    upstream.script(
      failing(status),
      json(200, {
        id: 'c',
        object: 'chat.completion',
        model: 'gpt-4o-mini',
        choices: [
          { index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' },
        ],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      }),
    )
    const [path, body] = clients[0]!
    const { status: count } = await ask('POST', path, body, {
      authorization: `Bearer ${clientKey}`,
    })
    t.equal(count, 200, `after ${status}`)
    for (const id of await Promise.all(ids)) {
      await ask('POST', `/api/channel/${id}/breakers/reset`, {})
      await ask('POST', `/api/channel/${id}/status`, { status: 1 })
    }
  }
  await gateway.idle()
  const { data } = await ask('GET', '/api/log/?page_size=100&type=2')
  t.match(data.items[0].other, /"attempts":\[\{/)
  for (const id of await Promise.all(ids)) await readAll(id)
  assertNothingLeaked(t)
})

t.test('nor by what is refused of it', async (t) => {
  const key = secrets['a key of one']
  const proxy = `ftp://user:${secrets['the password of a proxy']}@127.0.0.1:9`
  const base = `http://user:${secrets['the password of a proxy']}@127.0.0.1:9`
  await ask('POST', '/api/channel/', { ...plain, name: 'x', key: `${key}\u0000` })
  await ask('POST', '/api/channel/', { ...plain, name: 'x', key, setting: { proxy } })
  await ask('POST', '/api/channel/', { ...plain, name: 'x', key, base_url: base })
  await ask('POST', '/api/channel/fetch_models', { type: 1, key, base_url: base })
  await ask('POST', '/api/channel/', { ...plain, key })
  await ask('POST', '/api/user/login', { username: 'root', password: key })
  await ask('POST', '/api/user/', {
    username: 'ada\u0000',
    password: secrets['the password of a user'],
  })
  await ask('POST', '/api/user/', { username: 'ada', password: secrets['the password of a user'] })
  await ask('GET', '/v1/models', undefined, { authorization: `Bearer sk-${key}` })
  await ask('GET', `/v1beta/models?key=${encodeURIComponent(clientKey)}x`)
  assertNothingLeaked(t)
})

t.test('a header an admin wrote out is shown to admins and to nobody else', async (t) => {
  const value = secrets['a literal header']
  const { data } = await ask('POST', '/api/channel/', {
    ...plain,
    name: 'literal',
    // Before all others, so that what it echoes is what a client would hear.
    priority: 9,
    key: secrets['a key of one'],
    header_override: { 'x-custom-auth': value },
  })
  // The record of the channel shows what can be edited of it.
  heard.length = 0
  await relayAll([failing(401), failing(400), failing(500), failingLater])
  await gateway.idle()
  await gateway.service('usage-log').flush()
  await ask('GET', '/api/log/self?page_size=100')
  assertNothingLeaked(t)
  await ask('DELETE', `/api/channel/${data.id}`)
})

t.test('the database holds no secret in the clear, in any column of any table', async (t) => {
  await gateway.idle()
  await gateway.service('usage-log').flush()
  const tables = await wholeDatabase(database.knex)
  const rows = [...tables].flatMap(([name, texts]) => texts.map((text) => [name, text] as const))
  t.strictSame(hits(rows), [])
  const logs = tables.get('usage_log') ?? []
  t.ok(logs.length > 3, 'there are rows of what broke and of what was tried again')
  t.ok(
    logs.some((row) => row.includes('error_code')),
    'and of what failed',
  )
  t.ok((tables.get('channel_keys') ?? []).length > 1, 'there are sealed keys')
})

t.test('only the two paths that reveal keys do, and to no store on the way', async (t) => {
  const { data } = await ask('POST', '/api/channel/', channels.single)
  const proof = { method: 'password', password: root.password, scope: 'channel_key' }
  const verified = await ask('POST', '/api/verify', proof)
  cookie = verified.set?.split(';')[0] ?? ''
  const { proof_token } = verified.data
  const path = `/api/channel/${data.id}/key`
  const shown = await ask('POST', path, {}, { 'x-verification-token': proof_token })
  t.equal(shown.data.key, secrets['a key of one'])
  t.match(revealed.at(-1)?.text, /"cache-control","no-store/)
  const own = await ask('POST', `/api/token/${token.id}/key`, {})
  t.match(JSON.stringify(own.data), clientKey.slice(3))
  t.match(revealed.at(-1)?.text, /"cache-control","no-store/)
  t.strictSame(hits(lines.map((line) => ['the log', line])), [])
})

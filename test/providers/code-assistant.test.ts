/** The code assistant: paths and headers, the body it takes, sessions and their renewal, and how it refuses. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { WholeAnswer } from '../../kernel/contract/operation.js'
import type {
  AddressContext,
  Credentials,
  UpstreamRequest,
} from '../../kernel/contract/provider.js'
import { mayReach } from '../../kernel/toolkit/service/reach.js'
import { currentVersion } from '../../providers/code-assistant/client.js'
import create from '../../providers/code-assistant/index.js'
import { adapterOf } from '../conformance/provider.js'
import { accessToken, auth, jwt, sessionKey } from './code-assistant-session.js'
import { manifestOf } from './provider-kit.js'

const provider = create()
const chat = adapterOf(provider, 'chat')
const compact = adapterOf(provider, 'compact')
const search = adapterOf(provider, 'search')
const channel = { id: 1, type: 57, baseUrl: 'https://chatgpt.com', settings: {} }

const now = 1_795_291_200_000
const minute = 60_000
const hour = 60 * minute
const token = accessToken(now + 10 * hour)
const key = sessionKey({ access_token: token })

const context = (headers: AddressContext['forwarded']['headers'] = {}): AddressContext => ({
  now,
  forwarded: { headers },
  model: 'gpt-5-codex',
  stream: false,
})

t.test(
  '[FMT-13] it serves responses, shortened conversations and searches, each at its path',
  async (t) => {
    t.same(Object.keys(provider.operations), ['chat', 'compact', 'search'])
    t.equal(chat.format, 'responses')
    t.equal(compact.format, 'same')
    t.equal(search.format, 'same')
    const at = (adapter: typeof chat) =>
      adapter.address({ kind: 'none' }, channel, { key, token }, context())
    t.equal(at(chat).url, 'https://chatgpt.com/backend-api/codex/responses')
    t.equal(at(compact).url, 'https://chatgpt.com/backend-api/codex/responses/compact')
    t.equal(at(search).url, 'https://chatgpt.com/backend-api/codex/alpha/search')
    t.same(at(chat).headers, {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: `Bearer ${token}`,
      'chatgpt-account-id': 'acc-1',
      originator: 'codex_cli_rs',
      'openai-beta': 'responses=experimental',
      version: '0.171.0',
      'user-agent': 'codex_cli_rs/0.171.0',
    })
    t.equal(at(search).headers.accept, 'application/json')
  },
)

t.test('[FMT-12] the body of a search goes out as it came', async (t) => {
  const bytes = Buffer.from('{"model":"gpt-5-codex", "x":1.0}')
  const wire = { kind: 'json', value: JSON.parse(bytes.toString()), bytes } as const
  t.equal(search.address(wire, channel, { key, token }, context()).body, undefined)
  t.equal(search.adjust, undefined)
})

t.test(
  'a client that names itself is reported as it names itself, another not at all',
  async (t) => {
    const headersFor = (forwarded: Record<string, string>) =>
      chat.address({ kind: 'none' }, channel, { key, token }, context(forwarded)).headers
    const own = {
      originator: 'codex_vscode',
      'user-agent': 'codex_vscode/1.0',
      session_id: 's-1',
      'x-codex-turn-state': 'state',
      'openai-beta': 'responses=v2',
    }
    t.match(headersFor(own), own)
    const other = headersFor({
      'user-agent': 'OpenAI/JS 6.0',
      cookie: 'x',
      authorization: 'Bearer x',
    })
    t.equal(other['user-agent'], 'codex_cli_rs/0.171.0')
    t.notOk('cookie' in other)
    t.equal(other.originator, 'codex_cli_rs')
    t.equal(other.authorization, `Bearer ${token}`)
    for (const name of Object.keys(own)) t.ok(chat.forwards?.includes(name), name)
  },
)

t.test(
  'a channel states which client it is, and one of the service’s own keeps its word',
  async (t) => {
    const headersFor = (settings: JsonObject, forwarded: Record<string, string> = {}) => {
      const set = { ...channel, settings }
      return chat.address({ kind: 'none' }, set, { key, token }, context(forwarded)).headers
    }
    t.match(headersFor({ client_version: ' 0.180.1-alpha.2 ' }), {
      version: '0.180.1-alpha.2',
      'user-agent': 'codex_cli_rs/0.180.1-alpha.2',
    })
    t.match(headersFor({ user_agent: 'ours/1 (Zürich)\r\nx: y' }), {
      version: currentVersion,
      'user-agent': 'ours/1 (Zrich)x: y',
    })
    for (const client_version of ['', 'latest', '1.2', '0.1.0&x=1', '1.2.3\r\nx: y', 7]) {
      t.equal(headersFor({ client_version }).version, currentVersion)
    }
    const desktop = {
      originator: 'Codex Desktop',
      'user-agent': 'Codex Desktop/0.199.3 (Mac OS 14.4.1; arm64) unknown',
    }
    t.match(headersFor({}, desktop), { ...desktop, version: '0.199.3' })
    t.match(headersFor({}, { ...desktop, version: '0.198.0' }), { version: '0.198.0' })
    t.match(headersFor({}, { ...desktop, 'user-agent': 'Codex' }), { version: currentVersion })
    t.match(headersFor({}, { version: '9.9.9' }), { version: currentVersion })
  },
)

t.test('the version the manifest names is the one that is stated', async (t) => {
  const defaults = manifestOf('code-assistant').channelSettings?.map((one) => [
    one.name,
    one.default,
  ])
  t.strictSame(defaults, [
    ['client_version', currentVersion],
    ['user_agent', ''],
  ])
})

t.test('the account is the key’s, else the token’s', async (t) => {
  const accountOf = (session: JsonObject) =>
    chat.address({ kind: 'none' }, channel, { key: JSON.stringify(session), token }, context())
      .headers['chatgpt-account-id']
  t.equal(accountOf({ access_token: token, account_id: 'mine' }), 'mine')
  t.equal(accountOf({ tokens: { access_token: token, account_id: 'nested' } }), 'nested')
  t.equal(accountOf({ access_token: token }), 'acc-of-the-token')
  const id_token = jwt({ [auth]: { chatgpt_account_id: 'of-the-id-token' } })
  t.equal(accountOf({ access_token: 'opaque', id_token }), 'of-the-id-token')
  t.equal(accountOf({ access_token: 'opaque' }), undefined)
})

t.test('a request is made what the service takes', async (t) => {
  const system = { type: 'message', role: 'system', content: 'Be kind.' }
  const user = { type: 'message', role: 'user', content: 'Hello' }
  const adjusted = chat.adjust!(
    {
      model: 'gpt-5',
      input: [system, user],
      max_output_tokens: 5,
      temperature: 0,
      top_p: 1,
      metadata: {},
      user: '',
      truncation: 'auto',
      prompt_cache_retention: '24h',
      store: true,
      stream: false,
      previous_response_id: 'resp_1',
      reasoning: { effort: 'high' },
    },
    channel,
  )
  t.same(adjusted, {
    model: 'gpt-5',
    input: [{ ...system, role: 'developer' }, user],
    store: false,
    stream: true,
    instructions: 'You are a helpful assistant.',
    previous_response_id: 'resp_1',
    reasoning: { effort: 'high' },
  })
  t.equal(chat.adjust!(adjusted, channel), adjusted)
  t.same(chat.adjust!({ input: 'Hello', instructions: 'x' }, channel), {
    input: [user],
    instructions: 'x',
    store: false,
    stream: true,
  })
})

t.test('[FMT-9] what it does not take is named, where it asks for something', async (t) => {
  const lost = (wire: JsonObject) => chat.refuses!(wire, channel, 'gpt-5')
  t.same(lost({ max_output_tokens: 5, temperature: 0, store: true, user: 'u-1' }), [
    'max_output_tokens',
    'temperature',
    'user',
    'store',
  ])
  const idle = { temperature: 1, top_p: 1, truncation: 'disabled', user: '', metadata: null }
  t.same(lost({ ...idle, store: false, stream_options: { include_obfuscation: false } }), [])
})

t.test('[FMT-5] a request of its own client stays as it is', async (t) => {
  const wire = {
    model: 'gpt-5-codex',
    instructions: 'You are Codex.',
    input: [{ type: 'message', role: 'developer', content: 'x' }],
    tools: [],
    parallel_tool_calls: false,
    store: false,
    stream: true,
    include: ['reasoning.encrypted_content'],
    prompt_cache_key: '',
  }
  t.equal(chat.adjust!(wire, channel), wire)
})

interface RequestOptions {
  readonly key?: string
  readonly refused?: string
  readonly answer?: Partial<WholeAnswer> | Error
}

function authorized({ key: session = key, refused, answer = {} }: RequestOptions = {}) {
  const calls: UpstreamRequest[] = []
  const result = provider.authorize!(session, channel, {
    now,
    ...(refused !== undefined && { refused }),
    async fetch(request) {
      calls.push(request)
      if (answer instanceof Error) throw answer
      return { status: 200, headers: {}, body: Buffer.alloc(0), ...answer }
    },
  })
  return { calls, result }
}

const next = accessToken(now + 240 * hour, 'next')
const granted = {
  body: Buffer.from(
    JSON.stringify({ access_token: next, refresh_token: 'refresh-1', id_token: 'id-1' }),
  ),
}

t.test('a token that is good for a while is used as it is', async (t) => {
  const { calls, result } = authorized()
  t.same(await result, { key, token, expiresAt: now + 10 * hour })
  t.equal(calls.length, 0)
  const opaque = sessionKey({ access_token: 'opaque' })
  t.same(await authorized({ key: opaque }).result, {
    key: opaque,
    token: 'opaque',
    expiresAt: undefined,
  })
})

t.test(
  'a token about to end is renewed, and the new session takes the place of the key',
  async (t) => {
    const old = sessionKey({ access_token: accessToken(now + 5 * minute), email: 'a@b.example' })
    const { calls, result } = authorized({ key: old, answer: granted })
    const renewed = (await result) as Credentials
    t.equal(renewed.token, next)
    t.equal(renewed.expiresAt, now + 240 * hour)
    t.equal(renewed.key, renewed.renewedKey)
    t.same(JSON.parse(renewed.renewedKey!), {
      refresh_token: 'refresh-1',
      account_id: 'acc-1',
      access_token: next,
      email: 'a@b.example',
      id_token: 'id-1',
      last_refresh: '2026-11-21T20:00:00.000Z',
    })
    const [call] = calls
    t.equal(call?.url, 'https://auth.openai.com/oauth/token')
    t.ok(mayReach(call!.url, channel.baseUrl, ['channel', 'auth.openai.com']))
    t.same(JSON.parse(String(call?.body)), {
      client_id: 'app_EMoamEEZ73f0CkXaXp7hrann',
      grant_type: 'refresh_token',
      refresh_token: 'refresh-0',
    })
  },
)

t.test('a session keeps the shape it came in, and what a renewal does not bring', async (t) => {
  const nested = JSON.stringify({
    OPENAI_API_KEY: null,
    tokens: { access_token: accessToken(now), refresh_token: 'refresh-0', account_id: 'acc-2' },
    last_refresh: 'before',
  })
  const body = Buffer.from(JSON.stringify({ access_token: next, refresh_token: '' }))
  const { renewedKey } = (await authorized({ key: nested, answer: { body } }).result) as Credentials
  t.same(JSON.parse(renewedKey!), {
    OPENAI_API_KEY: null,
    tokens: { access_token: next, refresh_token: 'refresh-0', account_id: 'acc-2' },
    last_refresh: '2026-11-21T20:00:00.000Z',
  })
})

t.test('a refused token is renewed however long it would have lived', async (t) => {
  const { calls, result } = authorized({ refused: token, answer: granted })
  t.match(await result, { token: next })
  t.equal(calls.length, 1)
  t.match(await authorized({ refused: 'another' }).result, { token })
})

t.test('a renewal that fails leaves a token that still works', async (t) => {
  const ending = accessToken(now + 5 * minute)
  const old = sessionKey({ access_token: ending })
  for (const answer of [{ status: 503 }, { status: 400 }, new Error('no way')]) {
    t.match(await authorized({ key: old, answer }).result, { token: ending })
  }
  const alone = JSON.stringify({ access_token: ending })
  const { calls, result } = authorized({ key: alone })
  t.match(await result, { token: ending })
  t.equal(calls.length, 0)
})

t.test(
  'a session that is over is the channel’s fault, a service that is down its own',
  async (t) => {
    const over = sessionKey({ access_token: accessToken(now - hour) })
    const reused = Buffer.from('{"error":{"code":"refresh_token_reused","message":"…refresh-0…"}}')
    const rows = [
      [{ status: 400, body: Buffer.from('{"error":"invalid_grant"}') }, 'channel'],
      [{ status: 401, body: reused }, 'channel'],
      [{ status: 429 }, 'channel'],
      [{ status: 500 }, 'upstream'],
      [{ status: 200, body: Buffer.from('<html>') }, 'upstream'],
    ] as const
    for (const [answer, blame] of rows) {
      const failed = await authorized({ key: over, answer }).result
      t.match(failed, { failure: { blame, status: answer.status } })
      const message = 'failure' in failed ? failed.failure.message : ''
      t.notMatch(message, 'refresh-0')
      t.notMatch(JSON.stringify(failed), over)
    }
    await t.rejects(authorized({ key: over, answer: new Error('no way') }).result, /no way/)
    const invalid = { code: 'channel:invalid_key' }
    const alone = JSON.stringify({ access_token: accessToken(now - hour) })
    for (const bad of [alone, 'sk-plain', '{}', '[]', '{"tokens":{}}']) {
      await t.rejects(authorized({ key: bad }).result, invalid, bad)
    }
  },
)

function refused(status: number, body: JsonObject, headers: Record<string, string> = {}) {
  return chat.fail(status, headers, Buffer.from(JSON.stringify(body)))
}

t.test('[FMT-17] a field that is not taken is named to the client', async (t) => {
  t.match(refused(400, { detail: 'Unsupported parameter: previous_response_id' }), {
    blame: 'client',
    status: 400,
    param: 'previous_response_id',
    message: /Unsupported parameter/,
  })
  const error = { message: 'Invalid value', type: 'invalid_request_error', param: 'input[0]' }
  t.match(refused(400, { error }), { blame: 'client', param: 'input[0]' })
})

t.test('a plan that is used up states when it begins anew', async (t) => {
  const limit = (fields: JsonObject, headers = {}) =>
    refused(429, { error: { type: 'usage_limit_reached', plan_type: 'plus', ...fields } }, headers)
  t.match(limit({ resets_in_seconds: 90 }), { blame: 'channel', retryAfterMs: 90_000 })
  const date = 'Sat, 21 Nov 2026 20:00:00 GMT'
  t.equal(limit({ resets_at: now / 1000 + 3600 }, { date }).retryAfterMs, hour)
  t.equal(limit({ resets_at: now / 1000 + 30 * 24 * 3600 }, { date }).retryAfterMs, 7 * 24 * hour)
  t.equal(limit({ resets_at: now / 1000 + 3600 }).retryAfterMs, undefined, 'by no clock')
  t.equal(limit({ resets_at: now / 1000 - 9 }, { date }).retryAfterMs, undefined)
  t.equal(limit({}, { 'retry-after': '7' }).retryAfterMs, 7000)
  t.equal(refused(429, { error: { type: 'x', resets_in_seconds: 5 } }).retryAfterMs, undefined)
})

t.test('a client that is too old is the channel’s fault, and the operator is told', async (t) => {
  const detail = "The 'gpt-6-astra' model requires a newer version of Codex. Please upgrade."
  const failure = refused(400, { detail })
  t.match(failure, {
    blame: 'channel',
    status: 400,
    upstreamMessage: /raise it\. The 'gpt-6-astra'/,
  })
  t.notMatch(failure.message, 'astra')
})

t.test('[ERR-2] a page of the front is not held against the account', async (t) => {
  const page = Buffer.from('<!DOCTYPE html><title>Just a moment...</title>')
  const signs: [string, string][] = [
    ['cf-mitigated', 'challenge'],
    ['content-type', 'text/html; charset=UTF-8'],
  ]
  for (const sign of signs) {
    const failure = chat.fail(403, Object.fromEntries([sign]), page)
    t.match(failure, {
      blame: 'channel',
      status: 403,
      upstreamMessage: /account was not looked at/,
    })
  }
  t.match(refused(403, { detail: 'Forbidden' }), { upstreamMessage: 'Forbidden' })
  t.equal(chat.fail(401, { 'content-type': 'text/html' }, page).upstreamMessage, undefined)
})

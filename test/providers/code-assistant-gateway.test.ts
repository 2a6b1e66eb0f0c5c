/** The code assistant behind the whole gateway: streams passed on and folded, searches billed, other channels left out. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { events, json } from '../kit/upstream.js'
import { strictly, type VendorRule } from '../kit/vendor.js'
import { accessToken, sessionKey } from './code-assistant-session.js'

const model = 'gpt-5-codex'
const token = accessToken(4_000_000_000_000)

const gateway = await scriptedGateway(t, {
  channel: { type: 57, key: sessionKey({ access_token: token }), models: model },
})
await gateway.admin.option('ModelRatio', { [model]: 1 })
await gateway.admin.option('CompletionRatio', { [model]: 4 })
const { upstream } = gateway

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/code-assistant/${name}`, import.meta.url))

function post(path: string, body: object | string): Promise<Response> {
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(events(fixture('text.sse')))
})

t.test('a responses client gets the stream as it came', async (t) => {
  const answer = await post('/v1/responses', { model, input: 'Hello', stream: true })
  t.equal(await answer.text(), fixture('text.sse').toString())
  t.match(upstream.requests[0], {
    path: '/backend-api/codex/responses',
    headers: { authorization: `Bearer ${token}`, 'chatgpt-account-id': 'acc-1' },
    json: { model, store: false, stream: true, instructions: 'You are a helpful assistant.' },
  })
  const [log] = await gateway.logs()
  t.match(log, { prompt_tokens: 25, completion_tokens: 7 })
})

t.test('a client that requested one body gets the stream folded', async (t) => {
  const answer = await post('/v1/responses', { model, input: 'Hello', temperature: 0.5 })
  t.match(answer.headers.get('content-type'), 'application/json')
  t.match(await answer.json(), {
    object: 'response',
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text: 'Grüße, Welt 🚀' }] }],
    usage: { input_tokens: 25, output_tokens: 7 },
  })
  t.notOk('temperature' in (upstream.requests[0]?.json ?? {}))
  t.equal(answer.headers.get('x-waybill-lost'), 'temperature')
})

t.test('[FMT-9] a chat client gets it in its own format', async (t) => {
  const answer = await gateway.chat({
    model,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ],
  })
  t.match(await answer.json(), { choices: [{ message: { content: 'Grüße, Welt 🚀' } }] })
  t.equal(upstream.requests[0]?.json?.instructions, 'Be brief.')
})

t.test('[FMT-12] [BILL-5] a search is passed on byte for byte and costs one search', async (t) => {
  upstream.script(json(200, JSON.parse(fixture('search.json').toString())))
  const body = `{"id":"s-1", "model":"${model}","commands":{"search_query":[{"q":"x"}]},"new":1.0}`
  const answer = await post('/v1/alpha/search', body)
  t.equal(answer.status, 200)
  t.same(await answer.json(), JSON.parse(fixture('search.json').toString()))
  t.equal(upstream.requests[0]?.path, '/backend-api/codex/alpha/search')
  t.equal(upstream.requests[0]?.text, body)
  const [log] = await gateway.logs()
  t.match(log, { prompt_tokens: 0, completion_tokens: 0 })
})

t.test('a conversation is made shorter at its own path', async (t) => {
  upstream.script(json(200, { output: [{ type: 'compaction', encrypted_content: 'x' }] }))
  const answer = await post('/v1/responses/compact', { model, input: 'Hello' })
  t.equal(answer.status, 200)
  t.equal(upstream.requests[0]?.path, '/backend-api/codex/responses/compact')
})

t.test('[FMT-13] it serves nothing else', async (t) => {
  const answer = await post('/v1/embeddings', { model, input: 'x' })
  t.equal(answer.status, 503)
  t.equal(upstream.requests.length, 0)
})

const wantsNewClient: VendorRule = {
  rule: "The 'gpt-5-codex' model requires a newer version of Codex.",
  source: 'github.com/can1357/oh-my-pi/pull/5108; github.com/diegosouzapw/OmniRoute/pull/13708',
  read: '2026-11-27',
  broken: ({ headers }) => {
    const [, minor = 0] = String(headers.version ?? '0.0.0').split('.')
    return Number(minor) < 153 || !headers['user-agent']?.includes(`/${headers.version}`)
  },
}

t.test('a client without a name is let in by the channel’s', async (t) => {
  upstream.script(strictly([wantsNewClient], events(fixture('text.sse'))))
  const answer = await post('/v1/responses', { model, input: 'Hello' })
  t.equal(answer.status, 200)
  t.match(upstream.requests.at(-1)?.headers, { originator: 'codex_cli_rs', version: '0.171.0' })
})

t.test('a client’s own version is what the service is told', async (t) => {
  const agent = 'codex_cli_rs/0.199.0 (Debian 13; x86_64) unknown'
  const answer = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      'content-type': 'application/json',
      originator: 'codex_cli_rs',
      'user-agent': agent,
    },
    body: JSON.stringify({ model, input: 'Hello' }),
  })
  t.equal(answer.status, 200)
  t.match(upstream.requests.at(-1)?.headers, { version: '0.199.0', 'user-agent': agent })
})

t.test('a plan that is used up is the channel’s trouble, reported without its words', async (t) => {
  upstream.script(
    json(429, {
      error: { type: 'usage_limit_reached', message: 'The usage limit', resets_in_seconds: 60 },
    }),
  )
  const answer = await post('/v1/responses', { model, input: 'Hello' })
  t.equal(answer.status, 429)
  t.notMatch(await answer.text(), 'usage limit')
})

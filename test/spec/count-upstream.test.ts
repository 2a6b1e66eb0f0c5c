/** Counts of tokens by the upstream: exact where the channel can count, free, and never in the way of an estimate. */
import t from 'tap'
import { FakeClock } from '../kit/clock.js'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json, type Script, silence } from '../kit/upstream.js'

const model = 'claude-sonnet-4-5'
const here = await scriptedGateway(t, {
  channel: { type: 14, models: model, model_mapping: JSON.stringify({ [model]: 'claude-real' }) },
})
const { upstream } = here
const body = { model, messages: [{ role: 'user', content: 'hello' }] }
const headers = { 'x-api-key': here.key, 'anthropic-version': '2023-06-01' }

function count(over: object = {}, more: Readonly<Record<string, string>> = {}) {
  return fetch(`${here.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, ...more },
    body: JSON.stringify({ ...body, ...over }),
  })
}

async function counted(answer: Response): Promise<number> {
  t.equal(answer.status, 200)
  return ((await answer.json()) as { readonly input_tokens: number }).input_tokens
}

t.beforeEach(() => {
  upstream.requests.length = 0
})

t.test('[SVC-2] the upstream counts, is sent what it can count, and nobody pays', async (t) => {
  const before = await here.admin.balance()
  upstream.script(json(200, { input_tokens: 4242 }))
  const beta = { 'anthropic-beta': 'context-management-2025-06-27' }
  t.equal(await counted(await count({ max_tokens: 5, temperature: 1 }, beta)), 4242)
  const { path, json: sent, headers: seen } = upstream.requests[0]!
  t.equal(path, '/v1/messages/count_tokens')
  t.strictSame(sent, { ...body, model: 'claude-real' })
  t.equal(seen['x-api-key'], 'upstream-key')
  t.equal(seen['anthropic-beta'], 'context-management-2025-06-27')
  t.same(await here.logs(), [])
  t.equal(await here.admin.balance(), before)
})

t.test('[SVC-2] whatever goes wrong at the upstream, the client gets the estimate', async (t) => {
  const broken: readonly Script[] = [
    json(400, { type: 'error', error: { type: 'invalid_request_error', message: 'no' } }),
    json(429, { type: 'error', error: { type: 'rate_limit_error', message: 'slow' } }),
    json(500, {}),
    json(200, { tokens: 1 }),
    ...[-5, 1.5, '7', null].map((input_tokens) => json(200, { input_tokens })),
    (_, response) => {
      response.destroy()
    },
  ]
  for (const script of broken) {
    upstream.script(script)
    const tokens = await counted(await count())
    t.ok(tokens > 0 && tokens < 20)
  }
  t.equal(upstream.requests.length, broken.length, 'it is asked each time')
})

t.test('[CHAN-2] a count that fails is no sign that the channel fails', async (t) => {
  upstream.script(json(500, {}))
  for (let times = 0; times < 20; times += 1) await count()
  upstream.script(
    json(200, {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model, stop_reason: 'end_turn' },
      ...{ content: [{ type: 'text', text: 'hi' }], usage: { input_tokens: 3, output_tokens: 1 } },
      stop_sequence: null,
    }),
  )
  const answer = await fetch(`${here.url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...body, max_tokens: 5 }),
  })
  t.equal(answer.status, 200)
})

t.test('a key that may not use a model counts nothing for it', async (t) => {
  upstream.script(json(200, { input_tokens: 1 }))
  const { key } = await here.admin.token({ model_limits_enabled: true, model_limits: 'another' })
  const answer = await count({}, { 'x-api-key': key })
  t.equal(answer.status, 403)
  t.equal(upstream.requests.length, 0)
})

t.test('[SVC-2] the option switches counts at the upstream off', async (t) => {
  upstream.script(json(200, { input_tokens: 4242 }))
  await here.admin.option('CountTokensUpstream', false)
  t.ok((await counted(await count())) < 20)
  t.equal(upstream.requests.length, 0)
  await here.admin.option('CountTokensUpstream', true)
})

t.test('[SVC-2] a service without such a path is not asked again for a while', async (t) => {
  upstream.script(json(404, { error: { message: 'Not Found' } }))
  for (let times = 0; times < 3; times += 1) t.ok((await counted(await count())) < 20)
  t.equal(upstream.requests.length, 1)
})

t.test('[SVC-2] a service that counts slowly is not asked again for a minute', async (t) => {
  const clock = new FakeClock()
  const gemini = await scriptedGateway(t, { clock, channel: { type: 24, models: 'gemini-3' } })
  const ask = async () => {
    const answer = await fetch(`${gemini.url}/v1beta/models/gemini-3:countTokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': gemini.key },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }),
    })
    const { totalTokens } = (await answer.json()) as { readonly totalTokens: number }
    return totalTokens
  }
  const asked = new Promise<void>((resolve) => {
    gemini.upstream.script((request, response) => {
      resolve()
      return silence(request, response)
    })
  })
  const first = ask()
  await asked
  clock.advance(10_000)
  t.ok((await first) < 20)
  gemini.upstream.script(json(200, { totalTokens: 4242 }))
  t.ok((await ask()) < 20, 'an estimate at once')
  t.equal(gemini.upstream.requests.length, 1)
  clock.advance(60_000)
  t.equal(await ask(), 4242)
})

t.test('[FMT-8] a generative client gets the count of its upstream as it came', async (t) => {
  const gemini = await scriptedGateway(t, { channel: { type: 24 } })
  const answer = { totalTokens: 31, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 31 }] }
  gemini.upstream.takes('the request to count is that of the client in a field of its own')
  gemini.upstream.script(json(200, answer))
  const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
  for (const asked of [{ contents }, { generateContentRequest: { contents } }]) {
    const response = await fetch(`${gemini.url}/v1beta/models/gpt-4o-mini:countTokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-goog-api-key': gemini.key },
      body: JSON.stringify(asked),
    })
    t.strictSame(await response.json(), answer)
    const { path, json: sent } = gemini.upstream.requests.at(-1)!
    t.equal(path, '/v1beta/models/gpt-4o-mini:countTokens')
    t.strictSame(sent, { generateContentRequest: { contents, model: 'models/gpt-4o-mini' } })
  }
})

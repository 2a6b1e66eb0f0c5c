/** Limits of a key of its own: requests and tokens a minute and a budget, on the wire. */
import t, { type Test } from 'tap'
import { startGateway } from '../kit/gateway.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'

const model = 'gpt-4o-mini'
const messages = [{ role: 'user', content: 'hi' }]

async function setup(t: Test) {
  const upstream = await scriptedUpstream(t)
  const gateway = await startGateway(t)
  const { admin, url } = gateway
  const channel = { type: 1, name: 'one', key: 'upstream-key', base_url: upstream.url }
  await admin.channel({ ...channel, models: model })
  upstream.script(json(200, chat.whole('hello', 10, 5)))
  const made = async (fields: object) =>
    admin.must('POST', '/api/token/', { name: `limited ${JSON.stringify(fields)}`, ...fields })
  const ask = (key: string, path = '/v1/chat/completions', body: object = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'x-goog-api-key': key,
        'x-api-key': key,
        'anthropic-version': '2023-06-01',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ model, messages, max_tokens: 10, ...body }),
    })
  return { ...gateway, upstream, made, ask }
}

interface Body {
  readonly error: { readonly code: string; readonly message: string }
  readonly data: object
}

async function bodyOf(response: Response): Promise<Body> {
  return (await response.json()) as Body
}

const gemini = `/v1beta/models/${model}:generateContent`
const forms: readonly (readonly [path: string, body: object, error: object])[] = [
  ['/v1/chat/completions', {}, { error: { code: 'rate_limit_exceeded' } }],
  [
    '/v1/responses',
    { input: 'hi', messages: undefined, max_tokens: undefined, max_output_tokens: 20 },
    { error: { code: 'rate_limit_exceeded' } },
  ],
  ['/v1/messages', {}, { type: 'error', error: { type: 'rate_limit_error' } }],
  [
    gemini,
    {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      messages: undefined,
      max_tokens: undefined,
      model: undefined,
    },
    { error: { code: 'rate_limit_exceeded' } },
  ],
]

t.test(
  '[LIMIT-6] [LIMIT-1] a key has requests a minute of its own, sent in every format of clients',
  async (t) => {
    const { made, ask, upstream, chat: unlimited } = await setup(t)
    for (const [path, body, error] of forms) {
      const { key } = await made({ rpm_limit: 1 })
      const first = await ask(key, path, body)
      // What the upstream sent is no answer of that format: failures have the headers too.
      t.equal(first.status, path === '/v1/responses' ? 502 : 200, path)
      t.equal(first.headers.get('x-ratelimit-limit-requests'), '1')
      t.equal(first.headers.get('x-ratelimit-remaining-requests'), '0')
      t.match(first.headers.get('x-ratelimit-reset-requests'), /^(\d+s|1m0s)$/)
      const second = await ask(key, path, body)
      t.equal(second.status, 429, path)
      t.match(second.headers.get('retry-after'), /^\d+$/)
      t.equal(second.headers.get('x-ratelimit-remaining-requests'), '0')
      t.match(await second.json(), error)
      const own = second.headers.get('anthropic-ratelimit-requests-limit')
      t.equal(own, path === '/v1/messages' ? '1' : null)
    }
    t.equal(upstream.requests.length, forms.length, 'nothing of what is refused is relayed')
    const free = await unlimited({ model, messages })
    t.notOk(
      [...free.headers.keys()].some((name) => name.startsWith('x-ratelimit')),
      'no limits, no headers',
    )
  },
)

t.test('[LIMIT-6] tokens a minute count what was expected, then what was used', async (t) => {
  const { made, ask, upstream, gateway } = await setup(t)
  const { key } = await made({ tpm_limit: 100 })
  upstream.script(json(200, chat.whole('hello', 10, 60)))
  const first = await ask(key)
  t.equal(first.status, 200)
  t.equal(first.headers.get('x-ratelimit-limit-tokens'), '100')
  await gateway.idle()
  const second = await ask(key, '/v1/chat/completions', { max_tokens: 50 })
  t.equal(second.status, 429, '70 were used, and 50 more may be')
  t.match((await bodyOf(second)).error.message, /may use 100 tokens a minute; 30 are left/)
  t.equal(
    (await ask(key, '/v1/chat/completions', { max_tokens: 15 })).status,
    200,
    'a refusal uses nothing up',
  )
  const large = await ask(key, '/v1/chat/completions', { max_tokens: 500 })
  t.equal(large.status, 429)
  t.match((await bodyOf(large)).error.message, /^This request may take \d+ tokens/)
})

t.test(
  '[BILL-9] [ERR-1] a budget that does not cover a request is named with the time it resets',
  async (t) => {
    const { made, ask, admin, url, upstream } = await setup(t)
    const { key, id } = await made({ budget_quota: 100, budget_period: 'day' })
    const first = await ask(key)
    t.equal(first.status, 200)
    t.equal(first.headers.get('x-ratelimit-limit-budget'), '100')
    t.ok(Number(first.headers.get('x-ratelimit-remaining-budget')) < 100)
    const large = await ask(key, '/v1/chat/completions', { max_tokens: 30_000 })
    t.equal(large.status, 403)
    t.equal(large.headers.get('retry-after'), null, 'it never fits')
    const { error } = await bodyOf(large)
    t.equal(error.code, 'pre_consume_token_quota_failed')
    t.match(
      error.message,
      /^The budget of this API key \(\$0\.0002 a day\).*It resets at \d{4}-\d\d-\d\d 00:00 UTC/,
    )
    const calls = upstream.requests.length
    const all = await Promise.all(Array.from({ length: 200 }, () => ask(key)))
    const bad = all.find(({ status }) => status !== 200)
    t.equal(bad?.status, 403)
    t.match(bad?.headers.get('retry-after'), /^\d+$/)
    t.equal(upstream.requests.length - calls, all.filter(({ status }) => status === 200).length)
    const read = await admin.must('GET', `/api/token/${id}`)
    t.ok(read.budget_used <= 100, `used ${read.budget_used}`)
    t.match(read, { budget_quota: 100, budget_period: 'day' })
    t.ok(read.budget_resets_at * 1000 > Date.now())
    const own = await fetch(`${url}/api/usage/token`, {
      headers: { authorization: `Bearer ${key}` },
    })
    t.match((await bodyOf(own)).data, { budget: { budget_quota: 100, budget_period: 'day' } })
  },
)

/** The large providers through a whole gateway: the operations and formats of each at a scripted upstream. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { ask, model, scriptedGateway } from '../kit/scripted-gateway.js'
import { chat, events, json, type Script } from '../kit/upstream.js'

const gateway = await scriptedGateway(t)
gateway.upstream.takes('a field no vendor has shows that bodies pass', ['x_vendor'])
const { upstream, admin } = gateway
const fixture = (path: string) => readFileSync(new URL(`../fixtures/${path}`, import.meta.url))
const recorded = (path: string): Record<string, unknown> =>
  JSON.parse(fixture(path).toString('utf8'))

const models = [
  ...[model, 'converted', 'responses-only', 'house-deployment', 'full-address'],
  ...['gemini-2.5-flash', 'gemini-2.5-flash-nothinking', 'gemini-2.5-flash-image'],
  ...['gemini-embedding-001', 'gemini-tts', 'routed', 'claude-routed', 'routed-search'],
  ...['embedder', 'painter'],
]
await admin.option('ModelRatio', Object.fromEntries(models.map((name) => [name, 1])))
await admin.option('CompletionRatio', Object.fromEntries(models.map((name) => [name, 4])))
await admin.must('PUT', '/api/channel/', {
  id: gateway.channelId,
  models: [model, 'embedder', 'painter'].join(','),
})

async function channel(type: number, served: string, fields: Record<string, unknown> = {}) {
  const name = `type ${type} ${served}`
  const base = { key: 'upstream-key', base_url: upstream.url, group: 'default' }
  await admin.channel({ ...base, type, name, models: served, ...fields })
}

await channel(1, 'converted', { settings: { responses_api: 'convert' } })
await channel(1, 'responses-only', { settings: { responses_api: 'always' } })
await channel(3, 'house-deployment', { base_url: `${upstream.url}/openai/v1/` })
await channel(8, 'full-address', { base_url: `${upstream.url}/run/{model}/chat` })
await channel(24, models.filter((name) => name.startsWith('gemini')).join(','))
await channel(58, 'routed,claude-routed,routed-search', {
  settings: {
    routes: {
      routes: [
        { incoming_path: '/v1/alpha/search', upstream_path: '/find', models: ['routed-search'] },
        {
          incoming_path: '/v1/chat/completions',
          upstream_path: '/m/{model}/messages',
          converter: 'chat->messages',
          models: ['re:claude-.*'],
          auth: { type: 'header', name: 'x-api-key', value: '{api_key}' },
        },
        { incoming_path: '/v1/chat/completions', upstream_path: '/c', models: ['routed'] },
      ],
    },
  },
})

t.beforeEach(() => {
  upstream.requests.length = 0
})

function post(path: string, body: object | FormData): Promise<Response> {
  const isForm = body instanceof FormData
  return fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.key}`,
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
}

async function answered(path: string, body: object | FormData, script: Script) {
  upstream.script(script)
  const reply = await post(path, body)
  const { status } = reply
  return {
    status,
    body: (await reply.json()) as Record<string, unknown>,
    sent: upstream.requests[0],
  }
}

async function cost(run: () => Promise<unknown>): Promise<bigint> {
  const before = await gateway.balance()
  await run()
  return before - (await gateway.balance())
}

const usage = { input_tokens: 10, output_tokens: 2, total_tokens: 12 }
const responseBody = {
  id: 'resp_1',
  object: 'response',
  created_at: 1_700_000_000,
  status: 'completed',
  model: 'm',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hi.', annotations: [] }],
    },
  ],
  usage,
}
const textOf = (body: Record<string, unknown>) => JSON.stringify(body.output ?? body.choices)

t.test('[SVC-3] a responses request passes as it is where the upstream has that API', async (t) => {
  const request = { model, input: 'Hello', temperature: 0, x_vendor: [0, '', false] }
  const charged = await cost(async () => {
    const { body, sent } = await answered('/v1/responses', request, json(200, responseBody))
    t.equal(sent?.path, '/v1/responses')
    t.equal(sent?.text, JSON.stringify(request))
    t.strictSame(body, responseBody)
  })
  t.equal(charged, 18n)
})

t.test('[FMT-9] it is converted where the channel states that it has not', async (t) => {
  const request = { model: 'converted', input: 'Hello' }
  const script = json(200, chat.whole('Hi.', 10, 2))
  const charged = await cost(async () => {
    const { body, sent } = await answered('/v1/responses', request, script)
    t.equal(sent?.path, '/v1/chat/completions')
    t.match(sent?.json, { messages: [{ role: 'user', content: 'Hello' }] })
    t.equal(body.object, 'response')
    t.match(textOf(body), '"Hi."')
  })
  t.equal(charged, 18n)
})

t.test('[FMT-9] chat is sent as responses where the channel wants nothing else', async (t) => {
  const request = ask({ model: 'responses-only' })
  const { body, sent } = await answered('/v1/chat/completions', request, json(200, responseBody))
  t.equal(sent?.path, '/v1/responses')
  t.equal(body.object, 'chat.completion')
  t.match(textOf(body), '"Hi."')
})

t.test('[SVC-3] embeddings pass to OpenAI and are charged by its count', async (t) => {
  const request = { model: 'embedder', input: ['a', 'b'], user: '' }
  const answer = { object: 'list', data: [], usage: { prompt_tokens: 7, total_tokens: 7 } }
  const charged = await cost(async () => {
    const { body, sent } = await answered('/v1/embeddings', request, json(200, answer))
    t.equal(sent?.path, '/v1/embeddings')
    t.equal(sent?.text, JSON.stringify(request))
    t.strictSame(body, answer)
  })
  t.equal(charged, 7n)
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

function editForm(name: string): FormData {
  const form = new FormData()
  form.append('model', name)
  form.append('prompt', 'Red')
  form.append('image', new Blob([png], { type: 'image/png' }), 'a.png')
  return form
}

t.test('[SVC-3] an image edit goes to OpenAI as a form with its file', async (t) => {
  const answer = { created: 1, data: [{ b64_json: 'aGk=' }], usage }
  const script = json(200, answer)
  const { status, body, sent } = await answered('/v1/images/edits', editForm('painter'), script)
  t.equal(status, 200)
  t.strictSame(body, answer)
  t.equal(sent?.path, '/v1/images/edits')
  t.match(sent?.headers['content-type'], /^multipart\/form-data; boundary=/)
  t.match(sent?.headers.authorization, 'Bearer upstream-key')
  t.match(sent?.text, /name="model"\r\n\r\npainter\r\n/)
  t.match(sent?.text, /filename="a\.png"/)
})

t.test('Azure is called below the deployment, and its filter frame is no content', async (t) => {
  upstream.script(events(fixture('azure/text.sse')))
  const charged = await cost(async () => {
    const reply = await post(
      '/v1/chat/completions',
      ask({ model: 'house-deployment', stream: true }),
    )
    const text = await reply.text()
    t.match(text, 'prompt_filter_results')
    t.match(text, /data: \[DONE\]\n\n$/)
  })
  t.equal(charged, 21n)
  t.equal(
    upstream.requests[0]?.path,
    '/openai/deployments/house-deployment/chat/completions?api-version=2025-04-01-preview',
  )
  t.equal(upstream.requests[0]?.headers['api-key'], 'upstream-key')
  t.equal(upstream.requests[0]?.headers.authorization, undefined)
})

t.test('[FMT-17] what Azure filters is reported to the client', async (t) => {
  const script = json(400, recorded('azure/content-filter.json'))
  const request = ask({ model: 'house-deployment' })
  const { status, body } = await answered('/v1/chat/completions', request, script)
  t.equal(status, 400)
  t.match(body, { error: { type: 'content_filter', code: 'upstream_rejected', param: 'prompt' } })
})

const geminiText = recorded('generative/text.json')

t.test('[FMT-9] chat at Gemini carries the thresholds and the model in the address', async (t) => {
  const request = ask({ model: 'gemini-2.5-flash-nothinking' })
  const script = json(200, geminiText)
  const { status, body, sent } = await answered('/v1/chat/completions', request, script)
  t.equal(status, 200)
  t.equal(body.object, 'chat.completion')
  t.equal(sent?.path, '/v1beta/models/gemini-2.5-flash:generateContent')
  t.equal(sent?.headers['x-goog-api-key'], 'upstream-key')
  t.match(sent?.json, {
    contents: [{ parts: [{ text: 'hello' }] }],
    safetySettings: [{ threshold: 'OFF' }],
    generationConfig: { thinkingConfig: { thinkingBudget: 0 } },
  })
})

t.test('[FMT-8] a client of the same form is passed to Gemini as it is', async (t) => {
  const request = { contents: [{ parts: [{ text: 'hello' }] }], x_vendor: 0 }
  const path = '/v1beta/models/gemini-2.5-flash:generateContent'
  const { body, sent } = await answered(path, request, json(200, geminiText))
  t.equal(sent?.path, path)
  t.equal(sent?.text, JSON.stringify(request))
  t.strictSame(body, geminiText)
})

t.test('embeddings of Gemini come back in the form clients know', async (t) => {
  const request = { model: 'gemini-embedding-001', input: ['a', 'b'] }
  const script = json(200, recorded('gemini/embeddings.json'))
  const charged = await cost(async () => {
    const { body, sent } = await answered('/v1/embeddings', request, script)
    t.equal(sent?.path, '/v1beta/models/gemini-embedding-001:batchEmbedContents')
    t.match(body, { object: 'list', data: [{ embedding: [0.5, -0.25] }, { index: 1 }] })
  })
  t.equal(charged, 7n)
  const uncounted = json(200, recorded('gemini/embedding.json'))
  await answered('/v1/embeddings', { ...request, input: 'a' }, uncounted)
  const [row] = await gateway.logs()
  t.ok(JSON.parse(row!.other).admin_info?.local_count_tokens, 'an estimate is marked as one')
})

t.test('images of Gemini are drawn and changed', async (t) => {
  const name = 'gemini-2.5-flash-image'
  const script = json(200, recorded('gemini/image.json'), {
    date: 'Sat, 21 Nov 2026 20:00:00 GMT',
  })
  const drawn = await answered('/v1/images/generations', { model: name, prompt: 'A house' }, script)
  t.match(drawn.body, { created: 1_795_291_200, data: [{ b64_json: 'iVBORw0KGgo=' }] })
  t.equal(drawn.sent?.path, `/v1beta/models/${name}:generateContent`)
  upstream.requests.length = 0
  const changed = await answered('/v1/images/edits', editForm(name), script)
  t.equal(changed.status, 200)
  t.match(changed.sent?.json, {
    contents: [{ parts: [{ inlineData: { mimeType: 'image/png' } }, { text: 'Red' }] }],
  })
  const several = { model: name, prompt: 'A house', n: 2 }
  const refused = await answered('/v1/images/generations', several, script)
  t.equal(refused.status, 400)
  t.match(refused.body, { error: { code: 'not_expressible', param: 'n' } })
})

t.test('speech of Gemini comes as a WAV', async (t) => {
  upstream.script(json(200, recorded('gemini/speech.json')))
  const charged = await cost(async () => {
    const request = { model: 'gemini-tts', input: 'Hi', voice: 'Kore', response_format: 'wav' }
    const reply = await post('/v1/audio/speech', request)
    t.equal(reply.status, 200)
    t.equal(reply.headers.get('content-type'), 'audio/wav')
    const bytes = Buffer.from(await reply.arrayBuffer())
    t.equal(bytes.toString('latin1', 0, 4), 'RIFF')
  })
  t.ok(charged > 8n, 'the count of the service is charged')
})

t.test('a custom channel is called at its whole address', async (t) => {
  const script = json(200, chat.whole('Hi.', 10, 2))
  const request = ask({ model: 'full-address' })
  const { status, sent } = await answered('/v1/chat/completions', request, script)
  t.equal(status, 200)
  t.equal(sent?.path, '/run/full-address/chat')
})

t.test('[FMT-9] an advanced custom channel leads each model along its route', async (t) => {
  const whole = json(200, chat.whole('Hi.', 10, 2))
  const plain = await answered('/v1/chat/completions', ask({ model: 'routed' }), whole)
  t.equal(plain.status, 200)
  t.equal(plain.sent?.path, '/c')
  upstream.requests.length = 0
  const message = json(200, recorded('messages/text.json'))
  const request = ask({ model: 'claude-routed', max_tokens: 5 })
  const routed = await answered('/v1/chat/completions', request, message)
  t.equal(routed.status, 200)
  t.equal(routed.body.object, 'chat.completion')
  t.equal(routed.sent?.path, '/m/claude-routed/messages')
  t.equal(routed.sent?.headers['x-api-key'], 'upstream-key')
  t.equal(routed.sent?.headers.authorization, undefined)
  t.match(routed.sent?.headers, { 'anthropic-version': '2023-06-01' })
})

t.test('[FMT-13] search goes along its own route, and nowhere without one', async (t) => {
  const request = { model: 'routed-search', query: 'x' }
  const { status, sent } = await answered('/v1/alpha/search', request, json(200, { results: [] }))
  t.equal(status, 200)
  t.equal(sent?.path, '/find')
  t.equal(sent?.text, JSON.stringify(request))
  upstream.requests.length = 0
  for (const name of [model, 'routed', 'full-address', 'gemini-2.5-flash', 'house-deployment']) {
    const reply = await post('/v1/alpha/search', { model: name, query: 'x' })
    t.equal(reply.status, 503, name)
  }
  t.equal(upstream.requests.length, 0)
})

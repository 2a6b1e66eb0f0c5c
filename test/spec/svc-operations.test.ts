/** The JSON operations through a whole gateway: what goes out, what comes back, what it costs. */
import t from 'tap'
import { estimateTokens } from '../../kernel/toolkit/format/token-estimate.js'
import { events, hangUp, json, type Script } from '../kit/upstream.js'
import { channel, model, operationsGateway } from '../plugins/operations/gateway.js'

const gateway = await operationsGateway(t)
const { upstream, admin } = gateway

interface Case {
  readonly path: string
  readonly body: Record<string, unknown>
  readonly upstreamPath: string
  readonly answer: Record<string, unknown>
  readonly cost: bigint
}

const usage = { prompt_tokens: 7, total_tokens: 7 }
const cases: readonly Case[] = [
  {
    path: '/v1/embeddings',
    body: { model, input: ['hello', 'world'] },
    upstreamPath: '/v1/embeddings',
    answer: { object: 'list', data: [{ index: 0, embedding: [0.1] }], usage },
    cost: 7n,
  },
  {
    path: '/v1/moderations',
    body: { model, input: 'hello' },
    upstreamPath: '/v1/moderations',
    answer: { id: 'modr-1', results: [{ flagged: false }], usage },
    cost: 7n,
  },
  {
    path: '/v1/rerank',
    body: { model, query: 'q', documents: ['a', 'b'], top_n: 0 },
    upstreamPath: '/v1/rerank',
    answer: { results: [{ index: 1, relevance_score: 0.5 }], usage: { total_tokens: 9 } },
    cost: 9n,
  },
  {
    path: '/v1/completions',
    body: { model, prompt: 'Once', max_tokens: 5, temperature: 0 },
    upstreamPath: '/v1/completions',
    answer: {
      object: 'text_completion',
      choices: [{ text: ' upon', index: 0, finish_reason: 'stop' }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    },
    cost: 30n,
  },
  {
    path: '/v1/responses/compact',
    body: { model, input: 'hello' },
    upstreamPath: '/v1/responses/compact',
    answer: {
      object: 'response.compaction',
      output: [{ type: 'compaction', encrypted_content: 'x' }],
      usage: { input_tokens: 10, output_tokens: 2, total_tokens: 12 },
    },
    cost: 18n,
  },
  {
    path: '/v1/alpha/search',
    body: { model, commands: [{ q: 'waybill' }] },
    upstreamPath: '/backend/search',
    answer: { results: ['anything'] },
    cost: 5000n,
  },
]

/** The others are the family's own. */
const specified = /embeddings|rerank|completions|search/

for (const { path, body, upstreamPath, answer, cost } of cases) {
  const rule = specified.test(path) ? '[SVC-3] ' : ''
  t.test(`${rule}${path} relays the body and charges what was counted`, async (t) => {
    upstream.requests.length = 0
    upstream.script(json(200, answer, { 'x-own': 'kept' }))
    const charged = await gateway.cost(async () => {
      const reply = await gateway.post(path, body)
      t.equal(reply.status, 200)
      t.match(reply.headers.get('content-type'), 'application/json')
      t.strictSame(await reply.json(), answer)
    })
    t.equal(charged, cost)
    t.match(upstream.requests, [{ path: upstreamPath, json: body }])
    t.equal(upstream.requests[0]?.text, JSON.stringify(body))
    const [row] = await gateway.logs()
    t.match(row, { quota: Number(cost), model_name: model })
    t.notOk(JSON.parse(row!.other).admin_info?.local_count_tokens)
  })

  t.test(`[FMT-16] ${path} takes JSON and nothing else`, async (t) => {
    const reply = await gateway.post(path, body, { 'content-type': 'text/plain' })
    t.equal(reply.status, 415)
    t.match(await reply.json(), { error: { code: 'unsupported_media_type' } })
  })

  t.test(`[ERR-1] ${path} tells every error in its frame`, async (t) => {
    const unknown = await gateway.post(path, { ...body, model: 'nobody-serves-this' })
    t.equal(unknown.status, 503)
    t.match(await unknown.json(), {
      error: { message: String, type: 'api_error', param: 'model', code: 'model_not_found' },
    })
    const invalid = await gateway.post(path, { ...body, model: 5 })
    t.equal(invalid.status, 400)
    t.match(await invalid.json(), { error: { param: 'model', code: 'invalid_request' } })
    const anonymous = await gateway.post(path, body, { authorization: '' })
    t.equal(anonymous.status, 401)
    t.match(await anonymous.json(), { error: { param: '', code: 'missing_credential' } })
  })

  t.test(`${path}: a failing upstream is charged nothing`, async (t) => {
    const failing: readonly (readonly [Script, number])[] = [
      [json(500, { error: { message: 'down' } }), 502],
      [json(200, { error: { message: 'down', type: 'server_error' } }), 502],
      [json(400, { error: { message: 'bad dimensions' } }), 400],
      [hangUp, 502],
    ]
    const charged = await gateway.cost(async () => {
      for (const [script, status] of failing) {
        upstream.script(script)
        const reply = await gateway.post(path, body)
        t.equal(reply.status, status)
        t.type(((await reply.json()) as { error: { code: string } }).error.code, 'string')
      }
    })
    t.equal(charged, 0n)
  })
}

t.test('where nothing is counted the estimate is charged, and the log states so', async (t) => {
  const text = 'the quick brown fox jumps over the lazy dog'
  upstream.script(json(200, { data: [] }))
  const charged = await gateway.cost(() =>
    gateway.post('/v1/embeddings', { model, input: text }).then((reply) => reply.text()),
  )
  t.equal(charged, BigInt(estimateTokens(text)))
  const [row] = await gateway.logs()
  t.match(JSON.parse(row!.other), { admin_info: { local_count_tokens: ['input'] } })
})

t.test('[FMT-5] explicit zeros, empty texts and false reach the upstream', async (t) => {
  t.teardown(upstream.takes('a verbatim body is the business of client and upstream'))
  upstream.script(json(200, { data: [] }))
  upstream.requests.length = 0
  const text = `{"model":"${model}", "input":"", "dimensions":0, "user":"", "own":false}`
  await gateway.post('/v1/embeddings', text)
  t.equal(upstream.requests[0]?.text, text)
})

t.test(
  'the older path of embeddings names the model, and the body that goes out does',
  async (t) => {
    upstream.script(json(200, { data: [], usage }))
    upstream.requests.length = 0
    const reply = await gateway.post(`/v1/engines/${model}/embeddings`, '{ "input" : "hello" }')
    t.equal(reply.status, 200)
    t.equal(upstream.requests[0]?.text, `{ "input" : "hello","model":"${model}" }`)
    const id = reply.headers.get('x-request-id')
    const row = (await gateway.logs()).find(({ request_id }) => request_id === id)
    t.match(row, { model_name: model, quota: 7 })
  },
)

t.test('a moderation that names no model asks for the usual one', async (t) => {
  await admin.option('ModelRatio', { [model]: 1, 'text-moderation-stable': 2 })
  upstream.script(json(200, { results: [], usage }))
  upstream.requests.length = 0
  t.equal(await gateway.cost(() => gateway.post('/v1/moderations', { input: 'hello' })), 14n)
  t.match(upstream.requests[0]?.json, { input: 'hello', model: 'text-moderation-stable' })
})

t.test('a 200 with an error inside moves on to the next channel', async (t) => {
  const id = await admin.channel({ ...channel(upstream), name: 'second', priority: -1 })
  upstream.requests.length = 0
  upstream.script(json(200, { error: { message: 'busy' } }), json(200, { data: [], usage }))
  const charged = await gateway.cost(async () => {
    const reply = await gateway.post('/v1/embeddings', { model, input: 'hello' })
    t.equal(reply.status, 200)
    t.match(await reply.json(), { data: [] })
  })
  t.equal(charged, 7n)
  t.equal(upstream.requests.length, 2)
  const [row] = await gateway.logs()
  t.equal(row?.channel, id)
})

t.test('a page in place of an answer moves on as well', async (t) => {
  upstream.requests.length = 0
  upstream.script(typed('text/html', '<html>welcome</html>'), json(200, { results: [], usage }))
  const reply = await gateway.post('/v1/rerank', { model, query: 'q', documents: ['a'] })
  t.equal(reply.status, 200)
  t.equal(upstream.requests.length, 2)
})

t.test('JSON under another type is an answer', async (t) => {
  upstream.script(typed('text/plain', JSON.stringify({ data: [], usage })))
  const charged = await gateway.cost(async () => {
    const reply = await gateway.post('/v1/embeddings', { model, input: 'hello' })
    t.strictSame(await reply.json(), { data: [], usage })
  })
  t.equal(charged, 7n)
})

t.test(
  '[BILL-5] a search costs its surcharge once, however many channels were tried',
  async (t) => {
    upstream.requests.length = 0
    const held: number[] = []
    const seeing =
      (next: Script): Script =>
      async (request, response) => {
        held.push((await admin.must('GET', '/api/user/self')).quota)
        await next(request, response)
      }
    upstream.script(seeing(json(500, { error: 'down' })), seeing(json(200, { found: [] })))
    const before = Number(await admin.balance())
    const charged = await gateway.cost(async () => {
      t.equal((await gateway.post('/v1/alpha/search', { model, q: 'x' })).status, 200)
    })
    t.equal(charged, 5000n)
    t.equal(upstream.requests.length, 2)
    t.strictSame(
      held.map((quota) => before - quota),
      [5000, 5000],
      'set aside before the first try and not again for the second',
    )
    const [row] = await gateway.logs()
    t.match(row, { quota: 5000, prompt_tokens: 0, completion_tokens: 0 })
    t.match(JSON.parse(row!.other), {
      tool_surcharges: { web_search_preview: { calls: 1, price: 10 } },
    })
  },
)

t.test(
  '[BILL-5] a search that no channel serves well costs nothing and records no tool',
  async (t) => {
    const rows = (await gateway.logs()).length
    upstream.script(json(500, { error: 'down' }))
    const charged = await gateway.cost(async () => {
      t.equal((await gateway.post('/v1/alpha/search', { model, q: 'x' })).status, 502)
    })
    t.equal(charged, 0n)
    t.equal((await gateway.logs()).length, rows)
  },
)

t.test('[BILL-5] a search is recorded and paid only after it succeeded', async (t) => {
  const failures: Readonly<Record<string, Script>> = {
    'an error under a status of success': json(200, { error: { message: 'no results today' } }),
    'an answer that breaks off': (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' })
      response.write('found: ', () => response.destroy())
    },
    'an answer nobody waits for': (_, response) => void response.destroy(),
  }
  for (const [title, script] of Object.entries(failures)) {
    const rows = (await gateway.logs()).length
    upstream.script(script)
    const charged = await gateway.cost(async () => {
      const reply = await gateway.post('/v1/alpha/search', { model, q: 'x' })
      await reply.text().catch(() => '')
    })
    t.equal(charged, 0n, title)
    t.equal((await gateway.logs()).length, rows, `${title}: no row, so no tool in one`)
  }
  upstream.script(json(200, { found: [] }))
  t.equal(await gateway.cost(() => gateway.post('/v1/alpha/search', { model, q: 'x' })), 5000n)
})

t.test('[FMT-12] the body of a search goes out byte for byte but for a mapped model', async (t) => {
  const text =
    '{ "q" : "caf\\u00e9", "n":1.0e0,"model" : "mapped", "x":{"model":"mapped"} ,"big":12345678901234567890}\n'
  upstream.requests.length = 0
  upstream.script(json(200, {}))
  await gateway.post('/v1/alpha/search', text)
  await gateway.post('/v1/alpha/search', text.replace('"model" : "mapped"', `"model" : "${model}"`))
  const wanted = text.replace('"model" : "mapped"', `"model" : "${model}"`)
  t.strictSame(
    upstream.requests.map(({ text }) => text),
    [wanted, wanted],
  )
})

t.test(
  'a search’s answer of any type comes back as it is, and is paid once it is whole',
  async (t) => {
    upstream.script(typed('text/plain; charset=utf-8', 'found: nothing'))
    const charged = await gateway.cost(async () => {
      const reply = await gateway.post('/v1/alpha/search', { model, q: 'x' })
      t.equal(reply.headers.get('content-type'), 'text/plain; charset=utf-8')
      t.equal(await reply.text(), 'found: nothing')
    })
    t.equal(charged, 5000n)
    upstream.script((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' })
      response.write('found: ', () => response.destroy())
    })
    const broken = await gateway.cost(async () => {
      const reply = await gateway.post('/v1/alpha/search', { model, q: 'x' })
      await t.rejects(reply.text())
    })
    t.equal(broken, 0n)
  },
)

t.test('[FMT-13] a plain chat channel never serves a search', async (t) => {
  const fields = { ...channel(upstream), type: 1, name: 'chat only', models: 'chat-only' }
  await admin.channel(fields)
  upstream.requests.length = 0
  const reply = await gateway.post('/v1/alpha/search', { model: 'chat-only', q: 'x' })
  t.equal(reply.status, 503)
  t.match(await reply.json(), { error: { code: 'model_not_found' } })
  t.equal(upstream.requests.length, 0)
})

t.test('compaction has a price of its own where the operator gives it one', async (t) => {
  const answer = { output: [], usage: { input_tokens: 10, output_tokens: 0 } }
  upstream.script(json(200, answer))
  const compacted = (name = model) =>
    gateway.cost(() => gateway.post('/v1/responses/compact', { model: name, input: 'hello' }))
  t.equal(await compacted(), 10n)
  await admin.option('ModelRatio', { [model]: 1, [`${model}-openai-compact`]: 3 })
  t.equal(await compacted(), 30n)
  const [row] = await gateway.logs()
  t.match(row, { model_name: model, quota: 30 })
  t.match(JSON.parse(row!.other), { price_model: `${model}-openai-compact` })
  t.equal(await compacted('mapped'), 30n, 'also under a name that is mapped to it')
  await admin.option('ModelRatio', { [model]: 1, [`${model}-openai-compact`]: 3, mapped: 2 })
  t.equal(await compacted('mapped'), 20n, 'a name with a price of its own goes before')
  await admin.option('ModelRatio', { [model]: 1 })
})

const completionChunk = (text: string) =>
  `data: ${JSON.stringify({ object: 'text_completion', choices: [{ text, index: 0 }] })}\n\n`
const usageChunk = `data: ${JSON.stringify({
  choices: [],
  usage: { prompt_tokens: 10, completion_tokens: 5 },
})}\n\n`
const done = 'data: [DONE]\n\n'

t.test(
  '[FMT-10] a completion streams to its terminator; usage is requested and kept back',
  async (t) => {
    upstream.requests.length = 0
    upstream.script(events(completionChunk('Once'), completionChunk(' upon'), usageChunk, done))
    const charged = await gateway.cost(async () => {
      const reply = await gateway.post('/v1/completions', { model, prompt: 'a', stream: true })
      t.match(reply.headers.get('content-type'), 'text/event-stream')
      t.equal(await reply.text(), completionChunk('Once') + completionChunk(' upon') + done)
    })
    t.equal(charged, 30n)
    t.match(upstream.requests[0]?.json, { stream: true, stream_options: { include_usage: true } })
    const stream_options = { include_usage: true }
    const request = { model, prompt: 'a', stream: true, stream_options }
    const reply = await gateway.post('/v1/completions', request)
    t.equal(
      await reply.text(),
      completionChunk('Once') + completionChunk(' upon') + usageChunk + done,
    )
  },
)

t.test('a completion stream that breaks is reported and billed by what came', async (t) => {
  upstream.script(events(completionChunk('Once upon a time')))
  const charged = await gateway.cost(async () => {
    const reply = await gateway.post('/v1/completions', { model, prompt: 'tell me', stream: true })
    const text = await reply.text()
    t.match(text, 'Once upon a time')
    t.match(text, '"upstream_broke_off"')
    t.notMatch(text, '[DONE]')
  })
  t.equal(charged, BigInt(estimateTokens('tell me') + 4 * estimateTokens('Once upon a time')))
})

t.test('an error in place of the first chunk moves on, and costs nothing', async (t) => {
  const error = 'data: {"error":{"message":"overloaded","type":"overloaded_error"}}\n\n'
  upstream.requests.length = 0
  upstream.script(events(error))
  const charged = await gateway.cost(async () => {
    const reply = await gateway.post('/v1/completions', { model, prompt: 'a', stream: true })
    t.equal(reply.status, 503)
    t.notMatch(await reply.text(), 'data:')
  })
  t.equal(charged, 0n)
  t.equal(upstream.requests.length, 2)
})

function typed(type: string, text: string): Script {
  return (_, response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(text)
  }
}

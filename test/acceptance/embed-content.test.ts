/**
 * `:embedContent` and `:batchEmbedContents`: Google's library and its wire, at an upstream of the common embeddings form
 * and at Gemini itself.
 */
import { GoogleGenAI } from '@google/genai'
import t from 'tap'
import { startGateway } from '../kit/gateway.js'
import { json, scriptedUpstream } from '../kit/upstream.js'

const gateway = await startGateway(t)
const upstream = await scriptedUpstream(t)
const { url, key, admin } = gateway
const openai = 'text-embedding-3-small'
const gemini = 'gemini-embedding-001'
await admin.option('ModelRatio', { [openai]: 3, [gemini]: 3 })
const place = { base_url: upstream.url, key: 'upstream-key', group: 'default' }
await admin.channel({ ...place, type: 1, name: 'openai', models: openai })
await admin.channel({ ...place, type: 24, name: 'gemini', models: gemini })

const vectors = [
  [0.25, -0.5],
  [1, 2],
]
const list = (count: number, usage?: object) => ({
  object: 'list',
  model: openai,
  // Out of order, as nothing forbids.
  data: vectors
    .slice(0, count)
    .map((embedding, index) => ({ object: 'embedding', index, embedding }))
    .reverse(),
  ...(usage && { usage }),
})

t.beforeEach(() => {
  upstream.requests.length = 0
})

function embed(
  verb: string,
  body: object,
  { path = `/v1beta/models/${openai}`, headers = { 'x-goog-api-key': key } as object } = {},
) {
  return fetch(`${url}${path}:${verb}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

const content = (text: string) => ({ parts: [{ text }] })

t.test(
  '[FMT-8] [SVC-2] one text is embedded, its key in the query, a header or as bearer',
  async (t) => {
    upstream.script(json(200, list(1, { prompt_tokens: 4, total_tokens: 4 })))
    const before = await gateway.balance()
    const plain = { 'content-type': 'application/json' }
    const asks = [
      () => embed('embedContent', { content: content('Hello') }),
      () => embed('embedContent', { content: content('Hello') }, { path: `/v1/models/${openai}` }),
      () =>
        embed(
          'embedContent',
          { content: content('Hello') },
          { headers: { ...plain, authorization: `Bearer ${key}` } },
        ),
      () =>
        fetch(`${url}/v1beta/models/${openai}:embedContent?key=${key}`, {
          method: 'POST',
          headers: plain,
          body: JSON.stringify({ content: content('Hello') }),
        }),
    ]
    for (const ask of asks) {
      const answer = await ask()
      t.equal(answer.status, 200)
      t.strictSame(await answer.json(), {
        embedding: { values: vectors[0] },
        usageMetadata: { promptTokenCount: 4 },
      })
    }
    t.equal(before - (await gateway.balance()), 4n * 4n * 3n, 'four tokens each, at 3')
    t.strictSame(
      upstream.requests.map(({ path, json }) => [path, json]),
      asks.map(() => ['/v1/embeddings', { input: 'Hello', model: openai }]),
    )
  },
)

t.test('[FMT-8] several texts keep their order, and their options go along', async (t) => {
  upstream.script(json(200, list(2, { prompt_tokens: 7, total_tokens: 7 })))
  const request = (text: string) => ({
    model: `models/${openai}`,
    content: content(text),
    outputDimensionality: 2,
    taskType: 'RETRIEVAL_QUERY',
  })
  const answer = await embed('batchEmbedContents', { requests: [request('a'), request('b')] })
  t.strictSame(await answer.json(), {
    embeddings: vectors.map((values) => ({ values })),
    usageMetadata: { promptTokenCount: 7 },
  })
  t.equal(answer.headers.get('x-waybill-lost'), 'task_type', 'only Google knows kinds of tasks')
  t.strictSame(upstream.requests[0]?.json, { input: ['a', 'b'], dimensions: 2, model: openai })
})

t.test('[FMT-8] at Gemini itself every option arrives, and the estimate is charged', async (t) => {
  const path = `/v1beta/models/${gemini}`
  upstream.script(json(200, { embedding: { values: vectors[0] } }))
  const before = await gateway.balance()
  const one = {
    content: content('Hello'),
    task_type: 'RETRIEVAL_DOCUMENT',
    title: 'A',
    output_dimensionality: 2,
  }
  const answer = await embed('embedContent', one, { path })
  t.strictSame(await answer.json(), { embedding: { values: vectors[0] } })
  t.equal(answer.headers.get('x-waybill-lost'), null)
  t.equal(upstream.requests[0]?.path, `${path}:embedContent`)
  t.match(upstream.requests[0]?.json, {
    content: content('Hello'),
    taskType: 'RETRIEVAL_DOCUMENT',
    title: 'A',
    outputDimensionality: 2,
  })
  t.ok(before > (await gateway.balance()), 'what the upstream does not count is estimated')
  upstream.script(json(200, { embeddings: vectors.map((values) => ({ values })) }))
  const many = await embed(
    'batchEmbedContents',
    { requests: [{ content: content('a') }, { content: content('b') }] },
    { path },
  )
  t.strictSame(await many.json(), { embeddings: vectors.map((values) => ({ values })) })
  t.equal(upstream.requests[1]?.path, `${path}:batchEmbedContents`)
})

t.test(
  '[ERR-1] what is wrong is named in the frame of this format, and nothing is charged',
  async (t) => {
    const before = await gateway.balance()
    const rows: readonly (readonly [verb: string, body: object, field: string])[] = [
      ['embedContent', {}, 'content'],
      ['embedContent', { content: { parts: [] } }, 'content'],
      [
        'embedContent',
        { content: { parts: [{ inlineData: { mimeType: 'image/png', data: '' } }] } },
        'content',
      ],
      ['embedContent', { content: content('a'), outputDimensionality: 0 }, 'outputDimensionality'],
      ['embedContent', { content: content('a'), taskType: 7 }, 'taskType'],
      ['batchEmbedContents', {}, 'requests'],
      ['batchEmbedContents', { requests: [] }, 'requests'],
      ['batchEmbedContents', { requests: [{ content: content('a') }, {}] }, 'requests[1].content'],
      [
        'batchEmbedContents',
        { requests: [{ content: content('a') }, { content: content('b'), taskType: 'X' }] },
        'requests[1].taskType',
      ],
    ]
    for (const [verb, body, field] of rows) {
      const answer = await embed(verb, body)
      t.equal(answer.status, 400, field)
      t.match(await answer.json(), { error: { status: 'INVALID_ARGUMENT', param: field } })
    }
    t.equal((await embed('embedContent', { content: content('a') }, { headers: {} })).status, 401)
    t.equal(upstream.requests.length, 0)
    upstream.script(json(400, { error: { message: 'Too long.', type: 'invalid_request_error' } }))
    const refused = await embed('embedContent', { content: content('a') })
    t.match(await refused.json(), { error: { message: /Too long/, status: 'INVALID_ARGUMENT' } })
    t.equal(await gateway.balance(), before)
  },
)

t.test('[SVC-1] the official library embeds at both, and lists what can embed', async (t) => {
  const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
  for (const [model, script] of [
    [openai, json(200, list(2, { prompt_tokens: 7, total_tokens: 7 }))],
    [gemini, json(200, { embeddings: vectors.map((values) => ({ values })) })],
  ] as const) {
    upstream.script(script)
    const answer = await client.models.embedContent({
      model,
      contents: ['a', 'b'],
      config: { outputDimensionality: 2 },
    })
    t.strictSame(
      answer.embeddings?.map(({ values }) => values),
      vectors,
      model,
    )
  }
  const listed = await (await fetch(`${url}/v1beta/models?key=${key}`)).json()
  t.match((listed as { models: unknown[] }).models, [
    { supportedGenerationMethods: ['embedContent', 'batchEmbedContents'] },
    { supportedGenerationMethods: ['embedContent', 'batchEmbedContents'] },
  ])
})

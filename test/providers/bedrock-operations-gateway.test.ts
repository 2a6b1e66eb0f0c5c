/** Bedrock's vectors, pictures and rankings behind the whole gateway: each is asked as the service takes it, and charged. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json, type Script } from '../kit/upstream.js'
import { strictly } from '../kit/vendor.js'
import { png } from '../plugins/operations/media/samples.js'
import { invokeRules } from './bedrock-rules.js'

const upstreamModels = {
  titan: 'amazon.titan-embed-text-v2:0',
  cohere: 'cohere.embed-multilingual-v3',
  canvas: 'amazon.nova-canvas-v1:0',
  core: 'stability.stable-image-core-v1:1',
  ranker: 'cohere.rerank-v3-5:0',
  ranks: 'amazon.rerank-v1:0',
  claude: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
} as const
const models = Object.keys(upstreamModels)

const gateway = await scriptedGateway(t, {
  channel: {
    type: 33,
    key: 'AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-east-1',
    models: models.join(','),
    model_mapping: JSON.stringify(upstreamModels),
  },
})
await gateway.admin.option('ModelRatio', Object.fromEntries(models.map((model) => [model, 1])))
await gateway.admin.option('ModelPrice', { canvas: 0.01, core: 0.01 })
const { upstream, url, key } = gateway
const picture = png()
const authorization = `Bearer ${key}`

t.beforeEach(() => {
  upstream.requests.length = 0
})

const answering = (body: object, headers: Record<string, string> = {}): Script =>
  strictly(invokeRules, (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    return json(200, body)(request, response)
  })

async function post(path: string, body: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

t.test(
  'a vector in base64 for a client that asks for it, charged by what was counted',
  async (t) => {
    upstream.script(answering({ embedding: [0.5, 1], inputTextTokenCount: 3 }))
    const ask = { model: 'titan', input: 'Hello', dimensions: 256 }
    const packed = await post('/v1/embeddings', { ...ask, encoding_format: 'base64' })
    t.match(await packed.json(), {
      data: [{ embedding: 'AAAAPwAAgD8=' }],
      usage: { prompt_tokens: 3 },
    })
    const plain = await post('/v1/embeddings', ask)
    t.match(await plain.json(), { data: [{ embedding: [0.5, 1] }] })
    t.match(upstream.requests[0], {
      path: '/model/amazon.titan-embed-text-v2%3A0/invoke',
      json: { inputText: 'Hello', dimensions: 256 },
    })
    t.match((await gateway.logs())[0], { prompt_tokens: 3, quota: 3 })
  },
)

t.test('[SVC-3] several texts for a model of one at a time go in as many calls', async (t) => {
  const vector: Script = (request, reply) => {
    const { inputText } = request.json as { readonly inputText: string }
    return json(200, { embedding: [Number(inputText)], inputTextTokenCount: 2 })(request, reply)
  }
  upstream.script(strictly(invokeRules, vector))
  const texts = ['1', '2', '3', '4', '5']
  const answer = await post('/v1/embeddings', { model: 'titan', input: texts, dimensions: 256 })
  t.match(await answer.json(), {
    data: texts.map((text, index) => ({ index, embedding: [Number(text)] })),
    usage: { prompt_tokens: 10, total_tokens: 10 },
  })
  t.equal(upstream.requests.length, 5)
  for (const { json: sent } of upstream.requests) t.match(sent, { dimensions: 256 })
  t.match((await gateway.logs())[0], { prompt_tokens: 10, quota: 10 })
})

t.test('several texts for a model that takes them, with the count of the header', async (t) => {
  const vectors = [[0.5], [1]]
  upstream.script(
    answering(
      { embeddings: { float: vectors } },
      {
        'x-amzn-bedrock-input-token-count': '4',
      },
    ),
  )
  const answer = await post('/v1/embeddings', { model: 'cohere', input: ['a', 'b'] })
  t.match(await answer.json(), { data: [{ index: 0 }, { index: 1 }], usage: { total_tokens: 4 } })
  t.match((await gateway.logs())[0], { quota: 4 })
})

t.test(
  '[FMT-9] what a model cannot be asked is a 400 that names it, and nothing is sent',
  async (t) => {
    const before = await gateway.balance()
    const rows: [string, object, string][] = [
      ['/v1/embeddings', { model: 'cohere', input: [[1, 2]] }, 'input'],
      ['/v1/embeddings', { model: 'titan', input: 'a', dimensions: 7 }, 'dimensions'],
      ['/v1/images/generations', { model: 'core', prompt: 'A house', n: 2 }, 'n'],
      ['/v1/images/generations', { model: 'canvas', prompt: 'A house', size: '99x99' }, 'size'],
    ]
    for (const [path, body, param] of rows) {
      const answer = await post(path, body)
      t.equal(answer.status, 400)
      t.match(await answer.json(), { error: { code: 'not_expressible', param } })
    }
    t.equal(upstream.requests.length, 0)
    t.equal(await gateway.balance(), before)
  },
)

t.test('pictures have a price, and what they are made without is reported', async (t) => {
  upstream.script(answering({ images: ['iVBO', 'AAAA'] }))
  const ask = { model: 'canvas', prompt: 'A house', n: 2, size: '1024x1024', style: 'vivid' }
  const answer = await post('/v1/images/generations', ask)
  t.equal(answer.headers.get('x-waybill-lost'), 'style')
  t.match(await answer.json(), { data: [{ b64_json: 'iVBO' }, { b64_json: 'AAAA' }] })
  t.match((await gateway.logs())[0], { quota: 10_000 })
})

t.test('a picture that is held back is the client’s error and costs nothing', async (t) => {
  const before = await gateway.balance()
  upstream.script(answering({ finish_reasons: ['Filter reason: prompt'], seeds: [1] }))
  const answer = await post('/v1/images/generations', { model: 'core', prompt: 'A house' })
  t.equal(answer.status, 400)
  t.match(await answer.json(), { error: { message: /Filter reason: prompt/ } })
  t.equal(await gateway.balance(), before)
})

t.test('a picture out of a picture, from a form', async (t) => {
  upstream.script(answering({ images: ['iVBO'] }))
  const form = new FormData()
  form.set('model', 'canvas')
  form.set('prompt', 'A house')
  form.set('image', new Blob([picture]), 'a.png')
  const headers = { authorization }
  const answer = await fetch(`${url}/v1/images/edits`, { method: 'POST', headers, body: form })
  t.match(await answer.json(), { data: [{ b64_json: 'iVBO' }] })
  t.match(upstream.requests[0]?.json, {
    taskType: 'IMAGE_VARIATION',
    imageVariationParams: { images: [picture.toString('base64')], text: 'A house' },
  })
})

t.test('rankings of both makers', async (t) => {
  const ask = { query: 'which', documents: ['one', 'two'], top_n: 1 }
  upstream.script(answering({ results: [{ index: 1, relevance_score: 0.9 }] }))
  const first = await post('/v1/rerank', { model: 'ranker', ...ask })
  t.match(await first.json(), { results: [{ index: 1, relevance_score: 0.9 }] })
  upstream.script(answering({ results: [{ index: 0, relevanceScore: 0.8 }] }))
  const second = await post('/v1/rerank', { model: 'ranks', ...ask })
  t.match(await second.json(), { results: [{ index: 0, relevance_score: 0.8 }] })
  t.match(
    upstream.requests.map(({ path }) => path),
    ['/model/cohere.rerank-v3-5%3A0/invoke', '/rerank'],
  )
})

t.test('[SVC-2] the tokens of Claude are counted by CountTokens', async (t) => {
  upstream.script(strictly(invokeRules, json(200, { inputTokens: 77 })))
  const asked = { model: 'claude', system: 'Be brief.', messages: [{ role: 'user', content: 'a' }] }
  const answer = await fetch(`${url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: {
      ...{ 'x-api-key': key, 'anthropic-version': '2023-06-01' },
      'content-type': 'application/json',
    },
    body: JSON.stringify(asked),
  })
  t.strictSame(await answer.json(), { input_tokens: 77 })
  const { path, json: sent } = upstream.requests[0]!
  t.equal(path, '/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/count-tokens')
  const { input } = sent as { readonly input: { readonly invokeModel: { readonly body: string } } }
  t.strictSame(JSON.parse(Buffer.from(input.invokeModel.body, 'base64').toString()), {
    ...{ system: 'Be brief.', messages: [{ role: 'user', content: 'a' }], max_tokens: 1 },
    anthropic_version: 'bedrock-2023-05-31',
  })
})

/** The advanced custom provider: which routes it serves, where they lead, how the key is sent. */
import t from 'tap'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { FormatName, OperationName } from '../../kernel/contract/names.js'
import type { AddressContext } from '../../kernel/contract/provider.js'
import create from '../../providers/advanced-custom/index.js'
import { adapterOf } from '../conformance/provider.js'
import { channelOf, context, json, manifestOf } from './provider-kit.js'

const provider = create()
const manifest = manifestOf('advanced-custom')
const base = 'https://h.example/api'

function channelWith(routes: Json) {
  return channelOf(manifest, { routes: { routes } }, base)
}

const chatPath = '/v1/chat/completions'

function route(over: JsonObject = {}): JsonObject {
  return { incoming_path: chatPath, upstream_path: '/v1/chat/completions', ...over }
}

function served(routes: Json, model = 'm', operation: OperationName = 'chat'): string[] {
  const channel = channelWith(routes)
  const adapters = [provider.operations[operation] ?? []].flat()
  return adapters.filter((one) => one.serves!(channel, model)).map(({ format }) => format)
}

function addressed(
  routes: Json,
  format: FormatName = 'chat',
  over: Partial<AddressContext> = {},
  model = 'm-1',
) {
  const adapter = adapterOf(provider, 'chat', format)
  return adapter.address(json({}), channelWith(routes), { key: 'sk-k ' }, context(model, over))
}

t.test('[FMT-9] a route serves in the format its upstream speaks', async (t) => {
  t.strictSame(served([]), [])
  t.strictSame(served([route()]), ['chat'])
  const pairs = [
    ['/v1/messages', 'messages->chat', 'chat'],
    [chatPath, 'chat->messages', 'messages'],
    [chatPath, 'chat->responses', 'responses'],
    ['/v1/responses', 'responses->chat', 'chat'],
    ['/v1/responses', 'responses->gemini', 'generative'],
    ['/v1beta/models/{model}:generateContent', 'gemini -> openai', 'chat'],
    [chatPath, 'chat->gemini', 'generative'],
    ['/v1/messages', 'none', 'messages'],
    ['/pg/chat/completions', 'none', 'chat'],
    ['/v1/messages', 'anthropic_messages_to_openai_chat_completions', 'chat'],
    [chatPath, 'openai_chat_completions_to_anthropic_messages', 'messages'],
    [chatPath, 'openai_chat_completions_to_openai_responses', 'responses'],
    ['/v1/responses', 'openai_responses_to_openai_chat_completions', 'chat'],
    ['/v1/responses', 'openai_responses_to_anthropic_messages', 'messages'],
    ['/v1/responses', 'openai_responses_to_gemini', 'generative'],
    [chatPath, 'openai_chat_completions_to_gemini_generate_content', 'generative'],
    [
      '/v1beta/models/{model}:streamGenerateContent',
      'gemini_generate_content_to_openai_chat_completions',
      'chat',
    ],
  ] as const
  for (const [incoming_path, converter, format] of pairs) {
    t.strictSame(served([route({ incoming_path, converter })]), [format], converter)
  }
})

t.test('the first route that takes the model is called', async (t) => {
  const routes = [
    route({ upstream_path: '/a', models: ['m-1'] }),
    route({ upstream_path: '/b', models: ['re:^m-\\d+$'] }),
    route({ upstream_path: '/c' }),
  ]
  const path = (model: string) => addressed(routes, 'chat', {}, model).url.slice(base.length)
  t.same(['m-1', 'm-23', 'other'].map(path), ['/a', '/b', '/c'])
  t.strictSame(served([routes[1]!], 'm-2'), ['chat'])
  t.strictSame(served([routes[1]!], 'm-2x'), [])
})

t.test(
  'a route serves the clients of its own path, and the first one decides what is spoken',
  async (t) => {
    const routes = [
      route({ incoming_path: '/v1/messages', upstream_path: '/m', converter: 'messages->chat' }),
      route({ upstream_path: '/c' }),
    ]
    const chat = adapterOf(provider, 'chat', 'chat')
    const url = (client: FormatName) =>
      chat.address(json({}), channelWith(routes), { key: 'k' }, context('m-1', { client })).url
    t.equal(url('messages'), `${base}/m`)
    t.equal(url('chat'), `${base}/c`)
    t.ok(chat.serves!(channelWith(routes), 'm-1', 'messages'))
    t.notOk(chat.serves!(channelWith([routes[0]!]), 'm-1', 'chat'), 'no route of its path')
    t.notOk(adapterOf(provider, 'chat', 'messages').serves!(channelWith(routes), 'm-1', 'messages'))
  },
)

t.test('the model takes its placeholder as one segment', async (t) => {
  const routes = [route({ upstream_path: '/v2/{model}/chat?deployment={model}' })]
  t.equal(addressed(routes).url, `${base}/v2/m-1/chat?deployment=m-1`)
  for (const model of ['../x', 'a?b', '..']) {
    t.throws(() => addressed(routes, 'chat', {}, model), { code: 'invalid_request' }, model)
  }
})

t.test('the verb of the generative form follows the stream', async (t) => {
  const paths = {
    '/v1beta/models/{model}:generateContent': '/v1beta/models/m-1',
    '/g/{model}:streamGenerateContent?alt=sse&x=1': '/g/m-1',
  }
  for (const [upstream_path, start] of Object.entries(paths)) {
    const routes = [route({ converter: 'chat->generative', upstream_path })]
    const whole = addressed(routes, 'generative').url
    const streamed = addressed(routes, 'generative', { stream: true }).url
    t.match(whole, `${base}${start}:generateContent`)
    t.notMatch(whole, /alt=sse/)
    t.match(streamed, `${base}${start}:streamGenerateContent?alt=sse`)
  }
  const plain = [route({ converter: 'chat->generative', upstream_path: '/own' })]
  t.equal(addressed(plain, 'generative', { stream: true }).url, `${base}/own`)
})

t.test('the key is sent as the route states', async (t) => {
  const sent = (auth?: JsonObject) => {
    const { url, headers } = addressed([route(auth === undefined ? {} : { auth })])
    const { 'content-type': _, accept: __, ...rest } = headers
    return { query: url.split('?')[1] ?? '', headers: rest }
  }
  const bearer = { query: '', headers: { authorization: 'Bearer sk-k' } }
  t.strictSame(sent(), bearer)
  t.strictSame(sent({ type: 'header', name: 'Authorization' }), bearer)
  t.strictSame(sent({ type: 'none' }), { query: '', headers: {} })
  t.strictSame(sent({ type: 'header', name: 'X-Api-Key' }).headers, { 'x-api-key': 'sk-k' })
  t.strictSame(sent({ type: 'header', name: 'authorization', value: 'Token {api_key}' }).headers, {
    authorization: 'Token sk-k',
  })
  t.strictSame(sent({ type: 'query', name: 'key', value: 'a&{api_key}' }), {
    query: 'key=a%26sk-k',
    headers: {},
  })
})

t.test('messages upstreams are always called by a version', async (t) => {
  const routes = [route({ incoming_path: '/v1/messages', upstream_path: '/m' })]
  t.match(addressed(routes, 'messages').headers, { 'anthropic-version': '2023-06-01' })
  const forwarded = { headers: { 'anthropic-version': '2026-10-21' } }
  const { headers } = addressed(routes, 'messages', { forwarded })
  t.match(headers, { 'anthropic-version': '2026-10-21' })
})

t.test('[FMT-13] search is served by a route of its own without converter', async (t) => {
  const search = { incoming_path: '/v1/alpha/search', upstream_path: '/search' }
  t.strictSame(served([search], 'm', 'search'), ['same'])
  t.strictSame(served([route()], 'm', 'search'), [])
  t.strictSame(served([{ ...search, converter: 'chat->messages' }], 'm', 'search'), [])
  t.strictSame(served([search]), [], 'and serves no chat')
})

t.test('realtime is a socket with the model in its query', async (t) => {
  const { socket } = adapterOf(provider, 'realtime')
  const open = (upstream_path: string) =>
    socket!(
      channelWith([{ incoming_path: '/v1/realtime', upstream_path }]),
      { key: 'k' },
      context('m-1'),
    )
  t.strictSame(open('/rt'), {
    url: 'wss://h.example/api/rt?model=m-1',
    headers: { authorization: 'Bearer k' },
    protocols: [],
  })
  t.equal(open('/rt/{model}').url, 'wss://h.example/api/rt/m-1')
})

t.test(
  'a route with a fault leaves the others alone, and one taken away is not called',
  async (t) => {
    const faulty = [{ incoming_path: '/nowhere', upstream_path: '/x' }, route({ models: ['re:('] })]
    t.strictSame(served([...faulty, route({ upstream_path: '/good' })]), ['chat'])
    t.equal(addressed([...faulty, route({ upstream_path: '/good' })]).url, `${base}/good`)
    t.strictSame(served(faulty), [])
    t.throws(() => addressed([]), { code: 'channel:address_refused' })
  },
)

t.test('a path follows the base URL as it is written, its version and its query too', async (t) => {
  const rows = [
    ['https://h.example', '/v1/chat', 'https://h.example/v1/chat'],
    ['https://h.example/', '/chat', 'https://h.example/chat'],
    ['https://h.example/v1', '/chat/completions', 'https://h.example/v1/chat/completions'],
    ['https://h.example/v1/', '/v1/chat/completions', 'https://h.example/v1/chat/completions'],
    ['https://h.example/paas/v4', '/chat?a=1', 'https://h.example/paas/v4/chat?a=1'],
    ['https://h.example/x?version=2', '/chat?a=1', 'https://h.example/x/chat?a=1&version=2'],
    ['https://h.example/x', 'https://o.example/y', 'https://o.example/y'],
    ['', 'http://o.example:8000/{model}', 'http://o.example:8000/m-1'],
  ] as const
  const adapter = adapterOf(provider, 'chat', 'chat')
  for (const [baseUrl, upstream_path, url] of rows) {
    const channel = channelOf(manifest, { routes: [route({ upstream_path })] }, baseUrl)
    const call = adapter.address(json({}), channel, { key: 'k' }, context('m-1'))
    t.equal(call.url, url, `${baseUrl} ${upstream_path}`)
  }
  for (const baseUrl of [
    'h.example',
    'ftp://h.example',
    'https://u:p@h.example',
    'https://h.example#x',
  ]) {
    const channel = channelOf(manifest, { routes: [route()] }, baseUrl)
    const call = () => adapter.address(json({}), channel, { key: 'k' }, context('m-1'))
    t.throws(call, { code: 'channel:address_refused' }, baseUrl)
  }
})

t.test('without a base URL only whole addresses serve', async (t) => {
  const [chat] = [provider.operations.chat ?? []].flat()
  const serves = (upstream_path: string) =>
    chat!.serves!(channelOf(manifest, { routes: [route({ upstream_path })] }, ''), 'm')
  t.equal(serves('/v1/chat'), false)
  t.equal(serves('https://o.example/v1/chat'), true)
})

t.test('a route for the Playground serves where none is for the API', async (t) => {
  const playground = { incoming_path: '/pg/chat/completions', upstream_path: '/pg' }
  t.equal(addressed([playground]).url, `${base}/pg`)
  t.equal(addressed([playground, route({ upstream_path: '/api' })]).url, `${base}/api`)
})

t.test('embeddings have OpenAI’s form, or Gemini’s behind its own paths', async (t) => {
  const path = (verb: string) => `/v1beta/models/{model}:${verb}`
  const one = { incoming_path: path('embedContent'), upstream_path: path('embedContent') }
  const many = { incoming_path: path('batchEmbedContents'), upstream_path: '/batch' }
  const plain = { incoming_path: '/v1/embeddings', upstream_path: '/plain' }
  const serving = (routes: Json, client?: FormatName) =>
    [provider.operations.embeddings ?? []]
      .flat()
      .filter((adapter) => adapter.serves!(channelWith(routes), 'm', client))
      .map(({ format }) => format)
  t.strictSame(serving([plain], 'chat'), ['same'])
  t.strictSame(serving([plain], 'generative'), ['same'], 'its clients are converted')
  t.strictSame(serving([one], 'generative'), ['own'])
  t.strictSame(serving([one], 'chat'), [], 'no route of its path')
  t.strictSame(serving([plain, one], 'generative'), ['own'], 'its own path goes first')
  t.strictSame(serving([plain, one], 'chat'), ['same'])
  const adapter = adapterOf(provider, 'embeddings', 'own')
  const sent = (routes: Json, input: Json) => {
    const channel = channelWith(routes)
    const wire = adapter.shape!(json({ input, dimensions: 8 }), channel, 'm-1')
    const { url } = adapter.address(wire, channel, { key: 'k' }, context('m-1'))
    return { url: url.slice(base.length), value: wire.kind === 'json' && wire.value }
  }
  const request = (text: string) => ({
    model: 'models/m-1',
    content: { parts: [{ text }] },
    outputDimensionality: 8,
  })
  const both = [many, one]
  t.strictSame(sent(both, 'a'), { url: '/v1beta/models/m-1:embedContent', value: request('a') })
  t.strictSame(sent(both, ['a', 'b']), {
    url: '/batch',
    value: { requests: [request('a'), request('b')] },
  })
  t.strictSame(sent([many], 'a'), { url: '/batch', value: { requests: [request('a')] } })
  t.throws(() => sent([one], ['a', 'b']), { code: 'not_expressible', param: 'input' })
  t.throws(() => sent(both, [1, 2]), { code: 'not_expressible', param: 'input' })
})

t.test('SGLang ranks documents in a list of its own', async (t) => {
  const rerank = { incoming_path: '/v1/rerank', upstream_path: '/v1/rerank' }
  const converter = 'jina_rerank_to_sglang'
  t.strictSame(served([{ ...rerank, converter }], 'm', 'rerank'), ['own'])
  t.strictSame(served([rerank], 'm', 'rerank'), ['same'])
  const { shape, answer } = adapterOf(provider, 'rerank', 'own')
  const asked = { model: 'm', query: 'q', documents: ['a', { text: 'b' }], return_documents: true }
  const channel = channelWith([{ ...rerank, converter }])
  t.strictSame(shape!(json(asked), channel, 'm'), json({ ...asked, documents: ['a', 'b'] }))
  const wrong = [
    { ...asked, query: {} },
    { ...asked, documents: [{ text: 'b', title: 'c' }] },
  ]
  for (const one of wrong)
    t.throws(() => shape!(json(one), channel, 'm'), { code: 'not_expressible' })
  const read = (text: string, over: JsonObject = {}) => {
    const whole = { status: 200, headers: {}, body: Buffer.from(text) }
    return answer!(whole, json({ ...asked, ...over }), 'm')
  }
  const list = JSON.stringify([
    { score: 0.1, document: 'a', index: 0, meta_info: null },
    { score: 0.9, document: 'b', index: 1, meta_info: null },
  ])
  t.strictSame(read(list), {
    json: {
      results: [
        { index: 1, relevance_score: 0.9, document: { text: 'b' } },
        { index: 0, relevance_score: 0.1, document: { text: 'a' } },
      ],
    },
  })
  t.strictSame(read(list, { top_n: 1, return_documents: false }), {
    json: { results: [{ index: 1, relevance_score: 0.9 }] },
  })
  for (const text of ['{}', '[7]', '[{"index":0}]', '<html>', '[],"list":[']) {
    t.match(read(text), { failure: { blame: 'upstream' } }, text)
  }
})

t.test('routes of the family are read from where it keeps them', async (t) => {
  const settings = { advanced_custom: { advanced_routes: [route()] } }
  const adapter = adapterOf(provider, 'chat')
  t.ok(adapter.serves!(channelOf(manifest, settings, base), 'm'))
  const own = { ...settings, routes: { routes: [route({ models: ['other'] })] } }
  t.notOk(adapter.serves!(channelOf(manifest, own, base), 'm'), 'unless there are own ones')
})

t.test('routes of management serve no client', async (t) => {
  const routes = [
    { incoming_path: '/v1/models', upstream_path: '/models' },
    { incoming_path: '/v1/dashboard/billing/credit_grants', upstream_path: '/credit' },
    route(),
  ]
  t.strictSame(served(routes), ['chat'])
})

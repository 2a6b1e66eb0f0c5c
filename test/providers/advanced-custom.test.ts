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
  ] as const
  for (const [incoming_path, converter, format] of pairs) {
    t.strictSame(served([route({ incoming_path, converter })]), [format], converter)
  }
})

t.test('the first route that takes the model is called', async (t) => {
  const routes = [
    route({ upstream_path: '/a', models: ['m-1'] }),
    route({ upstream_path: '/b', models: ['re:m-\\d+'] }),
    route({ upstream_path: '/c' }),
  ]
  const path = (model: string) => addressed(routes, 'chat', {}, model).url.slice(base.length)
  t.same(['m-1', 'm-23', 'other'].map(path), ['/a', '/b', '/c'])
  t.strictSame(served([routes[1]!], 'm-2'), ['chat'])
  t.strictSame(served([routes[1]!], 'm-2x'), [], 'a pattern stands for the whole name')
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

t.test('a document with any fault serves nothing, nor does a route taken away', async (t) => {
  t.strictSame(served([route(), { incoming_path: '/nowhere', upstream_path: '/x' }]), [])
  t.throws(() => addressed([]), { code: 'channel:address_refused' })
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

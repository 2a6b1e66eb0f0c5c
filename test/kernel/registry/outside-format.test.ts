/** A format from outside: its clients reach every upstream, its upstreams serve every client, and nothing of it is known here. */
import { pathToFileURL } from 'node:url'
import type { Test } from 'tap'
import t from 'tap'
import { scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, json, scriptedUpstream } from '../../kit/upstream.js'
import { found, registryOf, stateOf } from './plugins.js'

const built = new URL('../../../', import.meta.url)

/** Chat in an envelope: `{ acme: request }` and `{ acme_reply: reply }`; streams are those of chat. */
const format = `
import createChat from '${new URL('plugins/formats/chat/index.js', built).href}'

export default function create() {
  const chat = createChat()
  const within = (verb) => (wire, ...rest) => chat[verb](wire.acme, ...rest)
  return {
    ...chat,
    name: 'acme',
    check: within('check'),
    decodeRequest: within('decodeRequest'),
    limits: within('limits'),
    estimate: within('estimate'),
    encodeRequest: ({ model, ...call }) => ({ model, acme: chat.encodeRequest({ ...call, model }) }),
    withSystemPrompt: (wire, prompt) => ({ ...wire, acme: chat.withSystemPrompt(wire.acme, prompt) }),
    requestUsage: (wire) => wire,
    decodeReply: ({ acme_reply }) => chat.decodeReply(acme_reply),
    readReply: ({ acme_reply }) => chat.readReply(acme_reply),
    encodeReply: (...given) => ({ acme_reply: chat.encodeReply(...given) }),
    encodeError: ({ status, code }) => ({ status, body: { acme_error: code } }),
  }
}
`

const endpoint = `
import { jsonRelay } from '${new URL('kernel/toolkit/endpoint/index.js', built).href}'

export default () => ({ routes: { create: jsonRelay('chat', 'acme') } })
`

const provider = `
const chat = {
  format: 'acme',
  address: (_wire, { baseUrl }, { key }) => ({
    method: 'POST',
    url: baseUrl + '/acme',
    headers: { authorization: 'Bearer ' + key },
  }),
  fail: (status) => ({ blame: 'upstream', status, code: 'upstream_error', message: 'failed' }),
}

export default () => ({ operations: { chat } })
`

function acmePlugins(t: Pick<Test, 'testdir'>): URL {
  const plugin = (id: string, code: string, more: object = {}) => ({
    'manifest.json': JSON.stringify({
      ...{ id, kind: id.split('.')[0], engines: { waybill: '^1.0' }, version: '1.0.0' },
      ...{ title: id, entry: './index.mjs', ...more },
    }),
    'index.mjs': code,
  })
  const route = {
    ...{ name: 'create', method: 'POST', path: '/acme/v1/ask', credential: 'key' },
    ...{ body: 'json', limiter: 'relay', format: 'acme' },
  }
  const folder = t.testdir({
    format: plugin('format.acme', format),
    endpoint: plugin('endpoint.acme', endpoint, { routes: [route] }),
    provider: plugin('provider.acme', provider, {
      hosts: ['channel'],
      channelTypes: [{ name: 'acme', baseUrl: '' }],
    }),
  })
  return pathToFileURL(`${folder}/`)
}

t.test('[SVC-2] a format from outside is served and converted like any other', async (t) => {
  const here = await scriptedGateway(t, { roots: [acmePlugins(t)] })
  const { admin, upstream, url, key } = here
  const acme = await scriptedUpstream(t)
  acme.takes('a vendor of its own')
  await admin.option('ModelRatio', { 'gpt-4o-mini': 1, 'acme-1': 1 })
  await admin.channel({
    ...{ type: 'acme/acme', name: 'acme', key: 'acme-key', base_url: acme.url, group: 'default' },
    ...{ models: 'acme-1', setting: { system_prompt: 'Be brief.' } },
  })
  const send = (path: string, body: object, bearer = key) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const sendRequest = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hello' }] })

  upstream.script(json(200, chat.whole('from chat', 3, 2)))
  const converted = await send('/acme/v1/ask', { acme: sendRequest('gpt-4o-mini') })
  t.match(await converted.json(), {
    acme_reply: { choices: [{ message: { content: 'from chat' } }] },
  })

  acme.script(json(200, { acme_reply: chat.whole('from acme', 3, 2) }))
  const reached = await send('/v1/chat/completions', sendRequest('acme-1'))
  t.match(await reached.json(), { choices: [{ message: { content: 'from acme' } }] })
  t.match(acme.requests.at(-1)?.json, {
    acme: { messages: [{ role: 'system', content: 'Be brief.' }, { role: 'user' }] },
  })

  acme.script(json(200, { acme_reply: chat.whole('as it is', 3, 2) }))
  const verbatim = await send('/acme/v1/ask', { model: 'acme-1', acme: sendRequest('acme-1') })
  t.match(await verbatim.json(), {
    acme_reply: { choices: [{ message: { content: 'as it is' } }] },
  })

  t.match(await (await send('/acme/v1/ask', { acme: sendRequest('none') })).json(), {
    acme_error: 'model_not_found',
  })
  t.match(await (await send('/acme/v1/ask', {}, 'sk-wrong')).json(), {
    acme_error: 'invalid_api_key',
  })
  t.equal((await here.logs()).length, 3, 'each is billed')

  t.match((await admin.call('GET', '/api/openapi.json')).body, {
    paths: {
      '/acme/v1/ask': {
        post: {
          responses: {
            default: {
              content: {
                'application/json': { schema: { $ref: '#/components/schemas/acme-error' } },
              },
            },
          },
        },
      },
    },
    components: { schemas: { 'acme-error': {} } },
  })
})

t.test('[SVC-2] a format nobody provides is a fault of the plugin that names it', async (t) => {
  const routes = [
    {
      ...{ name: 'create', method: 'POST', path: '/x', credential: 'key' },
      ...{ body: 'json', limiter: 'relay', format: 'nowhere' },
    },
  ]
  const chat = { format: 'nowhere', address() {}, fail() {} }
  const registry = await registryOf([
    found('endpoint.a', { routes }),
    found(
      'provider.a',
      { channelTypes: [{ id: 901, name: 'a', baseUrl: 'https://a.example' }] },
      () => ({ operations: { chat } }),
    ),
  ])
  await registry.providers.warm(901)
  t.match(stateOf(registry, 'endpoint.a'), {
    state: 'failed',
    reason: /"routes\[0\]\.format" names "nowhere", which no plugin provides/,
  })
  t.match(stateOf(registry, 'provider.a'), {
    state: 'failed',
    reason: /"chat" in the format "nowhere", which no plugin provides/,
  })
})

/** The Azure provider: addresses by deployment and version, filters, and what a stream of it looks like to a client. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import chatFormat from '../../plugins/formats/chat/index.js'
import create from '../../providers/azure/index.js'
import { adapterOf } from '../conformance/provider.js'
import { channelOf, context, json, manifestOf } from './provider-kit.js'

const provider = create()
const manifest = manifestOf('azure')
const host = 'https://house.openai.azure.com'
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/azure/${name}`, import.meta.url))

function url(operation: OperationName, model: string, settings: JsonObject = {}, base = host) {
  const channel = channelOf(manifest, settings, base)
  const call = context(model)
  return adapterOf(provider, operation).address(json({}), channel, { key: 'k' }, call).url
}

t.test('every operation has its path below the deployment', async (t) => {
  const paths: Partial<Record<OperationName, string>> = {
    chat: 'chat/completions',
    completions: 'completions',
    embeddings: 'embeddings',
    images: 'images/generations',
    edits: 'images/edits',
    speech: 'audio/speech',
    transcriptions: 'audio/transcriptions',
    translations: 'audio/translations',
  }
  for (const [operation, path] of Object.entries(paths) as [OperationName, string][]) {
    t.equal(
      url(operation, 'my-house'),
      `${host}/openai/deployments/my-house/${path}?api-version=2025-04-01-preview`,
    )
    t.equal(url(operation, 'my-house', { api_version: 'v1' }), `${host}/openai/v1/${path}`)
  }
})

t.test('the key is in its header and nothing of the client is passed on', async (t) => {
  const adapter = adapterOf(provider, 'chat')
  const forwarded = { headers: { 'openai-beta': 'x' } }
  const call = context('m', { stream: true, forwarded })
  const { headers } = adapter.address(json({}), channelOf(manifest, {}, host), { key: 'k ' }, call)
  t.strictSame(headers, {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'api-key': 'k',
  })
  t.equal(adapter.forwards, undefined)
})

t.test('a base URL may say more than the resource', async (t) => {
  const said = ['/', '/openai', '/openai/v1', '/openai/v1/', '/anthropic', '/anthropic/v1/messages']
  for (const base of said.map((path) => `${host}${path}`)) {
    t.match(url('chat', 'm', {}, base), `${host}/openai/deployments/m/chat/completions?`)
    const claude = adapterOf(provider, 'chat', 'messages')
    const channel = channelOf(manifest, {}, base)
    const call = claude.address(json({}), channel, { key: 'k' }, context('claude-opus-5'))
    t.equal(call.url, `${host}/anthropic/v1/messages`)
  }
})

t.test('only names of the models before 4 lose their dot', async (t) => {
  t.match(url('chat', 'gpt-3.5-turbo'), '/deployments/gpt-35-turbo/')
  t.match(url('chat', 'gpt-4.1'), '/deployments/gpt-4.1/')
})

t.test('a deployment that would lead elsewhere is refused', async (t) => {
  for (const model of ['a/b', '..', 'a?b', 'a#b', 'a%2fb', 'a\\b', '']) {
    t.throws(() => url('chat', model), { code: 'invalid_request' }, model)
  }
})

t.test('responses stand beside the deployments', async (t) => {
  const responses = (settings: JsonObject) => {
    const channel = channelOf(manifest, settings, host)
    const adapter = adapterOf(provider, 'chat', 'responses')
    return adapter.address(json({}), channel, { key: 'k' }, context('my-house')).url
  }
  const dated = { responses_api_version: '2025-04-01-preview' }
  t.equal(responses({}), `${host}/openai/v1/responses`)
  t.equal(
    responses({ responses_api_version: 'preview' }),
    `${host}/openai/v1/responses?api-version=preview`,
  )
  t.equal(responses(dated), `${host}/openai/responses?api-version=2025-04-01-preview`)
  t.equal(responses({ responses_api_version: ' ' }), `${host}/openai/v1/responses`)
})

t.test('realtime opens a socket with the key in its header', async (t) => {
  const socket = (settings: JsonObject) => {
    const channel = channelOf(manifest, settings, host)
    return adapterOf(provider, 'realtime').socket!(channel, { key: 'k' }, context('gpt realtime'))
  }
  t.strictSame(socket({}), {
    url: 'wss://house.openai.azure.com/openai/v1/realtime?model=gpt%20realtime',
    headers: { 'api-key': 'k' },
    protocols: [],
  })
  const { url: dated } = socket({ realtime_api_version: '2025-04-01-preview' })
  t.equal(
    dated,
    'wss://house.openai.azure.com/openai/realtime?api-version=2025-04-01-preview&deployment=gpt%20realtime',
  )
  const { url: preview } = socket({ realtime_api_version: 'preview' })
  t.match(preview, '/openai/v1/realtime?api-version=preview&model=gpt%20realtime')
})

t.test('[FMT-6] deployments named like reasoning models get the limit they take', async (t) => {
  const { adjust } = adapterOf(provider, 'chat')
  const channel = channelOf(manifest, {}, host)
  const adjusted = (fields: JsonObject) => adjust!(fields, channel)
  t.strictSame(adjusted({ model: 'o4-mini', max_tokens: 0 }), {
    model: 'o4-mini',
    max_completion_tokens: 0,
  })
  t.strictSame(adjusted({ model: 'gpt-5.1', max_tokens: 5, max_completion_tokens: 7 }), {
    model: 'gpt-5.1',
    max_completion_tokens: 7,
  })
  for (const model of ['gpt-4o', 'my-o4-deployment']) {
    const fields = Object.freeze({ model, max_tokens: 5 })
    t.equal(adjusted(fields), fields, model)
  }
})

t.test('the frame of filter results passes first, starts nothing and breaks nothing', async (t) => {
  const watch = chatFormat().watch({ wantsUsage: true })
  const bytes = fixture('text.sse')
  const end = bytes.indexOf('\n\n') + 2
  t.equal(watch.push(bytes.subarray(0, end)).length, end, 'it passes')
  t.notOk(watch.started, 'but it is no content')
  t.equal(watch.failure, undefined)
  watch.push(bytes.subarray(end))
  t.ok(watch.started && watch.ended)
  t.match(watch.usage, { input: 9, output: 3 })
})

t.test('[FMT-17] a filtered prompt is reported to the client and not retried', async (t) => {
  const failure = adapterOf(provider, 'chat').fail(400, {}, fixture('content-filter.json'))
  t.match(failure, {
    blame: 'client',
    status: 400,
    code: 'upstream_rejected',
    type: 'content_filter',
    param: 'prompt',
    message: /content management policy/,
  })
  t.notMatch(failure.message, /go\.microsoft\.com/)
})

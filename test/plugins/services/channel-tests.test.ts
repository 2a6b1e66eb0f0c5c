/** Tests of channels: which model, which key, which tiny request, and what is reported of the outcome. */

import t from 'tap'
import type { Failure } from '../../../kernel/contract/failure.js'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { ProbeRequest, ProbeResult } from '../../../kernel/contract/services/probe.js'
import { noPeers } from '../../../kernel/peers.js'
import chat from '../../../plugins/formats/chat/index.js'
import generative from '../../../plugins/formats/generative/index.js'
import messages from '../../../plugins/formats/messages/index.js'
import responses from '../../../plugins/formats/responses/index.js'
import compact from '../../../plugins/operations/compact/index.js'
import embeddings from '../../../plugins/operations/embeddings/index.js'
import images from '../../../plugins/operations/images/index.js'
import moderations from '../../../plugins/operations/moderations/index.js'
import rerank from '../../../plugins/operations/rerank/index.js'
import search from '../../../plugins/operations/search/index.js'
import speech from '../../../plugins/operations/speech/index.js'
import transcriptions from '../../../plugins/operations/transcriptions/index.js'
import createTests from '../../../plugins/services/channel-tests/index.js'
import { createFacts } from '../../../plugins/services/model-registry/facts.js'
import { FakeClock } from '../../kit/clock.js'
import { channel as lineChannel } from '../../kit/line-fakes.js'
import { providers, RecordingLog, settingsOf } from '../management/management-fixture.js'

function bench(answer: (request: ProbeRequest) => Partial<ProbeResult> = () => ({})) {
  const asks: ProbeRequest[] = []
  const log = new RecordingLog()
  const facts = createFacts()
  const warmed: number[] = []
  const tests = createTests({
    settings: settingsOf({}),
    clock: new FakeClock(),
    log,
    services: {
      peers: noPeers,
      probe: {
        async run(request) {
          asks.push(request)
          return { model: 'm', ms: 120, head: '', ...answer(request) }
        },
      },
      providers: { ...providers, warm: async (type) => void warmed.push(type) },
      'model-registry': {
        describe: facts.describe,
        about: () => ({ about: {}, byAdmin: [] }),
        known: () => undefined,
        revision: () => 0,
        served: () => new Map(),
      },
    },
  })
  return { tests, asks, log, warmed }
}

function withModels(...models: string[]): Channel {
  return { ...lineChannel(1), models: new Set(models) }
}

const content: Failure = {
  blame: 'channel',
  status: 401,
  code: 'upstream_error',
  message: 'The upstream failed: it does not take the credentials of this channel.',
  upstreamMessage: 'Incorrect key upstream-key given',
}

t.test('a channel that answers is reported with its times and its usage', async (t) => {
  const { tests, asks, warmed } = bench(() => ({ firstMs: 80, usage: { input: 3, output: 1 } }))
  const channel = { ...withModels('gpt-5-mini'), enabled: false }
  t.same(await tests.run(channel), {
    ok: true,
    ms: 120,
    firstMs: 80,
    usage: { input: 3, output: 1 },
    message: '',
    model: 'gpt-5-mini',
    endpointType: 'openai',
  })
  t.same(warmed, [1], 'the provider of a channel that is off is loaded first')
  t.equal(asks[0]?.channel, channel)
})

const choices: readonly (readonly [
  name: string,
  models: string[],
  options: object,
  model: string,
])[] = [
  ['the one requested', ['a'], { model: ' b ', testModel: 'c' }, 'b'],
  ['the row’s', ['a'], { model: '', testModel: 'c' }, 'c'],
  ['the first that chats', ['text-embedding-3-small', 'gpt-5'], { testModel: '' }, 'gpt-5'],
  ['the first', ['text-embedding-3-small', 'dall-e-3'], {}, 'text-embedding-3-small'],
]

for (const [name, models, options, model] of choices) {
  t.test(`the model is ${name}`, async (t) => {
    const { tests } = bench()
    t.equal((await tests.run(withModels(...models), options)).model, model)
  })
}

const formats = { chat, generative, messages, responses }
const operations = {
  compact,
  embeddings,
  images,
  moderations,
  rerank,
  search,
  speech,
  transcriptions,
}

const kinds: readonly (readonly [
  model: string,
  type: string,
  operation: string,
  format: string,
])[] = [
  ['gpt-5-mini', 'openai', 'chat', 'chat'],
  ['gpt-5-mini', 'openai-response', 'chat', 'responses'],
  ['claude-sonnet-4-5', 'anthropic', 'chat', 'messages'],
  ['gemini-2.5-flash', 'gemini', 'chat', 'generative'],
  ['gpt-5-codex', 'openai-response-compact', 'compact', 'responses'],
  ['gpt-5', 'vendor-alpha-search', 'search', 'chat'],
  ['bge-m3', '', 'embeddings', 'chat'],
  ['BAAI/bge-reranker-v2-m3', '', 'rerank', 'chat'],
  ['dall-e-2', '', 'images', 'chat'],
  ['gpt-image-1', '', 'images', 'chat'],
  ['whisper-1', '', 'transcriptions', 'chat'],
  ['gpt-4o-mini-tts', '', 'speech', 'chat'],
  ['omni-moderation-latest', '', 'moderations', 'chat'],
]

for (const [model, endpointType, operation, format] of kinds) {
  t.test(
    `${model} as ${endpointType || 'its name states'}: a request any client could send`,
    async (t) => {
      const { tests, asks } = bench()
      t.equal((await tests.run(withModels(model), { endpointType })).ok, true)
      const [ask] = asks
      t.match(ask, { operation, format })
      const { body, hints } = ask!
      const requested =
        operation === 'chat'
          ? formats[format as keyof typeof formats]().check(jsonOf(body), hints)
          : operations[operation as keyof typeof operations]().check(body, hints)
      t.match(requested, { model, stream: false })
      t.ok(JSON.stringify(jsonOf(body)).length < 200, 'it is tiny')
    },
  )
}

function jsonOf(body: ProbeRequest['body']) {
  if (body.kind === 'none') throw new Error('a test asks for something')
  return body.kind === 'json' ? body.value : body.fields
}

t.test('chat answers can be streamed', async (t) => {
  const { tests, asks } = bench()
  for (const endpointType of ['openai', 'openai-response', 'anthropic']) {
    await tests.run(withModels('m'), { endpointType, stream: true })
  }
  t.same(
    asks.map(({ body }) => jsonOf(body).stream),
    [true, true, true],
  )
  await tests.run(withModels('m'), { endpointType: 'gemini', stream: true })
  t.match(asks[3]?.hints, { model: 'm', stream: true })
})

t.test('the key is the one named, else the first that is on, else the first', async (t) => {
  const { tests, asks } = bench()
  const off = { id: 1, text: 'key-one', enabled: false }
  const on = { id: 2, text: 'key-two', enabled: true }
  await tests.run({ ...withModels('m'), keys: [off, on] })
  await tests.run({ ...withModels('m'), keys: [off] })
  await tests.run({ ...withModels('m'), keys: [off, on] }, { key: off })
  t.same(
    asks.map(({ key }) => key.id),
    [2, 1, 1],
  )
})

t.test(
  '[ERR-2] a failure is reported with the upstream’s masked words and without the key',
  async (t) => {
    const { tests } = bench(() => ({ failure: content, ms: 42 }))
    const result = await tests.run(withModels('gpt-5'))
    t.match(result, { ok: false, ms: 42, failure: { status: 401 } })
    t.equal(
      result.message,
      'The upstream failed: it does not take the credentials of this channel. It said: Incorrect key *** given',
    )
    t.notMatch(JSON.stringify(result), 'upstream-key')
  },
)

t.test('what cannot be queried is a result too, and nothing is sent', async (t) => {
  const { tests, asks } = bench()
  t.match(await tests.run(withModels()), { ok: false, message: /no model/ })
  t.match(await tests.run({ ...withModels('m'), keys: [] }), { ok: false, message: /no key/ })
  t.match(await tests.run(withModels('m'), { endpointType: 'openai-video' }), {
    ok: false,
    message: /"openai-video" is none a test knows/,
  })
  t.match(await tests.run(withModels('m'), { endpointType: '__proto__' }), { ok: false })
  t.match(await tests.run(withModels('sora-2')), { ok: false, message: /none a test knows/ })
  t.equal(asks.length, 0)
})

t.test('a test that breaks is a result and a line in the log', async (t) => {
  const { tests, log } = bench(() => {
    throw new Error('boom upstream-key')
  })
  const result = await tests.run(withModels('m'))
  t.match(result, { ok: false, failure: { code: 'internal_error' } })
  t.notMatch(JSON.stringify(result), 'boom')
  t.same(log.lines, ['a channel could not be tested'])
})

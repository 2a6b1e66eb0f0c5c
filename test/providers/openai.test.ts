/** The OpenAI provider: where calls go, how the output limit is spelled, whose fault a refusal is. */
import t from 'tap'
import type { OperationName } from '../../kernel/contract/names.js'
import type { ChannelView } from '../../kernel/contract/provider.js'
import create from '../../providers/openai/index.js'
import { adapterOf } from '../conformance/provider.js'

const provider = create()
const chat = adapterOf(provider, 'chat')
const channel: ChannelView = { id: 1, type: 1, baseUrl: 'https://api.openai.com', settings: {} }
const context = { now: 0, forwarded: { headers: {} }, model: 'gpt-4o', stream: true }
const wire = { kind: 'json', value: { model: 'gpt-4o' } } as const

t.test('a call has the address, the key and nothing more', async (t) => {
  const request = chat.address(wire, channel, { key: 'sk-key ' }, context)
  t.strictSame(request, {
    method: 'POST',
    url: 'https://api.openai.com/v1/chat/completions',
    headers: {
      'content-type': 'application/json',
      accept: 'text/event-stream',
      authorization: 'Bearer sk-key',
    },
  })
  t.strictSame(chat.address(wire, channel, { key: 'sk-key ' }, context), request, 'twice the same')
})

t.test(
  'the organization of the channel and the allowed header of the client are sent along',
  async (t) => {
    const settings = { organization: ' org-1 ', project: 'proj-1' }
    const forwarded = { headers: { 'openai-beta': 'x=1', other: undefined } }
    const { headers } = chat.address(
      wire,
      { ...channel, settings },
      { key: 'k' },
      { ...context, forwarded },
    )
    t.match(headers, {
      'openai-organization': 'org-1',
      'openai-project': 'proj-1',
      'openai-beta': 'x=1',
    })
    t.notOk('other' in headers)
    t.strictSame(chat.forwards, ['openai-beta'])
    const blank = chat.address(
      wire,
      { ...channel, settings: { organization: '' } },
      { key: 'k' },
      context,
    )
    t.notOk('openai-organization' in blank.headers)
  },
)

t.test('[FMT-6] reasoning models get the limit under the name they take', async (t) => {
  const adjust = (fields: Record<string, string | number>) => chat.adjust!(fields, channel)
  for (const model of [
    'o1',
    'o3-mini',
    'o4-mini-2025-04-16',
    'gpt-5',
    'gpt-5.1-codex',
    'openai/gpt-5-mini',
    'ft:o3:x',
  ]) {
    t.strictSame(
      adjust({ model, max_tokens: 5, x: 1 }),
      { model, x: 1, max_completion_tokens: 5 },
      model,
    )
    t.strictSame(adjust({ model, max_tokens: 0 }), { model, max_completion_tokens: 0 })
    t.strictSame(adjust({ model, max_tokens: 5, max_completion_tokens: 7 }), {
      model,
      max_completion_tokens: 7,
    })
    t.strictSame(adjust({ model, max_tokens: 5, max_completion_tokens: 0 }), {
      model,
      max_completion_tokens: 5,
    })
  }
  for (const model of ['gpt-4o', 'gpt-4.1', 'gpt-3.5-turbo', 'chatgpt-4o-latest', 'omni']) {
    const fields = Object.freeze({ model, max_tokens: 5 })
    t.equal(adjust(fields), fields, model)
  }
  const unlimited = Object.freeze({ model: 'o1', temperature: 0 })
  t.equal(adjust(unlimited), unlimited)
})

t.test(
  '[FMT-17] a field the upstream refuses is reported to the client and not retried',
  async (t) => {
    const body = {
      error: {
        message: "Unsupported parameter: 'logit_bias' is not supported with this model.",
        type: 'invalid_request_error',
        param: 'logit_bias',
        code: 'unsupported_parameter',
      },
    }
    t.match(chat.fail(400, {}, Buffer.from(JSON.stringify(body))), {
      blame: 'client',
      status: 400,
      code: 'upstream_rejected',
      message: /Unsupported parameter: 'logit_bias'/,
      type: 'invalid_request_error',
      param: 'logit_bias',
    })
  },
)

t.test('every operation has the path its clients know', async (t) => {
  const paths: Partial<Record<OperationName, string>> = {
    completions: '/v1/completions',
    embeddings: '/v1/embeddings',
    images: '/v1/images/generations',
    edits: '/v1/images/edits',
    speech: '/v1/audio/speech',
    transcriptions: '/v1/audio/transcriptions',
    translations: '/v1/audio/translations',
    moderations: '/v1/moderations',
    rerank: '/v1/rerank',
    compact: '/v1/responses/compact',
  }
  for (const [operation, path] of Object.entries(paths) as [OperationName, string][]) {
    const adapter = adapterOf(provider, operation)
    const { url, body } = adapter.address(wire, channel, { key: 'k' }, context)
    t.equal(adapter.format, 'same')
    t.equal(url, `https://api.openai.com${path}`)
    t.equal(body, undefined, 'the gateway writes the body')
  }
})

t.test('media is accepted as the answer where it can be one', async (t) => {
  const accept = (operation: OperationName) =>
    adapterOf(provider, operation).address(wire, channel, { key: 'k' }, context).headers.accept
  t.equal(accept('speech'), '*/*')
  t.equal(accept('transcriptions'), '*/*')
  t.equal(accept('completions'), 'text/event-stream')
})

t.test('[FMT-13] plain chat channels never serve search', async (t) => {
  t.notOk('search' in provider.operations)
})

t.test('the setting decides which of the two formats the upstream is given', async (t) => {
  const responses = adapterOf(provider, 'chat', 'responses')
  const compact = adapterOf(provider, 'compact')
  const served = (setting?: string) => {
    const place = { ...channel, settings: { responses_api: setting } }
    return [chat, responses, compact].map((adapter) => adapter.serves!(place, 'gpt-5'))
  }
  t.strictSame(served('native'), [true, true, true])
  t.strictSame(served('convert'), [true, false, false])
  t.strictSame(served('always'), [false, true, true])
  t.strictSame(served(), [true, true, true])
  const { url } = responses.address(wire, channel, { key: 'k' }, context)
  t.equal(url, 'https://api.openai.com/v1/responses')
  const limited = { model: 'gpt-5', max_tokens: 5 }
  t.equal(responses.adjust!(limited, channel), limited, 'its limit has one spelling')
})

t.test('realtime opens a socket beside the base URL', async (t) => {
  const { socket, forwards } = adapterOf(provider, 'realtime')
  const place = {
    ...channel,
    baseUrl: 'http://h.example/x/v1',
    settings: { organization: 'org-1' },
  }
  const call = { ...context, model: 'gpt realtime' }
  t.strictSame(socket!(place, { key: 'k' }, call), {
    url: 'ws://h.example/x/v1/realtime?model=gpt%20realtime',
    headers: { authorization: 'Bearer k', 'openai-organization': 'org-1' },
    protocols: [],
  })
  t.strictSame(forwards, ['openai-beta'])
  const forwarded = { headers: { 'openai-beta': 'realtime=v1' } }
  const { url, headers } = socket!(channel, { key: 'k' }, { ...call, forwarded })
  t.match(url, /^wss:\/\/api\.openai\.com\/v1\/realtime\?/)
  t.equal(headers['openai-beta'], 'realtime=v1', 'only as the client asks')
})

t.test(
  '[ERR-2] an account without credit is the channel’s fault, whatever the status',
  async (t) => {
    const body = {
      error: {
        message: 'Billing hard limit has been reached',
        type: 'image_generation_user_error',
        param: null,
        code: 'billing_hard_limit_reached',
      },
    }
    const failure = chat.fail(400, {}, Buffer.from(JSON.stringify(body)))
    t.match(failure, { blame: 'channel', status: 400, code: 'upstream_error' })
    t.notMatch(failure.message, /billing/i)
  },
)

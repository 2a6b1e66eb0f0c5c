/** The OpenAI provider: where calls go, how the output limit is spelled, whose fault a refusal is. */
import t from 'tap'
import type { ChannelView } from '../../kernel/contract/provider.js'
import create from '../../providers/openai/index.js'
import { adapterOf } from '../conformance/provider.js'

const chat = adapterOf(create(), 'chat')
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
    const settings = { organization: ' org-1 ' }
    const forwarded = { headers: { 'openai-beta': 'x=1', other: undefined } }
    const { headers } = chat.address(
      wire,
      { ...channel, settings },
      { key: 'k' },
      { ...context, forwarded },
    )
    t.match(headers, { 'openai-organization': 'org-1', 'openai-beta': 'x=1' })
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

t.test('[FMT-17] a field the upstream refuses is told to the client and not retried', async (t) => {
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
})

/** The anthropic provider: what it sends, what it forwards, how it reads a refusal. */
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter, AddressContext } from '../../kernel/contract/provider.js'
import create from '../../providers/anthropic/index.js'
import { adapterOf } from '../conformance/provider.js'

const adapter: Adapter = adapterOf(create(), 'chat')
const channel = { id: 1, type: 14, baseUrl: 'https://api.anthropic.com', settings: {} }

function addressed(headers: AddressContext['forwarded']['headers'] = {}) {
  const context = { now: 0, forwarded: { headers }, model: 'm', stream: false }
  return adapter.address({ kind: 'json', value: {} }, channel, { key: 'secret' }, context)
}

t.test('a call goes to /v1/messages with key and version', async (t) => {
  t.same(addressed(), {
    method: 'POST',
    url: 'https://api.anthropic.com/v1/messages',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      'x-api-key': 'secret',
      'anthropic-version': '2023-06-01',
    },
  })
})

t.test('[FMT-9] version and betas of a client of the same format are forwarded', async (t) => {
  t.same(adapter.forwards, ['anthropic-version', 'vendor-version', 'anthropic-beta'])
  const sent = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'a,b' }
  const { headers } = addressed({ ...sent, cookie: 'no' })
  t.match(headers, sent)
  t.notOk('cookie' in headers)
  const neutral = addressed({ 'vendor-version': '2026-10-21' })
  t.equal(neutral.headers['anthropic-version'], '2026-10-21')
  t.notOk('vendor-version' in neutral.headers)
})

function adjusted(wire: JsonObject, settings: JsonObject = {}) {
  return adapter.adjust!(wire, { ...channel, settings })
}

t.test('a thinking budget becomes an effort for models that take none', async (t) => {
  const thinking = { type: 'enabled', budget_tokens: 4096 }
  const rows = [
    // model                        takes a budget
    ['claude-3-7-sonnet-20250219', true],
    ['claude-sonnet-4-20250514', true],
    ['claude-sonnet-4-5', true],
    ['claude-haiku-4-5-20251001', true],
    ['claude-opus-4-6', true],
    ['claude-opus-4-7', false],
    ['claude-opus-4-8', false],
    ['claude-sonnet-5', false],
    ['claude-haiku-5-5', false],
    ['another-maker-model', true],
  ] as const
  for (const [model, takesBudget] of rows) {
    const wire = { model, max_tokens: 8192, thinking }
    const changed = {
      model,
      max_tokens: 8192,
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: { effort: 'high' },
    }
    t.same(adjusted(wire), takesBudget ? wire : changed, model)
    t.same(adjusted(wire, { thinking: 'as-sent' }), wire, `${model} as sent`)
  }
})

t.test('every budget has an effort, and an effort that stands stays', async (t) => {
  const effort = (budget_tokens: number, output_config?: JsonObject) => {
    const thinking = { type: 'enabled', budget_tokens, display: 'omitted' }
    const wire = { model: 'claude-opus-4-8', thinking, ...(output_config && { output_config }) }
    const { output_config: result, thinking: written } = adjusted(wire)
    t.same(written, { type: 'adaptive', display: 'omitted' })
    return result
  }
  t.same(effort(1024), { effort: 'low' })
  t.same(effort(1280), { effort: 'low' })
  t.same(effort(2048), { effort: 'medium' })
  t.same(effort(8192), { effort: 'xhigh' })
  t.same(effort(30_000), { effort: 'max' })
  t.same(effort(1024, { effort: 'max', x: 1 }), { effort: 'max', x: 1 })
})

t.test('what is not a budget stays the same object', async (t) => {
  for (const thinking of [undefined, { type: 'disabled' }, { type: 'adaptive' }, 'x']) {
    const wire = { model: 'claude-opus-4-8', thinking }
    t.equal(adjusted(wire), wire)
  }
})

function refused(status: number, error: JsonObject, headers: Record<string, string> = {}) {
  return adapter.fail(status, headers, Buffer.from(JSON.stringify({ type: 'error', error })))
}

t.test('[ERR-2] [FMT-17] a refused field reaches the client as a safe sentence', async (t) => {
  const message = 'temperature: range 0..1, see https://docs.internal/x?key=sk-ant-api03-abcdefgh'
  const failure = refused(400, { type: 'invalid_request_error', message })
  t.match(failure, {
    blame: 'client',
    status: 400,
    code: 'upstream_rejected',
    type: 'invalid_request_error',
    param: 'temperature',
  })
  t.match(failure.message, /temperature: range 0\.\.1/)
  t.notMatch(failure.message, /sk-ant|docs\.internal/)
})

t.test('[ERR-2] trouble with the account is the channel’s and not reported', async (t) => {
  const failure = refused(400, { message: 'Your credit balance is too low to access the API.' })
  t.equal(failure.blame, 'channel')
  t.equal(failure.status, 400)
  t.notMatch(failure.message, /credit/)
})

t.test('a rate limit states when to come back', async (t) => {
  const failure = refused(429, { type: 'rate_limit_error', message: 'x' }, { 'retry-after': '12' })
  t.match(failure, { blame: 'channel', status: 429, retryAfterMs: 12_000 })
})

/** Moonshot: the platform and the coding plan, thoughts put back into tool rounds, counts of its stream. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import { mayReach } from '../../kernel/toolkit/service/reach.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/moonshot/index.js'
import { usageOf } from '../conformance/events.js'
import { adapterOf } from '../conformance/provider.js'

const provider = create()
const at = (baseUrl: string) => ({ id: 1, type: 25, baseUrl, settings: {} })
const adapter = (format: Adapter['format']) => adapterOf(provider, 'chat', format)
const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/moonshot/${name}`, import.meta.url))

function url(format: Adapter['format'], baseUrl: string): string {
  const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: false }
  return adapter(format).address({ kind: 'none' }, at(baseUrl), { key: 'k' }, context).url
}

t.test('the platform has a path for each format', async (t) => {
  const base = 'https://api.moonshot.cn'
  t.equal(url('chat', base), `${base}/v1/chat/completions`)
  t.equal(url('messages', `${base}/v1`), `${base}/anthropic/v1/messages`)
  t.equal(url('responses', base), `${base}/v1/responses`)
})

t.test('the coding plan is another place, by its alias or its address', async (t) => {
  for (const base of ['kimi-coding-plan', 'https://api.kimi.com/coding']) {
    t.equal(url('chat', base), 'https://api.kimi.com/coding/v1/chat/completions')
    t.equal(url('messages', base), 'https://api.kimi.com/coding/v1/messages')
    t.equal(adapter('responses').serves?.(at(base), 'm'), false)
    t.ok(mayReach(url('chat', base), base, ['channel', 'api.kimi.com']))
  }
  t.equal(adapter('responses').serves?.(at('https://api.moonshot.cn'), 'm'), true)
})

const adjust = (wire: JsonObject) => adapter('chat').adjust!(wire, at('https://h.example'))
const call = { role: 'assistant', content: '', tool_calls: [{ id: 'a' }] }

t.test('a tool call that lost its thoughts gets a placeholder', async (t) => {
  const plain = { role: 'assistant', content: 'Hello' }
  t.strictSame(adjust({ model: 'kimi-k2.6', messages: [plain, call] }).messages, [
    plain,
    { ...call, reasoning_content: '.' },
  ])
})

t.test('what the client sent, models that do not think and thinking off are left', async (t) => {
  for (const wire of [
    { model: 'kimi-k2.6', messages: [{ ...call, reasoning_content: '' }] },
    { model: 'moonshot-v1-8k', messages: [call] },
    { model: 'kimi-k2.6', messages: [call], thinking: { type: 'disabled' } },
    { model: 'kimi-k2.6', messages: [{ role: 'assistant', content: 'Hello' }] },
  ]) {
    const frozen = Object.freeze(wire)
    t.equal(adjust(frozen), frozen)
  }
})

t.test('counts inside the last choice are read, the cached share beside them too', async (t) => {
  const decoder = chat().decodeStream()
  const usage = usageOf([...decoder.push(fixture('thinking.sse')), ...decoder.flush()])
  t.match(usage, { input: 10, cacheRead: 20, output: 12 })
})

t.test('the service’s load is no fault of the account', async (t) => {
  t.equal(adapter('chat').fail(429, {}, fixture('overloaded.json')).blame, 'upstream')
})

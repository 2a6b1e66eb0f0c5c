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

const tool = (name: string) => ({ type: 'function', function: { name } })
const one = { type: 'function', function: { name: 'look' } }

/** What is refused, and what goes out once that is left out. */
function sent(format: Adapter['format'], wire: JsonObject) {
  const { refuses, adjust: last } = adapter(format)
  const lost = refuses!(wire, at('https://h.example'), String(wire.model))
  const kept = Object.fromEntries(Object.entries(wire).filter(([name]) => !lost.includes(name)))
  return { lost, wire: last!(kept, at('https://h.example')) }
}

t.test('a model that can stop thinking stops for a tool that must be called', async (t) => {
  for (const choice of ['required', one]) {
    const wire = { model: 'kimi-k2.6', messages: [], tools: [one], tool_choice: choice }
    const off = { ...wire, thinking: { type: 'disabled' } }
    t.strictSame(sent('chat', wire), { lost: ['thinking'], wire: off })
    t.strictSame(sent('chat', { ...wire, reasoning_effort: 'high' }), {
      lost: ['thinking', 'reasoning_effort'],
      wire: off,
    })
    t.strictSame(sent('chat', off), { lost: [], wire: off })
  }
  const claude = { model: 'kimi-k2.5', tool_choice: { type: 'tool', name: 'look' } }
  t.strictSame(sent('messages', claude), {
    lost: ['thinking'],
    wire: { ...claude, thinking: { type: 'disabled' } },
  })
})

t.test('a model that cannot stop thinking loses the choice', async (t) => {
  for (const model of ['kimi-k2.7-code', 'kimi-k2-thinking-turbo']) {
    const wire = { model, messages: [], tools: [one] }
    t.strictSame(sent('chat', { ...wire, tool_choice: one }), { lost: ['tool_choice'], wire })
    const auto = { ...wire, tool_choice: 'auto' }
    t.strictSame(sent('chat', auto), { lost: [], wire: auto })
  }
})

t.test('a model that calls any tool but no named one is offered that tool alone', async (t) => {
  const model = 'kimi-k3'
  const wire = { model, messages: [], tools: [tool('other'), one], tool_choice: one }
  t.strictSame(sent('chat', wire), {
    lost: [],
    wire: { ...wire, tools: [one], tool_choice: 'required' },
  })
  const required = { ...wire, tool_choice: 'required' }
  t.strictSame(sent('chat', required), { lost: [], wire: required })
  const choice = { type: 'tool', name: 'look', disable_parallel_tool_use: true }
  const claude = { model, tools: [{ name: 'other' }, { name: 'look' }], tool_choice: choice }
  t.strictSame(sent('messages', claude), {
    lost: [],
    wire: {
      model,
      tools: [{ name: 'look' }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
    },
  })
})

/** DeepSeek: where each format goes, when thoughts are put back into the history, what a stream counts. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import chat from '../../plugins/formats/chat/index.js'
import create from '../../providers/deepseek/index.js'
import { usageOf } from '../conformance/events.js'
import { adapterOf } from '../conformance/provider.js'

const provider = create()
const channel = { id: 1, type: 43, baseUrl: 'https://api.deepseek.com', settings: {} }
const adjust = (wire: JsonObject) => adapterOf(provider, 'chat').adjust!(wire, channel)

t.test('each format and operation has its path', async (t) => {
  const url = (operation: OperationName, format?: Adapter['format']) =>
    adapterOf(provider, operation, format).address(
      { kind: 'none' },
      channel,
      { key: 'k' },
      { now: 0, forwarded: { headers: {} }, model: 'm', stream: false },
    ).url
  t.equal(url('chat'), 'https://api.deepseek.com/chat/completions')
  t.equal(url('chat', 'messages'), 'https://api.deepseek.com/anthropic/v1/messages')
  t.equal(url('chat', 'responses'), 'https://api.deepseek.com/responses')
  t.equal(url('completions'), 'https://api.deepseek.com/beta/completions')
})

const user = { role: 'user', content: 'Hi' }
const call = { role: 'assistant', content: null, tool_calls: [{ id: 'a' }] }
const result = { role: 'tool', tool_call_id: 'a', content: '' }
const plain = { role: 'assistant', content: 'Hello' }
const tools = [{ type: 'function', function: { name: 'a' } }]

t.test('where tools are used, an answer without thoughts gets empty ones', async (t) => {
  const adjusted = adjust({ messages: [user, call, result] })
  t.strictSame(adjusted.messages, [user, { ...call, reasoning_content: '' }, result])
  t.strictSame(adjust({ messages: [user, plain, user], tools }).messages, [
    user,
    { ...plain, reasoning_content: '' },
    user,
  ])
  t.strictSame(adjust({ messages: [{ ...call, reasoning_content: null }] }).messages, [
    { ...call, reasoning_content: '' },
  ])
})

t.test('thoughts that are there, and requests without tools, stay as they are', async (t) => {
  for (const wire of [
    { messages: [user, { ...call, reasoning_content: 'because' }, result], tools },
    { messages: [user, plain, user] },
    { messages: [user, plain, user], tools: [] },
    { messages: [user, call, result], tools, thinking: { type: 'disabled' } },
    { messages: 'none' },
  ]) {
    const frozen = Object.freeze(wire)
    t.equal(adjust(frozen), frozen)
  }
})

t.test('no effort at all is this service’s switch', async (t) => {
  t.strictSame(adjust({ model: 'm', reasoning_effort: 'none' }), {
    model: 'm',
    thinking: { type: 'disabled' },
  })
  t.strictSame(adjust({ reasoning_effort: 'none', thinking: { type: 'enabled' } }), {
    thinking: { type: 'enabled' },
  })
  const high = Object.freeze({ reasoning_effort: 'high' })
  t.equal(adjust(high), high)
})

t.test('the cached share of the prompt is counted once', async (t) => {
  const bytes = readFileSync(new URL('../fixtures/deepseek/thinking-tool.sse', import.meta.url))
  const decoder = chat().decodeStream()
  const usage = usageOf([...decoder.push(bytes), ...decoder.flush()])
  t.match(usage, { input: 56, cacheRead: 64, output: 40, reasoning: 18 })
  const watch = chat().watch({ wantsUsage: true })
  watch.push(bytes)
  t.match(watch.usage, { input: 56, cacheRead: 64, output: 40 })
})

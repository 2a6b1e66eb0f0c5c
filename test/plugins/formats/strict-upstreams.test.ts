/**
 * Calls whose words a strict upstream of another format refuses: each goes out in words that are documented there, and
 * what had to change is named. The strict reader is the one every scripted upstream of these tests has.
 */
import t, { type Test } from 'tap'
import type { Format } from '../../../kernel/contract/format.js'
import type { JsonObject } from '../../../kernel/contract/json.js'
import createChat from '../../../plugins/formats/chat/index.js'
import createGenerative from '../../../plugins/formats/generative/index.js'
import createMessages from '../../../plugins/formats/messages/index.js'
import createResponses from '../../../plugins/formats/responses/index.js'
import { strictly } from '../../kit/strict/index.js'

const chat = createChat()
const messages = createMessages()
const generative = createGenerative()
const responses = createResponses()

const paths = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  generative: '/v1beta/models/m:generateContent',
  responses: '/v1/responses',
}

/** What goes out, and what of it is reported; it must be as the upstream documents it. */
function converted(t: Test, from: Format, to: Format, body: JsonObject, model = 'm') {
  const call = { ...from.decodeRequest(body, { model, stream: body.stream === true }), model }
  const { refuse, report } = to.unsupportedFields(call)
  t.strictSame(refuse, [])
  const wire = to.encodeRequest(call)
  const refused = strictly(paths[to.name], JSON.parse(JSON.stringify(wire)))
  t.strictSame(refused?.faults, undefined, `${from.name} to ${to.name}`)
  return { wire, report }
}

const hi = {
  chat: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  messages: { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] },
  generative: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
  responses: { model: 'm', input: 'Hi' },
}

t.test('[FMT-1] null in an optional field means that it was not sent', async (t) => {
  const nothing = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, null]))
  const optional = {
    chat: [
      'temperature',
      'stop',
      'tools',
      'tool_choice',
      'stream',
      'stream_options',
      'metadata',
    ].concat(['response_format', 'reasoning_effort', 'max_tokens', 'logprobs', 'store', 'user']),
    messages: [
      'system',
      'temperature',
      'top_p',
      'top_k',
      'stream',
      'stop_sequences',
      'tools',
    ].concat(['tool_choice', 'thinking', 'metadata', 'output_config', 'service_tier', 'container']),
    generative: ['systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'cachedContent'],
    responses: [
      'instructions',
      'temperature',
      'tools',
      'tool_choice',
      'text',
      'reasoning',
      'store',
    ].concat(['metadata', 'include', 'max_output_tokens', 'previous_response_id', 'prompt']),
  }
  for (const from of [chat, messages, generative, responses]) {
    const body = { ...hi[from.name], ...nothing(optional[from.name]) }
    const content = { model: 'm', stream: false }
    from.check(body, content)
    const bare = from.decodeRequest(hi[from.name], content)
    t.strictSame(from.decodeRequest(body, content), bare, from.name)
    for (const to of [chat, messages, generative, responses]) {
      if (from === to) continue
      t.strictSame(converted(t, from, to, body).report, [], `${from.name} to ${to.name}`)
    }
  }
  const deep = {
    ...hi.messages,
    metadata: { user_id: null },
    output_config: { effort: null, format: null },
    messages: [
      {
        role: 'user',
        content: [{ type: 'text', text: 'Hi', cache_control: null, citations: null }],
      },
    ],
    tools: [
      { name: 'a', input_schema: { type: 'object' }, cache_control: null, defer_loading: null },
    ],
  }
  t.strictSame(converted(t, messages, chat, deep).report, [])
})

t.test("[FMT-4] what the table does not judge is the upstream's to judge", async (t) => {
  const odd = [
    { logprobs: 'true' },
    { top_logprobs: 30 },
    { parallel_tool_calls: 'no' },
    { metadata: 'x' },
    { response_format: {} },
    { seed: 1e20 },
    { stream: true, stream_options: { include_usage: 1 } },
  ]
  for (const fields of odd) {
    const body = { ...hi.chat, ...fields }
    chat.check(body)
    // Read by nobody here.
    if ('seed' in fields || 'stream' in fields || 'top_logprobs' in fields) continue
    const { refuse, report } = messages.unsupportedFields(chat.decodeRequest(body))
    t.ok([...refuse, ...report].includes(Object.keys(fields)[0]!), 'named where it is lost')
  }
  const options = { include_usage: 1 }
  const streamed = { ...hi.chat, stream: true, stream_options: options }
  t.equal(chat.requestUsage(streamed).stream_options, options)
})

t.test('[FMT-9] stream options go out with a stream only', async (t) => {
  for (const from of [messages, generative, responses]) {
    const { wire } = converted(t, from, chat, hi[from.name])
    t.equal(wire.stream_options, undefined)
    const streamed = converted(t, from, chat, { ...hi[from.name], stream: true })
    t.strictSame(streamed.wire.stream_options, { include_usage: true })
  }
})

t.test('[FMT-9] what is stated of tools goes out with tools only', async (t) => {
  const idle = [
    [responses, { ...hi.responses, tool_choice: 'auto', parallel_tool_calls: true }],
    [generative, { ...hi.generative, toolConfig: { functionCallingConfig: { mode: 'AUTO' } } }],
    [messages, { ...hi.messages, tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
    [chat, { ...hi.chat, tool_choice: 'none', parallel_tool_calls: false }],
  ] as const
  for (const [from, body] of idle) {
    for (const to of [chat, messages, generative, responses]) {
      if (from !== to) converted(t, from, to, body)
    }
  }
  const forced = chat.decodeRequest({ ...hi.chat, tool_choice: 'required' })
  for (const to of [messages, generative, responses]) {
    t.strictSame(to.unsupportedFields(forced).refuse, ['toolChoice'], to.name)
  }
})

t.test('[FMT-9] a schema is closed for a messages upstream, and that is reported', async (t) => {
  const schema = {
    type: 'object',
    properties: {
      age: { type: 'integer', minimum: 0, description: 'In years.' },
      home: { anyOf: [{ type: 'object', properties: {} }, { type: 'null' }] },
      tags: { type: 'array', items: { $ref: '#/$defs/tag' }, minItems: 1 },
    },
    $defs: { tag: { type: 'object', properties: {}, additionalProperties: { type: 'string' } } },
  }
  const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } }
  const { wire, report } = converted(t, chat, messages, { ...hi.chat, response_format })
  t.strictSame(report, ['output.schema', 'output.name'])
  t.strictSame(wire.output_config, {
    format: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: {
          age: { type: 'integer', description: 'In years.\n\n{minimum: 0}' },
          home: {
            anyOf: [
              { type: 'object', properties: {}, additionalProperties: false },
              { type: 'null' },
            ],
          },
          tags: schema.properties.tags,
        },
        $defs: { tag: { type: 'object', properties: {}, additionalProperties: false } },
        additionalProperties: false,
      },
    },
  })
})

t.test('[FMT-9] a wish to think without a measure switches thinking on', async (t) => {
  const adaptive = { ...hi.messages, max_tokens: 9000, thinking: { type: 'adaptive' } }
  const dynamic = (thinkingConfig: JsonObject) => ({
    ...hi.generative,
    generationConfig: { thinkingConfig },
  })
  const summary = { effort: 'medium', summary: 'auto' }
  const budget = { type: 'enabled', budget_tokens: 2048 }
  const table = [
    [messages, adaptive, chat, 'reasoning_effort', 'medium'],
    [messages, adaptive, responses, 'reasoning', summary],
    [generative, dynamic({ includeThoughts: true }), chat, 'reasoning_effort', 'medium'],
    [generative, dynamic({ includeThoughts: true }), responses, 'reasoning', summary],
    [generative, dynamic({ includeThoughts: true }), messages, 'thinking', budget],
    [generative, dynamic({ thinkingBudget: -1 }), responses, 'reasoning', { effort: 'medium' }],
    [generative, dynamic({ thinkingBudget: -1 }), messages, 'thinking', budget],
    [
      chat,
      { ...hi.chat, reasoning_effort: 'low' },
      responses,
      'reasoning',
      { ...summary, effort: 'low' },
    ],
  ] as const
  for (const [from, body, to, field, value] of table) {
    const { wire, report } = converted(t, from, to, body)
    t.strictSame(wire[field], value, `${from.name} to ${to.name}`)
    t.strictSame(report, [], 'what went out is not reported as lost')
  }
  const { wire } = converted(t, messages, generative, adaptive, 'gemini-2.5-pro')
  t.strictSame(wire.generationConfig, {
    maxOutputTokens: 9000,
    thinkingConfig: { thinkingBudget: -1, includeThoughts: true },
  })
  const hidden = { ...adaptive, thinking: { type: 'adaptive', display: 'omitted' } }
  t.strictSame(converted(t, messages, responses, hidden).wire.reasoning, { effort: 'medium' })
})

t.test(
  '[FMT-6] a limit below what a responses upstream takes is raised and reported',
  async (t) => {
    const { wire, report } = converted(t, chat, responses, { ...hi.chat, max_tokens: 1 })
    t.equal(wire.max_output_tokens, 16)
    t.strictSame(report, ['limit'])
    t.strictSame(converted(t, chat, responses, { ...hi.chat, max_tokens: 16 }).report, [])
  },
)

t.test('[FMT-9] tools a conversation used are declared to a messages upstream', async (t) => {
  const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } }
  const conversation = [
    ...hi.chat.messages,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'a', content: 'seen' },
  ]
  const { wire } = converted(t, chat, messages, { model: 'm', messages: conversation })
  t.match(wire.tools, [{ name: 'look', input_schema: { type: 'object' } }])
  t.strictSame(wire.tool_choice, { type: 'none' }, 'none is offered to be called')
})

t.test('[FMT-9] an effort the model does not know becomes the nearest it knows', async (t) => {
  const table = [
    ['gpt-5.6', 'max', 'max'],
    ['openai/gpt-5.5', 'max', 'xhigh'],
    ['gpt-5.1-codex-max', 'max', 'xhigh'],
    ['gpt-5.1', 'max', 'high'],
    ['gpt-5-mini', 'none', 'minimal'],
    ['gpt-5.4', 'minimal', 'low'],
    ['o3', 'xhigh', 'high'],
    ['some-model', 'max', 'high'],
    ['deepseek-chat', 'max', 'max'],
  ] as const
  for (const [model, effort, known] of table) {
    const call = { ...chat.decodeRequest({ ...hi.chat, reasoning_effort: effort }), model }
    t.equal(chat.encodeRequest(call).reasoning_effort, known, `${effort} at ${model}`)
    const report = known === effort ? [] : ['reasoning.effort']
    t.strictSame(chat.unsupportedFields(call).report, report)
    t.match(responses.encodeRequest(call).reasoning, { effort: known })
  }
})

t.test('[FMT-9] fields that chat and responses have alike pass between them', async (t) => {
  const alike = { prompt_cache_key: 'k', store: true, safety_identifier: 's' }
  const there = converted(t, chat, responses, { ...hi.chat, ...alike, verbosity: 'low' })
  t.match(there.wire, { ...alike, text: { verbosity: 'low' } })
  t.strictSame(there.report, [])
  const back = converted(t, responses, chat, {
    ...hi.responses,
    ...alike,
    text: { verbosity: 'low' },
  })
  t.match(back.wire, { ...alike, verbosity: 'low' })
  t.strictSame(back.report, [])
})

t.test('[FMT-9] of five stop words a chat upstream gets four, and that is reported', async (t) => {
  const stop_sequences = ['1', '2', '3', '4', '5']
  const { wire, report } = converted(t, messages, chat, { ...hi.messages, stop_sequences })
  t.strictSame(wire.stop, ['1', '2', '3', '4'])
  t.strictSame(report, ['sampling.stop'])
})

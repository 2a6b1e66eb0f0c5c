/**
 * A messages client served by a responses upstream, and a responses client served by a messages upstream: what goes
 * out and what comes back, as the JSON both sides see.
 */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import messagesFormat from '../../../../plugins/formats/messages/index.js'
import { body, stream } from './recorded.js'
import { decode, encode, outputOf, responseOf, format as responses } from './wire.js'

const messages = messagesFormat()

function toResponses(request: JsonObject) {
  messages.check(request)
  const call = messages.decodeRequest(request)
  return { wire: responses.encodeRequest(call), lost: responses.unsupportedFields(call) }
}

function toMessages(request: JsonObject) {
  responses.check(request)
  const call = responses.decodeRequest(request)
  return { wire: messages.encodeRequest(call), lost: messages.unsupportedFields(call) }
}

const nothing = { refuse: [], report: [] }
const png = { type: 'base64', media_type: 'image/png', data: 'aGk=' }

t.test('[FMT-9] a messages request goes out as a responses request', async (t) => {
  const { wire, lost } = toResponses({
    model: 'gpt-5.1',
    max_tokens: 100,
    system: [
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } },
    ],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', source: png },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hi' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I will.' },
          { type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [
              { type: 'text', text: 'Seen.' },
              { type: 'image', source: png },
            ],
          },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 4000 },
    output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    metadata: { user_id: 'u' },
    stream: true,
  })
  t.strictSame(lost, { refuse: [], report: ['reasoning.budget', 'cache'] })
  t.strictSame(wire, {
    model: 'gpt-5.1',
    instructions: 'Be brief.\n\nBe kind.',
    input: [
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
          {
            type: 'input_file',
            filename: 'document.txt',
            file_data: 'data:text/plain;base64,aGk=',
          },
        ],
      },
      { type: 'message', role: 'assistant', content: 'I will.' },
      { type: 'function_call', call_id: 'toolu_1', name: 'look', arguments: '{"a":1}' },
      {
        type: 'function_call_output',
        call_id: 'toolu_1',
        output: [
          { type: 'input_text', text: 'Seen.' },
          { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
        ],
      },
      { type: 'message', role: 'user', content: 'And?' },
    ],
    tools: [{ type: 'function', parameters: { type: 'object' }, strict: false, name: 'look' }],
    tool_choice: 'required',
    parallel_tool_calls: false,
    max_output_tokens: 100,
    include: ['reasoning.encrypted_content'],
    text: { format: { type: 'json_schema', name: 'answer', schema: { type: 'object' } } },
    reasoning: { effort: 'medium', summary: 'auto' },
    user: 'u',
    store: false,
    stream: true,
  })
})

t.test('[FMT-9] what a responses upstream cannot say of messages is named', async (t) => {
  const least = { model: 'm', max_tokens: 16, messages: [{ role: 'user', content: 'Hi' }] }
  const rows = [
    [{ max_tokens: 1 }, [], ['limit']],
    [{ stop_sequences: ['END'] }, ['sampling.stop'], []],
    [{ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, [], ['tools.web_search']],
    [{ mcp_servers: [] }, ['mcp_servers'], []],
    [{ container: 'c' }, ['container'], []],
    [{ thread: { create: {} } }, ['thread'], []],
    [{ top_k: 4 }, [], ['sampling.topK']],
    [{ thinking: { type: 'disabled' } }, [], ['reasoning.off']],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }, [], []],
    [{ service_tier: 'auto' }, [], ['service_tier']],
  ] as const
  for (const [fields, refuse, report] of rows) {
    t.strictSame(
      toResponses({ ...least, ...fields }).lost,
      { refuse, report },
      JSON.stringify(fields),
    )
  }
})

function messagesReply(name: string): JsonObject {
  return messages.encodeReply(responses.decodeReply(body(name)), { model: 'asked' }) as JsonObject
}

t.test('[FMT-9] every kind of answer reaches a messages client', async (t) => {
  t.match(messagesReply('text'), {
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: /^Grüße/ }],
    usage: {
      input_tokens: 12,
      cache_read_input_tokens: 2048,
      cache_creation_input_tokens: 300,
      output_tokens: 27,
    },
  })
  t.match(messagesReply('tools'), {
    stop_reason: 'tool_use',
    content: [
      { type: 'thinking', thinking: '', signature: 'waybill.responses.id:rs_tools.gAAAAABenc==' },
      { type: 'text', text: 'I will look up both.' },
      { type: 'tool_use', id: 'call_one', name: 'get_weather', input: { city: 'München' } },
      { type: 'tool_use', id: 'call_two', name: 'get_time', input: {} },
    ],
    usage: { output_tokens_details: { thinking_tokens: 41 } },
  })
  t.match(messagesReply('incomplete'), { stop_reason: 'max_tokens' })
  t.match(messagesReply('refusal'), { content: [{ text: "I can't help with that." }] })
  t.match(messagesReply('web-search'), { usage: { server_tool_use: { web_search_requests: 1 } } })
})

t.test('[FMT-9] sealed reasoning comes home from a messages client', async (t) => {
  const { content } = messagesReply('tools')
  const results = ['call_one', 'call_two'].map((tool_use_id) => ({
    type: 'tool_result',
    tool_use_id,
    content: 'x',
  }))
  const { wire, lost } = toResponses({
    model: 'm',
    max_tokens: 50,
    messages: [
      { role: 'user', content: 'Look up.' },
      { role: 'assistant', content: content! },
      { role: 'user', content: results },
    ],
  })
  t.strictSame(lost, nothing)
  t.match(wire.input, [
    {},
    { type: 'reasoning', id: 'rs_tools', summary: [], encrypted_content: 'gAAAAABenc==' },
    { type: 'message', role: 'assistant', content: 'I will look up both.' },
    { type: 'function_call', call_id: 'call_one', arguments: '{"city":"München"}' },
    { type: 'function_call', call_id: 'call_two' },
    { type: 'function_call_output', call_id: 'call_one' },
    { type: 'function_call_output', call_id: 'call_two' },
  ])
})

t.test('[FMT-9] a responses request goes out as a messages request', async (t) => {
  const { wire, lost } = toMessages({
    model: 'claude-sonnet-4-5',
    instructions: 'Be brief.',
    input: [
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Look.' },
          { type: 'input_image', image_url: 'https://a.example/a.png' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
        ],
      },
      { role: 'assistant', content: 'I will.' },
      { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"a":1}' },
      {
        type: 'function_call_output',
        call_id: 'call_1',
        output: [{ type: 'input_image', image_url: 'data:image/png;base64,aGk=' }],
      },
      { role: 'user', content: 'And?' },
    ],
    tools: [
      { type: 'function', name: 'look', description: 'Looks.', parameters: { type: 'object' } },
    ],
    tool_choice: { type: 'function', name: 'look' },
    parallel_tool_calls: false,
    max_output_tokens: 100,
    temperature: 0.5,
    user: 'u',
    stream: true,
  })
  t.strictSame(lost, nothing)
  t.strictSame(wire, {
    model: 'claude-sonnet-4-5',
    max_tokens: 100,
    system: 'Be brief.',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look.' },
          { type: 'image', source: { type: 'url', url: 'https://a.example/a.png' } },
          {
            type: 'document',
            source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
            title: 'a.pdf',
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I will.' },
          { type: 'tool_use', id: 'call_1', name: 'look', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'image', source: png }] },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
    tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
    tool_choice: { type: 'tool', name: 'look', disable_parallel_tool_use: true },
    temperature: 0.5,
    metadata: { user_id: 'u' },
    stream: true,
  })
})

t.test(
  '[FMT-9] structure and reasoning are queried of a messages upstream in its words',
  async (t) => {
    const { wire, lost } = toMessages({
      model: 'm',
      input: 'Hello',
      text: { format: { type: 'json_schema', name: 'a', schema: { type: 'object' } } },
      reasoning: { effort: 'medium', summary: 'auto' },
    })
    t.match(wire, {
      thinking: { type: 'enabled', budget_tokens: 2048 },
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    })
    t.strictSame(lost, { refuse: [], report: ['output.schema', 'output.name'] })
  },
)

t.test('[FMT-9] what only this format can say is refused by a messages upstream', async (t) => {
  const least = { model: 'm', input: 'Hello' }
  for (const fields of [
    { previous_response_id: 'resp_1' },
    { conversation: 'conv_1' },
    { prompt: { id: 'pmpt_1' } },
    { background: true },
    { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
    {
      input: [
        { role: 'user', content: 'x' },
        { type: 'item_reference', id: 'msg_1' },
      ],
    },
  ]) {
    t.ok(toMessages({ ...least, ...fields }).lost.refuse.length > 0, JSON.stringify(fields))
  }
})

function messagesStream(name: string): Event[] {
  const decoder = messages.decodeStream()
  const bytes = readFileSync(new URL(`../../../fixtures/messages/${name}.sse`, import.meta.url))
  return [...decoder.push(bytes), ...decoder.flush()]
}

function messagesBody(name: string): JsonObject {
  const file = new URL(`../../../fixtures/messages/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

t.test('[FMT-9] every kind of answer reaches a responses client', async (t) => {
  const text = responseOf(encode(messagesStream('text')).at(-1))
  t.match(text, {
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text: /^Grüße aus/ }] }],
    usage: {
      // input, cache read and cache write together: 12 + 2048 + 300
      input_tokens: 2360,
      input_tokens_details: { cached_tokens: 2048, cache_write_tokens: 300 },
      output_tokens: 27,
      total_tokens: 2387,
    },
  })
  t.match(outputOf(encode(messagesStream('tools'))), [
    { type: 'message', content: [{ text: 'I will look up both.' }] },
    { type: 'function_call', call_id: 'toolu_01A', arguments: '{"city": "München", "days": 2}' },
    { type: 'function_call', call_id: 'toolu_01B', arguments: '{}' },
  ])
  t.match(outputOf(encode(messagesStream('web-search'))), [
    {
      type: 'message',
      content: [
        { text: "I'll check." },
        {
          annotations: [{ type: 'url_citation', url: 'https://example.com/1', end_index: 12 }, {}],
        },
      ],
    },
  ])
  t.match(responseOf(encode(messagesStream('refusal')).at(-1)), {
    status: 'incomplete',
    incomplete_details: { reason: 'content_filter' },
  })
  t.match(responseOf(encode(messagesStream('stop-sequence')).at(-1)), { status: 'completed' })
})

t.test('[FMT-9] thinking comes home from a responses client, seal by seal', async (t) => {
  const reply = responses.encodeReply(messages.decodeReply(messagesBody('thinking')), {
    model: 'm',
  })
  const { output, usage } = reply as { output: JsonObject[]; usage: JsonObject }
  t.match(usage, { output_tokens_details: { reasoning_tokens: 98 } })
  const input = [
    { role: 'user', content: 'Multiply.' },
    ...output,
    { role: 'user', content: 'Sure?' },
  ]
  const { wire } = toMessages({ model: 'm', input })
  t.strictSame((wire.messages as JsonObject[])[1]?.content, messagesBody('thinking').content)
  const again = responses.encodeRequest(responses.decodeRequest({ model: 'm', input }))
  t.notMatch(JSON.stringify(again), /EqQBCgIY/, 'and to nobody else')
})

t.test('both formats tell the same answer, streamed or whole', async (t) => {
  for (const name of ['text', 'tools', 'reasoning', 'refusal', 'incomplete']) {
    const streamed = messages.encodeReply(decode(stream(name)), { model: 'm' })
    t.strictSame(streamed, messages.encodeReply(responses.decodeReply(body(name)), { model: 'm' }))
  }
})

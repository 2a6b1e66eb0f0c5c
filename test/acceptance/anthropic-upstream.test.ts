/**
 * A chat client on an Anthropic upstream: what it reads is a chat stream with a tool call, and usage and cache counts
 * are exact. The upstream's frames are written by hand after the maker's streaming documentation.
 */
import OpenAI from 'openai'
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { events, json } from '../kit/upstream.js'

const claude = 'claude-sonnet-4-5'
const gateway = await scriptedGateway(t, { channel: { type: 14, models: claude } })
await gateway.admin.option('CacheRatio', { [claude]: 0.1 })
await gateway.admin.option('CreateCacheRatio', { [claude]: 1.25 })
const { upstream } = gateway
const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })

const frame = (type: string, fields: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`

const usage = {
  input_tokens: 100,
  cache_read_input_tokens: 1000,
  cache_creation_input_tokens: 200,
  cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 0 },
}

const toolStream = [
  frame('message_start', {
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: [],
      model: claude,
      stop_reason: null,
      usage: { ...usage, output_tokens: 1 },
    },
  }),
  frame('ping'),
  frame('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
  frame('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Let me look. ' } }),
  frame('content_block_stop', { index: 0 }),
  frame('content_block_start', {
    index: 1,
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} },
  }),
  frame('content_block_delta', {
    index: 1,
    delta: { type: 'input_json_delta', partial_json: '{"city":' },
  }),
  frame('content_block_delta', {
    index: 1,
    delta: { type: 'input_json_delta', partial_json: '"Oslo"}' },
  }),
  frame('content_block_stop', { index: 1 }),
  frame('message_delta', {
    delta: { stop_reason: 'tool_use', stop_sequence: null },
    usage: { output_tokens: 50 },
  }),
  frame('message_stop'),
]

const tools = [
  {
    type: 'function' as const,
    function: {
      name: 'weather',
      description: 'Tells the weather.',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
]

t.test(
  '[FMT-9] a stream with a tool call, usage and cache counts exact, charged to the unit',
  async (t) => {
    upstream.script(events(...toolStream))
    const before = await gateway.balance()
    const stream = client.chat.completions.stream({
      model: claude,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'What is the weather in Oslo?' },
      ],
      tools,
      stream_options: { include_usage: true },
    })
    const final = await stream.finalChatCompletion()
    const { message, finish_reason } = final.choices[0]!
    t.equal(finish_reason, 'tool_calls')
    t.equal(message.content, 'Let me look. ')
    t.match(message.tool_calls, [
      {
        id: 'toolu_1',
        type: 'function',
        function: { name: 'weather', arguments: '{"city":"Oslo"}' },
      },
    ])
    t.match(final.usage, {
      prompt_tokens: 1300,
      completion_tokens: 50,
      total_tokens: 1350,
      prompt_tokens_details: { cached_tokens: 1000 },
    })
    // 100 + 1000 x 0.1 + 200 x 1.25 + 50 x 4
    t.equal(before - (await gateway.balance()), 650n)

    const sent = upstream.requests.at(-1)!
    t.equal(sent.path, '/v1/messages')
    t.equal(sent.headers['x-api-key'], 'upstream-key')
    t.match(sent.headers['anthropic-version'], /^\d{4}-\d\d-\d\d$/)
    t.match(sent.json, {
      model: claude,
      stream: true,
      max_tokens: Number,
      messages: [{ role: 'user' }],
      tools: [{ name: 'weather', input_schema: { required: ['city'] } }],
    })
    t.match(JSON.stringify(sent.json?.system), 'Be brief.')
  },
)

t.test('[FMT-9] a whole answer and the tool result on its way back', async (t) => {
  upstream.script(
    json(200, {
      id: 'msg_2',
      type: 'message',
      role: 'assistant',
      model: claude,
      content: [{ type: 'text', text: 'Sunny.' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { ...usage, output_tokens: 3 },
    }),
  )
  const completion = await client.chat.completions.create({
    model: claude,
    messages: [
      { role: 'user', content: 'What is the weather in Oslo?' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id: 'toolu_1',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"Oslo"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'sunny' },
    ],
    tools,
  })
  t.equal(completion.choices[0]?.message.content, 'Sunny.')
  t.equal(completion.choices[0]?.finish_reason, 'stop')
  const { messages } = upstream.requests.at(-1)!.json as { messages: unknown[] }
  t.match(messages, [
    { role: 'user' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
  ])
})

t.test(
  'what the upstream cannot express is refused by name, before anything is held',
  async (t) => {
    const sent = upstream.requests.length
    const error = await client.chat.completions
      .create({ model: claude, messages: [{ role: 'user', content: 'hi' }], n: 2 })
      .catch((reason) => reason)
    t.equal(error.status, 400)
    t.match(error.message, /choices|n\b/)
    t.equal(upstream.requests.length, sent)
  },
)

t.test('what is cosmetic is named in a header', async (t) => {
  upstream.script(events(...toolStream))
  const { response } = await client.chat.completions
    .create({ model: claude, messages: [{ role: 'user', content: 'hi' }], seed: 7, stream: true })
    .withResponse()
  await response.text().catch(() => '')
  t.match(response.headers.get('x-waybill-lost'), 'seed')
})

t.test(
  'an error event after content reaches the chat client as an error, the delivered part is billed (M14)',
  async (t) => {
    upstream.script(
      events(
        ...toolStream.slice(0, 4),
        frame('error', { error: { type: 'overloaded_error', message: 'Overloaded' } }),
      ),
    )
    const before = await gateway.balance()
    const read = async () => {
      const stream = await client.chat.completions.create({
        model: claude,
        messages: [{ role: 'user', content: 'hi' }],
        stream: true,
      })
      for await (const _ of stream);
    }
    await t.rejects(read())
    t.ok(before - (await gateway.balance()) > 0n)
  },
)

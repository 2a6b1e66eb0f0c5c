/**
 * A chat client served by a messages upstream, and a messages client served by a chat upstream: what goes out and what
 * comes back, as the JSON both sides see.
 */
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import chatFormat from '../../../../plugins/formats/chat/index.js'
import messagesFormat from '../../../../plugins/formats/messages/index.js'
import { body, stream } from './recorded.js'

const chat = chatFormat()
const messages = messagesFormat()

function toMessages(request: JsonObject) {
  chat.check(request)
  const call = chat.decodeRequest(request)
  return { wire: messages.encodeRequest(call), lost: messages.unsupportedFields(call) }
}

/** The chunks a chat client reads, without what stands in each of them; the last is the terminator. */
function chatChunks(events: readonly Event[], wantsUsage = true): (JsonObject | string)[] {
  const encoder = chat.encodeStream({ model: 'asked', wantsUsage })
  const bytes = Buffer.concat([
    ...events.flatMap((event) => encoder.push(event)),
    ...encoder.flush(),
  ])
  const frames = bytes.toString('utf8').split('\n\n')
  return frames
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => frame.slice('data: '.length))
    .map((data) => {
      if (data === '[DONE]') return data
      const { id, object, created, model, ...rest } = JSON.parse(data)
      if (object !== 'chat.completion.chunk' || model !== 'asked') throw new Error(data)
      return rest
    })
}

function eventsOf(name: string): Event[] {
  const decoder = messages.decodeStream()
  return [...decoder.push(stream(name)), ...decoder.flush()]
}

function delta(delta: JsonObject, finish_reason: string | null = null): JsonObject {
  return { choices: [{ index: 0, delta, finish_reason }] }
}

t.test('[FMT-9] a chat request with tools and media goes out as a messages request', async (t) => {
  const { wire, lost } = toMessages({
    model: 'claude-sonnet-4-5',
    max_completion_tokens: 3000,
    max_tokens: 5,
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0,
    parallel_tool_calls: false,
    user: 'u-1',
    stop: 'END',
    messages: [
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' },
          },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
          { id: 'call_2', type: 'function', function: { name: 'look', arguments: '' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'one' },
      { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: 'two' }] },
      { role: 'user', content: 'And now?' },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'look',
          description: 'Looks.',
          parameters: { type: 'object', properties: { a: { type: 'number' } } },
        },
      },
    ],
    tool_choice: 'required',
  })
  t.strictSame(lost, { refuse: [], report: [] })
  t.strictSame(wire, {
    model: 'claude-sonnet-4-5',
    max_tokens: 3000,
    system: 'Be brief.',
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
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
          { type: 'tool_use', id: 'call_1', name: 'look', input: { a: 1 } },
          { type: 'tool_use', id: 'call_2', name: 'look', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'one' },
          { type: 'tool_result', tool_use_id: 'call_2', content: 'two' },
          { type: 'text', text: 'And now?' },
        ],
      },
    ],
    tools: [
      {
        name: 'look',
        description: 'Looks.',
        input_schema: { type: 'object', properties: { a: { type: 'number' } } },
      },
    ],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    temperature: 0,
    stop_sequences: ['END'],
    metadata: { user_id: 'u-1' },
    stream: true,
  })
})

t.test('[FMT-9] what a messages upstream cannot say is refused or reported by name', async (t) => {
  const least = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
  const rows = [
    // chat field                          refused                     reported
    [{}, [], []],
    [{ n: 1 }, [], []],
    [{ n: 2 }, ['sampling.choices'], []],
    [{ logprobs: true }, ['sampling.logprobs'], []],
    [{ logprobs: false }, [], []],
    [{ logit_bias: { 1: 5 } }, ['sampling.logitBias'], []],
    [{ logit_bias: {} }, [], []],
    [{ temperature: 1 }, [], []],
    [{ temperature: 1.1 }, ['sampling.temperature'], []],
    [{ response_format: { type: 'json_object' } }, [], ['output']],
    [{ response_format: { type: 'text' } }, [], []],
    [{ web_search_options: {} }, ['web_search_options'], []],
    [{ seed: 0 }, [], ['sampling.seed']],
    [{ presence_penalty: 0, frequency_penalty: 0 }, [], []],
    [{ presence_penalty: 1 }, [], ['sampling.presencePenalty']],
    [{ service_tier: 'flex', verbosity: 'low' }, [], ['service_tier', 'verbosity']],
    [{ reasoning_effort: 'high', temperature: 0.5 }, [], ['sampling.temperature']],
    [{ reasoning_effort: 'high', max_tokens: 100 }, [], ['reasoning']],
  ] as const
  for (const [fields, refuse, report] of rows) {
    const { lost } = toMessages({ ...least, ...fields })
    t.strictSame(lost, { refuse, report }, JSON.stringify(fields))
  }
})

t.test('[FMT-9] text and cache counts reach a chat client', async (t) => {
  t.strictSame(chatChunks(eventsOf('text')), [
    delta({ role: 'assistant', content: '' }),
    delta({ content: 'Grüße aus' }),
    delta({ content: ' 北京 🚀 — "quoted" \\ and a\nnew line' }),
    delta({ content: '.' }),
    delta({}, 'stop'),
    {
      choices: [],
      usage: {
        // input, cache read and cache write together: 12 + 2048 + 300
        prompt_tokens: 2360,
        completion_tokens: 27,
        total_tokens: 2387,
        prompt_tokens_details: { cached_tokens: 2048, cache_write_tokens: 300, text_tokens: 2360 },
        completion_tokens_details: { text_tokens: 27 },
      },
    },
    '[DONE]',
  ])
  t.notOk(
    chatChunks(eventsOf('text'), false).some((chunk) => JSON.stringify(chunk).includes('prompt')),
  )
})

t.test('[FMT-9] parallel tool calls reach a chat client', async (t) => {
  const tool = (index: number, rest: JsonObject) => delta({ tool_calls: [{ index, ...rest }] })
  const opened = (index: number, id: string, name: string) =>
    tool(index, { id, type: 'function', function: { name, arguments: '' } })
  const input = (index: number, text: string) => tool(index, { function: { arguments: text } })
  t.strictSame(chatChunks(eventsOf('tools')).slice(1, -2), [
    delta({ content: 'I will look up both.' }),
    opened(0, 'toolu_01A', 'get_weather'),
    input(0, '{"city": "Mün'),
    input(0, 'chen", "days": 2}'),
    opened(1, 'toolu_01B', 'get_time'),
    input(1, '{}'),
    delta({}, 'tool_calls'),
  ])
})

t.test(
  '[FMT-9] reasoning reaches a chat client, and its seals come back where they belong',
  async (t) => {
    const reply = chat.encodeReply(messages.decodeReply(body('thinking')), { model: 'asked' })
    const { choices, usage } = reply as { choices: { message: JsonObject }[]; usage: JsonObject }
    const { message } = choices[0]!
    t.match(message, {
      role: 'assistant',
      content: '27 * 453 = 12,231',
      reasoning_content: '27 * 453: first 27 * 400.',
    })
    t.strictSame(usage, {
      prompt_tokens: 25,
      completion_tokens: 131,
      total_tokens: 156,
      prompt_tokens_details: { text_tokens: 25 },
      completion_tokens_details: { reasoning_tokens: 98, text_tokens: 131 },
    })
    const history = [{ role: 'user', content: 'Multiply.' }, message]
    const { wire } = toMessages({
      model: 'm',
      messages: [...history, { role: 'user', content: 'Sure?' }],
    })
    t.strictSame((wire.messages as JsonObject[])[1]?.content, body('thinking').content)
  },
)

t.test('[FMT-9] every end has its word for a chat client', async (t) => {
  const reason = (name: string) => {
    const chunk = chatChunks(eventsOf(name)).at(-3) as { choices: JsonObject[] }
    return chunk.choices[0]?.finish_reason
  }
  t.equal(reason('stop-sequence'), 'stop')
  t.equal(reason('refusal'), 'content_filter')
  t.equal(reason('tools'), 'tool_calls')
})

t.test(
  '[FMT-9] a chat stream with tools side by side reaches a messages client in a row',
  async (t) => {
    const chunk = (rest: JsonObject) =>
      `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'gpt', ...rest })}\n\n`
    const call = (index: number, rest: JsonObject) =>
      chunk(delta({ tool_calls: [{ index, ...rest }] }))
    const named = (index: number) =>
      call(index, {
        id: `call_${index}`,
        type: 'function',
        function: { name: 'look', arguments: '' },
      })
    const input = (index: number, text: string) => call(index, { function: { arguments: text } })
    const wire = [
      chunk(delta({ role: 'assistant', content: '' })),
      chunk(delta({ reasoning_content: 'Hm.' })),
      chunk(delta({ content: 'Two:' })),
      named(0),
      named(1),
      input(1, '{"b":2}'),
      input(0, '{"a":1}'),
      chunk(delta({}, 'tool_calls')),
      chunk({
        choices: [],
        usage: {
          prompt_tokens: 30,
          completion_tokens: 9,
          total_tokens: 39,
          prompt_tokens_details: { cached_tokens: 10 },
        },
      }),
      'data: [DONE]\n\n',
    ].join('')
    const decoder = chat.decodeStream()
    const events = [...decoder.push(Buffer.from(wire)), ...decoder.flush()]
    t.strictSame(messages.encodeReply(events, { model: 'asked' }), {
      id: 'chatcmpl-1',
      type: 'message',
      role: 'assistant',
      model: 'asked',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: '' },
        { type: 'text', text: 'Two:' },
        { type: 'tool_use', id: 'call_0', name: 'look', input: { a: 1 } },
        { type: 'tool_use', id: 'call_1', name: 'look', input: { b: 2 } },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: {
        // what was read from the cache is not input
        input_tokens: 20,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 10,
        output_tokens: 9,
      },
    })
    const encoder = messages.encodeStream({ model: 'asked', wantsUsage: true })
    const message = Buffer.concat(events.flatMap((event) => encoder.push(event))).toString('utf8')
    const order = [...message.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
    t.strictSame(order, [
      'message_start',
      ...Array(4).fill(['content_block_start', 'content_block_delta', 'content_block_stop']).flat(),
      'message_delta',
      'message_stop',
    ])
  },
)

t.test('[FMT-9] a messages request goes out as a chat request', async (t) => {
  const request = {
    model: 'gpt',
    max_tokens: 100,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [
      { role: 'user', content: 'Look.' },
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
          { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Seen.' },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    stop_sequences: ['END'],
    metadata: { user_id: 'u' },
    stream: true,
  }
  messages.check(request)
  const call = messages.decodeRequest(request)
  t.strictSame(chat.unsupportedFields(call), { refuse: [], report: [] })
  t.match(chat.encodeRequest(call), {
    model: 'gpt',
    max_tokens: 100,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: 'I will.',
        tool_calls: [
          { id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'toolu_1', content: 'Seen.' },
      { role: 'user', content: 'And?' },
    ],
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
    tool_choice: 'required',
    parallel_tool_calls: false,
    stop: ['END'],
    user: 'u',
    stream: true,
    stream_options: { include_usage: true },
  })
})

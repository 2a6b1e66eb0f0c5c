/** Canonical calls as messages requests, each against the JSON that must come out. */
import t from 'tap'
import type { Call, Part, Turn } from '../../../../kernel/contract/call.js'
import create from '../../../../plugins/formats/messages/index.js'
import { outputDefault } from '../../../../plugins/formats/messages/thinking.js'

const format = create()

function call(change: Partial<Call> = {}): Call {
  return {
    model: 'm',
    turns: [turn('user', text('Hello'))],
    tools: [],
    stream: false,
    wantsUsage: false,
    sampling: {},
    ...change,
  }
}

function turn(role: Turn['role'], ...parts: Part[]): Turn {
  return { role, parts }
}

function text(value: string): Part {
  return { kind: 'text', text: value }
}

function toolCall(id: string, input: string): Part {
  return { kind: 'toolCall', id, name: 'look', input }
}

function result(callId: string, value: string): Extract<Part, { kind: 'toolResult' }> {
  return { kind: 'toolResult', callId, parts: [text(value)] }
}

const encode = (change: Partial<Call>) => format.encodeRequest(call(change))

t.test('[FMT-5] [FMT-9] a plain call reveals nothing but what the format requires', async (t) => {
  t.strictSame(encode({}), {
    model: 'm',
    max_tokens: 8192,
    messages: [{ role: 'user', content: 'Hello' }],
  })
})

t.test('the output limit is required, and billing reads the one that is sent', async (t) => {
  t.strictSame(format.limits(encode({})), { maxOutput: outputDefault })
  const limited = encode({ limit: { tokens: 0, field: 'max_completion_tokens' } })
  t.equal(limited.max_tokens, 0)
  t.strictSame(format.limits(limited), { maxOutput: 0 })
  t.strictSame(format.limits({}), {})
})

t.test('[FMT-9] instructions stand beside the conversation, roles alternate', async (t) => {
  const { system, messages } = encode({
    turns: [
      turn('system', text('One.')),
      turn('developer', text('Two.')),
      turn('user', text('a')),
      turn('user', text('b')),
      turn('system', text('Three.')),
      turn('assistant', text('c')),
      turn('assistant', text('d')),
      turn('user', text('e')),
    ],
  })
  t.strictSame(system, [
    { type: 'text', text: 'One.' },
    { type: 'text', text: 'Two.' },
    { type: 'text', text: 'Three.' },
  ])
  t.strictSame(messages, [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'c' },
        { type: 'text', text: 'd' },
      ],
    },
    { role: 'user', content: 'e' },
  ])
})

t.test('[FMT-9] the user speaks first, and blank texts are not sent', async (t) => {
  const turns = [
    turn('user', text(' \n')),
    turn('assistant', text('Hi.')),
    turn('user', text('Go')),
  ]
  t.strictSame(encode({ turns }).messages, [
    { role: 'user', content: 'Continue.' },
    { role: 'assistant', content: 'Hi.' },
    { role: 'user', content: 'Go' },
  ])
  t.strictSame(format.unsupportedFields(call({ turns })).report, ['turns.first'])
  t.strictSame(encode({ turns: [turn('system', text('Only this.'))] }), {
    model: 'm',
    max_tokens: 8192,
    system: 'Only this.',
    messages: [{ role: 'user', content: 'Continue.' }],
  })
})

t.test('[FMT-9] parallel tool calls and their results, results first', async (t) => {
  const { messages } = encode({
    turns: [
      turn('user', text('Look.')),
      turn(
        'assistant',
        text('Two at once.'),
        toolCall('call.1', '{"a":1}'),
        toolCall('call_2', ''),
      ),
      turn('user', text('By the way.')),
      turn('tool', result('call.1', 'one')),
      turn('tool', { ...result('call_2', ''), failed: true }),
    ],
  })
  t.strictSame(messages, [
    { role: 'user', content: 'Look.' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Two at once.' },
        { type: 'tool_use', id: 'call_1', name: 'look', input: { a: 1 } },
        { type: 'tool_use', id: 'call_2', name: 'look', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'call_1', content: 'one' },
        { type: 'tool_result', tool_use_id: 'call_2', is_error: true },
        { type: 'text', text: 'By the way.' },
      ],
    },
  ])
})

t.test('[FMT-9] images, documents and results that hold images', async (t) => {
  const image = {
    kind: 'media',
    type: 'image',
    source: { base64: 'aGk=', mime: 'image/png' },
  } as const
  const { messages } = encode({
    turns: [
      turn(
        'user',
        image,
        { kind: 'media', type: 'image', source: { url: 'https://example.com/a.png' } },
        {
          kind: 'media',
          type: 'file',
          name: 'a.pdf',
          source: { base64: 'aGk=', mime: 'application/pdf' },
        },
        { kind: 'media', type: 'file', source: { base64: 'R3LDvMOfZQ==', mime: 'text/csv' } },
        { kind: 'toolResult', callId: 'c', parts: [text('Seen.'), image] },
      ),
    ],
  })
  const base64Image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'aGk=' },
  }
  t.strictSame(messages, [
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'c',
          content: [{ type: 'text', text: 'Seen.' }, base64Image],
        },
        base64Image,
        { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
        {
          type: 'document',
          source: { type: 'base64', media_type: 'application/pdf', data: 'aGk=' },
          title: 'a.pdf',
        },
        { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Grüße' } },
      ],
    },
  ])
})

t.test('[FMT-9] tools, tool choice, schema, user and stop words', async (t) => {
  const tools = [
    { kind: 'function', name: 'look' },
    {
      kind: 'function',
      name: 'find',
      description: 'Finds.',
      schema: { type: 'object', properties: { q: { type: 'string' } } },
      strict: false,
      cache: { ttl: '1h' },
    },
  ] as const
  t.strictSame(
    encode({
      tools,
      parallelTools: false,
      user: 'u-1',
      stream: true,
      sampling: { temperature: 0, topP: 0.9, topK: 5, stop: ['END'] },
      output: { kind: 'schema', description: 'An answer.', schema: { type: 'object' } },
    }),
    {
      model: 'm',
      max_tokens: 8192,
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [
        { name: 'look', input_schema: { type: 'object', properties: {} } },
        {
          name: 'find',
          description: 'Finds.',
          input_schema: { type: 'object', properties: { q: { type: 'string' } } },
          strict: false,
          cache_control: { type: 'ephemeral', ttl: '1h' },
        },
      ],
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
      output_config: {
        format: {
          type: 'json_schema',
          schema: { description: 'An answer.', type: 'object', additionalProperties: false },
        },
      },
      temperature: 0,
      top_p: 0.9,
      top_k: 5,
      stop_sequences: ['END'],
      metadata: { user_id: 'u-1' },
      stream: true,
    },
  )
})

t.test('every tool choice has its word', async (t) => {
  const tools = [{ kind: 'function', name: 'look' }] as const
  const choice = (change: Partial<Call>) => encode({ tools, ...change }).tool_choice
  t.strictSame(choice({ toolChoice: { kind: 'auto' } }), { type: 'auto' })
  t.strictSame(choice({ toolChoice: { kind: 'none' }, parallelTools: false }), { type: 'none' })
  t.strictSame(choice({ toolChoice: { kind: 'required' }, parallelTools: false }), {
    type: 'any',
    disable_parallel_tool_use: true,
  })
  t.strictSame(choice({ toolChoice: { kind: 'named', name: 'look' } }), {
    type: 'tool',
    name: 'look',
  })
  t.strictSame(choice({ parallelTools: true }), undefined)
  t.strictSame(choice({ tools: [], toolChoice: { kind: 'none' } }), undefined)
})

t.test('[FMT-9] an effort is a thinking budget the output limit leaves room for', async (t) => {
  const rows = [
    // effort     limit        budget      max_tokens  lost
    ['minimal', undefined, 1024, 8192, []],
    ['low', undefined, 1280, 8192, []],
    ['medium', undefined, 2048, 8192, []],
    ['high', undefined, 4096, 8192, []],
    ['xhigh', undefined, 8192, 12_288, []],
    ['max', undefined, 16_384, 20_480, []],
    ['high', 5000, 4096, 5000, []],
    ['high', 4096, 3276, 4096, ['reasoning.budget']],
    ['high', 1281, 1024, 1281, ['reasoning.budget']],
    ['low', 1024, undefined, 1024, ['reasoning']],
    ['low', 0, undefined, 0, ['reasoning']],
  ] as const
  for (const [effort, tokens, budget, maxTokens, lost] of rows) {
    const limit = tokens === undefined ? undefined : { tokens, field: 'max_tokens' }
    const request = call({ reasoning: { effort }, limit })
    const { thinking, max_tokens } = format.encodeRequest(request)
    const expected = budget && { type: 'enabled', budget_tokens: budget }
    t.strictSame({ thinking, max_tokens }, { thinking: expected, max_tokens: maxTokens }, effort)
    t.strictSame(format.unsupportedFields(request), { refuse: [], report: lost }, effort)
  }
  t.strictSame(encode({ reasoning: { effort: 'none' } }).thinking, { type: 'disabled' })
  t.strictSame(encode({ reasoning: { off: true } }).thinking, { type: 'disabled' })
})

t.test('thinking takes no sampling parameters, and states so', async (t) => {
  const request = call({
    reasoning: { effort: 'low' },
    sampling: { temperature: 1.7, topP: 0.5, topK: 3, stop: ['END'] },
  })
  t.strictSame(format.encodeRequest(request), {
    model: 'm',
    max_tokens: 8192,
    messages: [{ role: 'user', content: 'Hello' }],
    thinking: { type: 'enabled', budget_tokens: 1280 },
    stop_sequences: ['END'],
  })
  t.strictSame(format.unsupportedFields(request), {
    refuse: [],
    report: ['sampling.temperature', 'sampling.topP', 'sampling.topK'],
  })
})

t.test('a tool round goes on thinking only with the thinking it began with', async (t) => {
  const round = (...before: Part[]) =>
    call({
      reasoning: { effort: 'low' },
      turns: [
        turn('user', text('Look.')),
        turn('assistant', ...before, toolCall('a', '{}')),
        turn('tool', result('a', 'seen')),
      ],
    })
  const sealed = (by: 'messages' | 'chat'): Part => ({
    kind: 'reasoning',
    text: 'Hm.',
    seal: { by, value: 'sig' },
  })
  const own = round(sealed('messages'))
  t.strictSame(format.encodeRequest(own).thinking, { type: 'enabled', budget_tokens: 1280 })
  t.match(format.encodeRequest(own).messages, [
    {},
    { content: [{ type: 'thinking', thinking: 'Hm.', signature: 'sig' }, { type: 'tool_use' }] },
  ])
  for (const lost of [round(), round(sealed('chat')), round({ kind: 'reasoning', text: 'Hm.' })]) {
    const wire = format.encodeRequest(lost)
    t.equal(wire.thinking, undefined)
    t.match(wire.messages, [{}, { content: [{ type: 'tool_use' }] }])
    t.ok(format.unsupportedFields(lost).report.includes('reasoning'))
  }
})

t.test('the prompt estimate grows with every kind of content', async (t) => {
  const input = (content: object[]) =>
    format.estimate({ messages: [{ role: 'user', content }] } as never).input ?? 0
  const words = { type: 'text', text: 'The quick brown fox jumps over the lazy dog. '.repeat(10) }
  const plain = input([words])
  t.ok(plain > 90 && plain < 120, `${plain}`)
  const image = {
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'x'.repeat(9e5) },
  }
  t.equal(input([words, image]) - plain, 1600, 'an image by a fixed figure')
  const pages = { type: 'base64', media_type: 'application/pdf', data: 'x'.repeat(400_000) }
  t.ok(input([words, { type: 'document', source: pages }]) - plain >= 8000, 'a document by size')
  t.ok(input([{ type: 'tool_result', content: [words] }]) >= plain)
  t.ok(input([{ type: 'tool_use', input: { a: words.text } }]) >= plain)
  const tools = [{ name: 'a', input_schema: { description: words.text } }]
  t.ok((format.estimate({ messages: [], tools }).input ?? 0) > 90)
  t.ok((format.estimate({ messages: [], system: words.text }).input ?? 0) > 90)
})

t.test('the detail of an image that reveals nothing is no loss', async (t) => {
  const image = (detail: string): Part => ({
    kind: 'media',
    type: 'image',
    source: { url: 'https://example.com/a.png' },
    detail,
  })
  const report = (detail: string) =>
    format.unsupportedFields(call({ turns: [turn('user', image(detail))] })).report
  t.strictSame(report('auto'), [])
  t.strictSame(report('high'), ['media.detail'])
})

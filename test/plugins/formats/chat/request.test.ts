/** Chat requests: what is refused, what billing reads, and the way to the canonical call and back. */
import fc from 'fast-check'
import t from 'tap'
import type { Call } from '../../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../../kernel/contract/json.js'
import create from '../../../../plugins/formats/chat/index.js'

const chat = create()
const user = { role: 'user', content: 'Hi' }
const request = (fields: JsonObject = {}): JsonObject => ({
  model: 'm',
  messages: [user],
  ...fields,
})

t.test('[FMT-4] wrong values are refused and the field is named', async (t) => {
  const fields: readonly (readonly [field: string, ...values: Json[]])[] = [
    [
      'model',
      null,
      5,
      '',
      'a'.repeat(257),
      'a/../b',
      '../b',
      '/b',
      'a//b',
      'a\\b',
      'a?b',
      'a%2e',
      'a\nb',
    ],
    ['model', 'a\u200bb', '\ud800', ['m'], {}],
    ['messages', null, [], {}, 'Hi', 7],
    ['temperature', -0.1, 2.1, '1', true, [], {}],
    ['top_p', -0.1, 1.01, '0.5'],
    ['n', 0, -1, 1.5, 129, '1', 1e9],
    ['stream', 'true', 1, 0, {}],
    ['stream_options', true, [], 'x'],
    ['stop', 5, {}, [1], ['a', null], true],
    ['max_tokens', -1, 1.5, '10', 1e9, 1e18, true],
    ['max_completion_tokens', -1, 0.5, '10', 1e12],
    ['presence_penalty', -2.1, 2.1, '0'],
    ['frequency_penalty', -2.1, 2.1, []],
    ['logit_bias', [], 'x', 1],
    ['user', 5, {}, []],
    ['tools', {}, 'x', [1], [{}], [{ type: 'function' }], [{ type: 'function', function: {} }]],
    ['tool_choice', 5, true, []],
    ['response_format', 'json', []],
    ['seed', 1.5, '1'],
    ['reasoning_effort', 'huge', '', 5, {}],
    ['modalities', 'text', [1], {}],
    ['audio', 'x', []],
  ]
  for (const [field, ...values] of fields) {
    for (const value of values) {
      const body = request({ [field]: value })
      t.throws(
        () => chat.check(body),
        { code: 'invalid_request', status: 400, param: field, message: new RegExp(`^${field} `) },
        `${field}: ${JSON.stringify(value)?.slice(0, 40)}`,
      )
    }
  }
  t.throws(() => chat.check({ messages: [user] }), { code: 'invalid_request', param: 'model' })
  t.throws(() => chat.check({ model: 'm' }), { code: 'invalid_request', param: 'messages' })
})

t.test('[FMT-4] a wrong message is named with its place', async (t) => {
  const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }
  const messages: readonly (readonly [param: string, message: Json])[] = [
    ['messages[1]', 'Hi'],
    ['messages[1]', null],
    ['messages[1].role', { content: 'Hi' }],
    ['messages[1].role', { role: 'robot', content: 'Hi' }],
    ['messages[1].role', { role: 5, content: 'Hi' }],
    ['messages[1].content', { role: 'user' }],
    ['messages[1].content', { role: 'user', content: null }],
    ['messages[1].content', { role: 'system', content: 5 }],
    ['messages[1].content', { role: 'assistant', content: {} }],
    ['messages[1].content[0]', { role: 'user', content: ['Hi'] }],
    ['messages[1].content[0]', { role: 'user', content: [{ text: 'Hi' }] }],
    ['messages[1].content[1].text', { role: 'user', content: [{ type: 'x' }, { type: 'text' }] }],
    ['messages[1].content[0].image_url', { role: 'user', content: [{ type: 'image_url' }] }],
    ['messages[1].content[0].input_audio', { role: 'user', content: [{ type: 'input_audio' }] }],
    ['messages[1].content[0].file', { role: 'user', content: [{ type: 'file', file: 'x' }] }],
    ['messages[1].name', { ...user, name: 5 }],
    ['messages[1].tool_calls', { role: 'assistant', tool_calls: {} }],
    ['messages[1].tool_calls[0]', { role: 'assistant', tool_calls: [{}] }],
    [
      'messages[1].tool_calls[1].function',
      {
        role: 'assistant',
        tool_calls: [call, { ...call, function: { name: 'f', arguments: {} } }],
      },
    ],
    ['messages[1].tool_call_id', { role: 'tool', content: 'x' }],
    ['messages[1].reasoning_content', { role: 'assistant', reasoning_content: [] }],
  ]
  for (const [param, message] of messages) {
    const body = request({ messages: [user, message] })
    t.throws(() => chat.check(body), { code: 'invalid_request', param }, JSON.stringify(message))
  }
})

t.test('[FMT-4] every word and limit of the table is taken', async (t) => {
  const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']
  const taken: readonly JsonObject[] = [
    ...efforts.map((reasoning_effort) => ({ reasoning_effort })),
    { temperature: 0, top_p: 0, n: 1, max_tokens: 0, max_completion_tokens: 0, seed: 0 },
    { temperature: 2, top_p: 1, n: 128, presence_penalty: 2, frequency_penalty: -2 },
    { stop: '' },
    { stop: ['a', ''] },
    { tools: [], logit_bias: {}, stream_options: {}, user: '' },
    { tools: [{ type: 'web_search' }], tool_choice: { type: 'allowed_tools' } },
    { seed: -(2 ** 60), metadata: {}, modalities: [] },
    { temperature: null, n: null, stream: null, stop: null, tools: null, max_tokens: null },
    { model: 'deepseek-ai/DeepSeek-V3:free@latest 汉' },
    { unheard_of: { deeply: [1] }, thinking: 'whatever' },
    { messages: [{ role: 'assistant', content: null, refusal: null }, { role: 'assistant' }] },
    { messages: [{ role: 'user', content: [{ type: 'some_later_kind', x: 1 }] }] },
  ]
  for (const fields of taken) {
    const body = Object.freeze(request(fields))
    t.doesNotThrow(() => chat.check(body), JSON.stringify(fields))
  }
})

t.test('[FMT-6] one precedence of the two limits, for holds and for conversions', async (t) => {
  const table: readonly (readonly [
    older: Json | undefined,
    newer: Json | undefined,
    limit: Call['limit'],
  ])[] = [
    // max_tokens  max_completion_tokens  limit
    [undefined, undefined, undefined],
    [5, undefined, { tokens: 5, field: 'max_tokens' }],
    [0, undefined, { tokens: 0, field: 'max_tokens' }],
    [undefined, 7, { tokens: 7, field: 'max_completion_tokens' }],
    [undefined, 0, { tokens: 0, field: 'max_completion_tokens' }],
    [5, 7, { tokens: 7, field: 'max_completion_tokens' }],
    [0, 7, { tokens: 7, field: 'max_completion_tokens' }],
    [5, 0, { tokens: 5, field: 'max_tokens' }],
    [0, 0, { tokens: 0, field: 'max_tokens' }],
    [null, 7, { tokens: 7, field: 'max_completion_tokens' }],
    [5, null, { tokens: 5, field: 'max_tokens' }],
  ]
  for (const [older, newer, limit] of table) {
    const body = request({ max_tokens: older, max_completion_tokens: newer })
    t.equal(chat.limits(body).maxOutput, limit?.tokens, `${older} ${newer}`)
    t.strictSame(chat.decodeRequest(body).limit, limit)
  }
  t.strictSame(chat.limits(request({ n: 3 })), { choices: 3 })
})

t.test(
  '[FMT-5] explicit zeros, empty strings and false are kept, omitted fields stay out',
  async (t) => {
    const explicit = {
      temperature: 0,
      top_p: 0,
      presence_penalty: 0,
      frequency_penalty: 0,
      seed: 0,
      max_tokens: 0,
      user: '',
      tools: [{ type: 'function', function: { name: 'f' } }],
      parallel_tool_calls: false,
      store: false,
      top_k: 0,
      suffix: '',
      stop: [''],
    }
    const body = request({ ...explicit, messages: [{ role: 'user', content: '' }] })
    t.strictSame(chat.encodeRequest(chat.decodeRequest(body)), body)
    t.strictSame(chat.encodeRequest(chat.decodeRequest(request())), request())
  },
)

const tools = [{ type: 'function', function: { name: 'f' } }]

const samples: readonly JsonObject[] = [
  request({ stream: true, stream_options: { include_usage: true, include_obfuscation: false } }),
  request({ tools, tool_choice: 'auto', n: 2, logprobs: true, top_logprobs: 3, stop: ['a', 'b'] }),
  request({
    tools,
    tool_choice: { type: 'function', function: { name: 'f' } },
    reasoning_effort: 'high',
  }),
  request({
    tool_choice: { type: 'allowed_tools', mode: 'auto' },
    prediction: { type: 'content' },
  }),
  request({ response_format: { type: 'json_object' }, modalities: ['text', 'audio'] }),
  request({
    audio: { voice: 'alloy', format: 'wav' },
    metadata: { a: 'b' },
    logit_bias: { 5: -1 },
  }),
  request({
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'n', description: 'd', schema: { type: 'object' }, strict: true },
    },
  }),
  request({
    tools: [
      {
        type: 'function',
        function: { name: 'f', description: 'd', parameters: { type: 'object' }, strict: false },
      },
      { type: 'function', function: { name: 'g', x_vendor: 1 }, deferred: true },
      { type: 'builtin_function', function: { name: '$web_search' } },
    ],
  }),
  request({
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', name: 'dev', content: 'Be kind.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'https://h.example/a.png', detail: 'low' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
          },
          { type: 'file', file: { file_id: 'file-1' } },
          { type: 'video_url', video_url: { url: 'https://h.example/a.mp4' } },
          { type: 'some_later_kind', payload: [1] },
        ],
      },
      {
        role: 'assistant',
        content: 'Let me look.',
        reasoning_content: 'Hm.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a": 1.0}' } },
          {
            id: 'c2',
            type: 'function',
            function: { name: 'g', arguments: '' },
            extra_content: { vendor: { thought_signature: 'S' } },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'one' },
      {
        role: 'tool',
        tool_call_id: 'c2',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      { role: 'assistant', content: null, refusal: 'No.' },
      { role: 'assistant', content: '', audio: { id: 'audio_1' }, prefix: true },
      { role: 'function', name: 'old', content: 'legacy' },
      { role: 'user', content: 'Go on.' },
    ],
  }),
]

t.test('a request comes back as it was, unknown fields at their level included', async (t) => {
  for (const body of samples) {
    chat.check(body)
    const before = JSON.stringify(body)
    t.strictSame(chat.encodeRequest(chat.decodeRequest(body)), body)
    t.equal(JSON.stringify(body), before, 'the body is left alone')
  }
})

t.test('decoding what was encoded gives the same call', async (t) => {
  const role = fc.constantFrom('system', 'developer', 'user')
  const turn = fc.record({ role, content: fc.string() })
  const answer = fc.record({
    role: fc.constant('assistant'),
    content: fc.string({ minLength: 1 }),
    tool_calls: fc.array(
      fc.record({
        id: fc.string({ minLength: 1 }),
        type: fc.constant('function'),
        function: fc.record({ name: fc.string(), arguments: fc.string() }),
      }),
      { minLength: 1 },
    ),
  })
  const body = fc.record(
    {
      model: fc.string({ minLength: 1 }),
      messages: fc.array(fc.oneof(turn, answer), { minLength: 1 }),
      temperature: fc.double({ min: 0, max: 2, noNaN: true }),
      max_tokens: fc.nat(),
      n: fc.integer({ min: 1, max: 128 }),
      stop: fc.array(fc.string(), { maxLength: 4 }),
      seed: fc.integer(),
      x_unknown: fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null),
    },
    { requiredKeys: ['model', 'messages'] },
  )
  fc.assert(
    fc.property(body, (sent) => {
      const call = chat.decodeRequest(sent as JsonObject)
      const again = chat.encodeRequest(call)
      t.strictSame(JSON.parse(JSON.stringify(again)), JSON.parse(JSON.stringify(sent)))
      t.strictSame(chat.decodeRequest(again), call)
    }),
    { numRuns: 100 },
  )
})

t.test('usage is requested without losing other stream options (M12)', async (t) => {
  t.strictSame(chat.requestUsage(request()).stream_options, { include_usage: true })
  const other = request({ stream_options: { include_usage: null, include_obfuscation: false } })
  t.strictSame(chat.requestUsage(other).stream_options, {
    include_usage: true,
    include_obfuscation: false,
  })
  for (const include_usage of [true, false]) {
    const requested = request({ stream_options: { include_usage } })
    t.equal(chat.requestUsage(requested), requested, `[FMT-5] include_usage: ${include_usage}`)
  }
})

t.test('the prompt estimate sees text, tools and media', async (t) => {
  const input = (fields: JsonObject) => chat.estimate(request(fields)).input ?? 0
  const plain = input({})
  t.ok(plain >= 6 && plain <= 12, String(plain))
  const words = 'several words of text '.repeat(200)
  t.ok(Math.abs(input({ messages: [{ role: 'user', content: words }] }) / 800 - 1) < 0.15)
  const part = (value: JsonObject) => input({ messages: [{ role: 'user', content: [value] }] })
  t.ok(part({ type: 'image_url', image_url: { url: 'https://h.example/a' } }) > 700)
  t.ok(part({ type: 'image_url', image_url: { url: 'x', detail: 'low' } }) < 150)
  t.ok(input({ tools: [{ type: 'function', function: { name: 'f', description: words } }] }) > 700)
  const spoken = { type: 'input_audio', input_audio: { data: 'A'.repeat(64_000), format: 'wav' } }
  t.equal(
    chat.estimate(request({ messages: [{ role: 'user', content: [spoken] }] })).inputAudio,
    15,
  )
})

/** Fields of wrong types: refused by name where a format gives them one, answered or refused where it does not. */
import t from 'tap'
import { clients, hostileGateway, pairs, speak } from './hostile-kit.js'

const gateway = await hostileGateway(t)
const { upstream } = gateway
upstream.takes("what a client of the upstream's own format sends passes as it is")

t.beforeEach(() => {
  upstream.requests.length = 0
  upstream.script(speak)
})

/** Fields by the client that has them: with what no upstream takes, and without a type of their own. */
const wrong: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  chat: {
    model: [undefined, null, '', 7, [], {}, true],
    messages: [undefined, null, 'x', 7, {}, [], [7], [null], [[]], [{}], [{ role: 'user' }]],
    temperature: ['1', -0.1, 2.1, true, [], {}],
    top_p: ['1', -0.1, 1.1, true],
    n: [0, -1, 1.5, '1', 1e9, true],
    stream: ['true', 1, 0, {}],
    stream_options: [true, 'x', []],
    stop: [7, {}, [7], true],
    max_tokens: ['1', -1, 1.5, 1e18, true],
    max_completion_tokens: ['1', -1, 1.5, 1e18, true],
    presence_penalty: ['1', -2.1, 2.1],
    frequency_penalty: ['1', -2.1, 2.1],
    logit_bias: [[], 'x'],
    user: [7, {}, []],
    tools: [{}, 'x', [7], [{}], [{ type: 'function' }], [{ type: 'function', function: {} }]],
    tool_choice: [7, true],
    response_format: ['json', 7, []],
    seed: ['1', 1.5],
    reasoning_effort: ['', 'most', 7],
    modalities: ['text', [7], {}],
    audio: ['x', 7, []],
  },
  messages: {
    model: [undefined, null, '', 7, [], {}, true],
    messages: [
      undefined,
      null,
      'x',
      7,
      {},
      [],
      [7],
      [null],
      [{}],
      [{ role: 'user' }],
      [{ role: 'x', content: '' }],
    ],
    max_tokens: [undefined, null, '5', 0, -1, 1.5, 1e18, true],
    system: [7, {}, [7], [{}], true],
    temperature: ['1', -0.1, 1.1, true],
    top_p: ['1', {}, true],
    top_k: ['1', 1.5, {}],
    stream: ['true', 1, {}],
    stop_sequences: ['x', [7], {}],
  },
  responses: {
    model: [undefined, null, '', 7, [], {}, true],
    input: [undefined, null, 7, {}, [7], [null], [{}], [{ type: 7 }], [{ role: 'user' }]],
    instructions: [7, {}, []],
    max_output_tokens: ['1', -1, 1.5, 1e18],
    temperature: ['1', -0.1, 2.1],
    top_p: ['1', 1.1],
    top_logprobs: [21, -1, '1'],
    tools: [{}, 'x', [7], [{}], [{ type: 'function' }]],
    tool_choice: [7, true],
    parallel_tool_calls: ['true', 1],
    include: ['x', [7]],
    text: ['x', [], { format: 7 }, { format: {} }],
    reasoning: ['x', [], { effort: 'most' }],
    stream: ['true', 1],
    previous_response_id: [7, {}],
  },
  generative: {
    contents: [
      undefined,
      null,
      'x',
      {},
      [],
      [7],
      [{}],
      [{ parts: 'x' }],
      [{ parts: [7] }],
      [{ role: 'x', parts: [] }],
    ],
    systemInstruction: ['x', 7, {}, { parts: 'x' }],
    tools: [{}, 'x', [7]],
    toolConfig: ['x', 7, []],
    generationConfig: [
      'x',
      7,
      [],
      { temperature: 3 },
      { maxOutputTokens: -1 },
      { candidateCount: 0 },
      { candidateCount: 1e6 },
    ],
    safetySettings: [{}, 'x', [7]],
    cachedContent: [7, {}],
  },
}

for (const client of clients) {
  const fields = wrong[client.name] ?? wrong.generative!
  t.test(`[ERR-1] a field of a wrong type is refused to ${client.name} by its name`, async (t) => {
    for (const [field, values] of Object.entries(fields)) {
      for (const value of values) {
        const body = { ...client.body('gpt-4o-mini', false), [field]: value }
        const { status, error } = await gateway.raw(client, JSON.stringify(body))
        const what = `${field}: ${JSON.stringify(value)}`
        t.equal(status, 400, what)
        t.match(error?.param, new RegExp(`^${field}`), what)
        t.match(error, { code: 'invalid_request', message: new RegExp(`^${field}`) }, what)
      }
    }
    t.equal(upstream.requests.length, 0)
  })
}

/** What a field may be found to hold. */
const junk: readonly unknown[] = [
  ...[null, -1, 1.5, '', 'x', true, [], {}, [null], [7], [{}], [{ type: 'x' }], { x: null }],
  ...[[{ name: 'f', input_schema: 7 }], [{ functionDeclarations: 7 }], { type: 'enabled' }],
]

/** Fields without a type of their own, beside those above. */
const untyped: Readonly<Record<string, readonly string[]>> = {
  chat: ['functions', 'prediction', 'store', 'metadata', 'web_search_options', 'thinking'],
  messages: ['tools', 'tool_choice', 'thinking', 'metadata', 'container', 'mcp_servers'],
  responses: ['metadata', 'prompt', 'conversation', 'truncation', 'service_tier', 'store'],
  generative: ['labels', 'system_instruction', 'generation_config', 'tool_config'],
}

/** Bodies that hold something where a piece of the conversation stands. */
const spoken: Readonly<Record<string, (it: unknown) => readonly object[]>> = {
  chat: (it) => [
    { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: it }] }] },
    { messages: [{ role: 'user', content: [{ type: 'file', file: it }] }] },
    { messages: [{ role: 'assistant', tool_calls: it }] },
    { messages: [{ role: 'tool', tool_call_id: 'c', content: it }] },
  ],
  messages: (it) =>
    ['image', 'document', 'tool_result', 'tool_use', 'thinking', 'server_tool_use'].map((type) => ({
      messages: [
        { role: 'assistant', content: [{ type, source: it, content: it, input: it, id: it }] },
      ],
    })),
  responses: (it) => [
    { input: [{ role: 'user', content: [{ type: 'input_image', image_url: it }] }] },
    { input: [{ role: 'user', content: [{ type: 'input_file', file_data: it }] }] },
    { input: [{ type: 'reasoning', summary: it, content: it, id: it }] },
    { input: [{ type: 'function_call_output', call_id: 'c', output: it }] },
  ],
  generative: (it) =>
    ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse', 'thought'].map(
      (kind) => ({
        contents: [{ role: 'model', parts: [{ [kind]: it }] }],
      }),
    ),
}

for (const pair of pairs) {
  const { client, name } = pair
  const table = wrong[client.name]
  if (table === undefined) continue
  t.test(`[ERR-1] whatever a field holds, ${name} gets an answer or a refusal`, async (t) => {
    const fields = [...Object.keys(table), ...untyped[client.name]!].filter(
      (one) => one !== 'model',
    )
    const bodies = junk.flatMap((it) => [
      ...fields.map((field) => ({ [field]: it })),
      ...spoken[client.name]!(it),
    ])
    for (const body of bodies) {
      const answer = await gateway.send(pair, { fields: body })
      const text = await answer.text()
      if (answer.status === 200) continue
      t.equal(answer.status, 400, `${JSON.stringify(body)}: ${text.slice(0, 120)}`)
    }
  })
}

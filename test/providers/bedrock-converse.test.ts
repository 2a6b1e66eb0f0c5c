/** The Converse API: what a call becomes, what cannot be stated, and answers read whole and in pieces alike. */
import t from 'tap'
import type { Call, Part, Turn } from '../../kernel/contract/call.js'
import type { Event } from '../../kernel/contract/event.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import { ownFormUnsupportedFields } from '../../kernel/toolkit/stage/own-form.js'
import { ConverseDecoder } from '../../providers/bedrock/converse/decode.js'
import { schemaToolName } from '../../providers/bedrock/converse/schema-tool.js'
import { readAnswer } from '../conformance/decoded-response.js'
import { joined, usageOf } from '../conformance/events.js'
import { run } from '../conformance/kit.js'
import { adapterFor, channelWith } from './bedrock-adapters.js'
import { body, frames } from './bedrock-recorded.js'

const nova = 'us.amazon.nova-pro-v1:0'
const converse = adapterFor(nova)
const channel = channelWith()

const hello: Turn = { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }

function call(over: Partial<Call> = {}): Call {
  return {
    model: 'meta.llama3-3-70b-instruct-v1:0',
    turns: [hello],
    tools: [],
    stream: false,
    wantsUsage: false,
    sampling: {},
    ...over,
  }
}

function encoded(over: Partial<Call> = {}) {
  const requested = call(over)
  return adapterFor(requested.model).encode!(requested, channel)
}

function unsupported(over: Partial<Call> = {}) {
  const requested = call(over)
  return ownFormUnsupportedFields(adapterFor(requested.model), requested)
}

const user = (...parts: readonly Part[]): Turn => ({ role: 'user', parts })
const assistant = (...parts: readonly Part[]): Turn => ({ role: 'assistant', parts })
const text = (words: string): Part => ({ kind: 'text', text: words })

t.test('[FMT-5] what a call lacks stays out and an explicit 0 goes out', async (t) => {
  t.same(encoded(), { messages: [{ role: 'user', content: [{ text: 'Hello' }] }] })
  const sampling = { temperature: 0, topP: 0, stop: ['END'] }
  t.same(encoded({ sampling, limit: { tokens: 0, field: 'max_tokens' } }).inferenceConfig, {
    maxTokens: 0,
    temperature: 0,
    topP: 0,
    stopSequences: ['END'],
  })
})

t.test('instructions stand aside, roles alternate, the user speaks first', async (t) => {
  const turns: Turn[] = [
    { role: 'system', parts: [text('Be brief.'), text(' ')] },
    assistant(text('Yes?')),
    user(text('One')),
    { role: 'developer', parts: [text('Be kind.')] },
    user(text('Two'), text('')),
    assistant(text('')),
  ]
  t.same(encoded({ turns }), {
    system: [{ text: 'Be brief.' }, { text: 'Be kind.' }],
    messages: [
      { role: 'user', content: [{ text: 'Continue.' }] },
      { role: 'assistant', content: [{ text: 'Yes?' }] },
      { role: 'user', content: [{ text: 'One' }, { text: 'Two' }] },
    ],
  })
})

t.test('media go as bytes under the service’s own names', async (t) => {
  const media = (
    type: 'image' | 'file' | 'video' | 'audio',
    mime: string,
    name?: string,
  ): Part => ({
    kind: 'media',
    type,
    source: { base64: 'AAAA', mime },
    name,
  })
  const parts = [
    media('image', 'image/jpeg'),
    media('file', 'application/pdf', 'Q3: the  report/final.pdf'),
    media('file', 'text/csv; charset=utf-8'),
    media('video', 'video/quicktime'),
    media('audio', 'audio/mpeg'),
  ]
  const bytes = { bytes: 'AAAA' }
  t.same(encoded({ turns: [user(...parts)] }).messages, [
    {
      role: 'user',
      content: [
        { image: { format: 'jpeg', source: bytes } },
        { document: { format: 'pdf', source: bytes, name: 'Q3 the report final pdf' } },
        { document: { format: 'csv', source: bytes, name: 'document' } },
        { video: { format: 'mov', source: bytes } },
        { audio: { format: 'mp3', source: bytes } },
        { text: 'The document is attached.' },
      ],
    },
  ])
})

t.test('no two documents of a request have one name, and none comes without words', async (t) => {
  const file = (name?: string): Part => ({
    ...{ kind: 'media', type: 'file', name },
    source: { base64: 'AAAA', mime: 'application/pdf' },
  })
  const turns = [
    user(text('Read'), file('a.pdf'), file()),
    assistant(text('Yes.')),
    user(file('A (pdf)'), file('a_pdf'), file('x'.repeat(300)), file('x'.repeat(250)), file()),
  ]
  const { messages } = encoded({ turns }) as { messages: { content: object[] }[] }
  const names = messages
    .flatMap(({ content }) => content)
    .flatMap((block) => ('document' in block ? [(block.document as { name: string }).name] : []))
  t.same(names, [
    ...['a pdf', 'document', 'A (pdf)', 'a pdf (2)'],
    ...['x'.repeat(200), `${'x'.repeat(196)} (2)`, 'document (2)'],
  ])
  t.same(messages[2]?.content.at(-1), { text: 'The document is attached.' })
  t.notMatch(messages[0]?.content, [{ text: 'The document is attached.' }])
})

t.test('[FMT-9] what would change the meaning is refused by name', async (t) => {
  const input = { kind: 'toolCall', id: 'a', name: 'b', input: '[1]' } as const
  const url = { kind: 'media', type: 'image', source: { url: 'https://x.example/i.png' } } as const
  const webSearch = { kind: 'server', name: 'web_search', only: {} } as const
  const offered = unsupported({ tools: [webSearch] })
  t.same(offered, { refuse: [], report: ['tools.web_search'] }, 'an optional one is left out')
  const tools: Call['tools'] = [{ kind: 'function', name: 'b' }]
  const rows: [Partial<Call>, string][] = [
    [{ sampling: { choices: 2 } }, 'sampling.choices'],
    [{ sampling: { logprobs: 3 } }, 'sampling.logprobs'],
    [{ sampling: { logitBias: { 5: 1 } } }, 'sampling.logitBias'],
    [{ modalities: ['text', 'audio'] }, 'modalities'],
    [{ audio: { voice: 'x', format: 'mp3' } }, 'audio'],
    [{ output: { kind: 'json' } }, 'output'],
    [{ model: nova, tools: [webSearch], toolChoice: { kind: 'required' } }, 'tools.web_search'],
    [{ turns: [user(url)] }, 'media'],
    [{ turns: [hello, assistant(input)], tools }, 'toolCall.input'],
    [{ turns: [user({ kind: 'opaque', of: 'chat', value: {} })] }, 'opaque'],
    [{ only: { responses: { previous_response_id: 'x' } } }, 'previous_response_id'],
  ]
  for (const [over, field] of rows) {
    t.same(unsupported(over).refuse, [field], field)
  }
  const tuning: Partial<Call> = {
    sampling: { seed: 1, presencePenalty: 1, frequencyPenalty: 1, choices: 1 },
    parallelTools: false,
    user: 'u',
    metadata: { a: 'b' },
    only: { chat: { vendor_thing: 1 } },
    reasoning: { effort: 'high' },
  }
  t.same(encoded(tuning), encoded(), 'tuning is left out')
  t.same(unsupported(tuning), {
    refuse: [],
    report: [
      'reasoning',
      'sampling.seed',
      'sampling.presencePenalty',
      'sampling.frequencyPenalty',
      'user',
      'metadata',
      'vendor_thing',
    ],
  })
  t.same(unsupported(), { refuse: [], report: [] })
})

t.test('cache marks go to the models that take them', async (t) => {
  const marked = (ttl?: string) => user({ kind: 'text', text: 'long', cache: { ttl } })
  const content = (model: string, ttl?: string) => {
    const [first] = encoded({ model, turns: [marked(ttl)] }).messages as { content: unknown[] }[]
    return first?.content
  }
  const plain = { cachePoint: { type: 'default' } }
  t.same(content('us.amazon.nova-pro-v1:0'), [{ text: 'long' }, plain])
  t.same(content('amazon.nova-pro-v1:0', '1h')?.[1], plain, 'an hour is for Claude alone')
  t.same(unsupported({ model: nova, turns: [marked('1h')] }).report, ['cache.ttl'])
  t.same(unsupported({ model: nova, turns: [marked()] }).report, [])
  const router = 'arn:aws:bedrock:us-east-1:123456789012:default-prompt-router/anthropic.claude:1'
  t.same(content(router, '1h')?.[1], { cachePoint: { type: 'default', ttl: '1h' } })
  t.same(content('meta.llama3-1-8b-instruct-v1:0'), [{ text: 'long' }])
  t.same(unsupported({ turns: [marked()] }).report, ['cache'])
})

t.test('a schema for the answer travels as text', async (t) => {
  const schema = { type: 'object', properties: {}, additionalProperties: false }
  const output = { kind: 'schema', name: 'answer', schema } as const
  t.same(encoded({ model: 'qwen.qwen3-32b-v1:0', output }).outputConfig, {
    textFormat: {
      type: 'json_schema',
      structure: { jsonSchema: { schema: JSON.stringify(schema), name: 'answer' } },
    },
  })
  for (const model of ['us.meta.llama4-scout-17b-instruct-v1:0', 'cohere.command-r-v1:0']) {
    t.same(unsupported({ model, output }).refuse, ['output'], model)
  }
})

t.test(
  '[FMT-9] Nova is ordered to call a tool whose input is the answer in a schema',
  async (t) => {
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const output = { kind: 'schema', name: 'answer', schema } as const
    const { toolConfig, outputConfig } = encoded({ model: nova, output })
    t.equal(outputConfig, undefined)
    t.match(toolConfig, {
      tools: [{ toolSpec: { name: schemaToolName, inputSchema: { json: schema } } }],
      toolChoice: { tool: { name: schemaToolName } },
    })
    t.same(unsupported({ model: nova, output }).refuse, [])
    const tools: Call['tools'] = [{ kind: 'function', name: 'look' }]
    t.same(
      unsupported({ model: nova, output, tools }).refuse,
      ['output'],
      'one of two can be called',
    )
    const union = { kind: 'schema', schema: { anyOf: [] } } as const
    t.same(unsupported({ model: nova, output: union }).refuse, ['output'])
    const decoder = new ConverseDecoder()
    const read = (name: string, event: JsonObject) => decoder.decode(name, event)
    const start = { toolUse: { toolUseId: 'a', name: schemaToolName } }
    const events = [
      ...read('messageStart', {}),
      ...read('contentBlockStart', { contentBlockIndex: 0, start }),
      ...read('contentBlockDelta', {
        contentBlockIndex: 0,
        delta: { toolUse: { input: '{"city":' } },
      }),
      ...read('contentBlockDelta', {
        contentBlockIndex: 0,
        delta: { toolUse: { input: '"Bern"}' } },
      }),
      ...read('contentBlockStop', { contentBlockIndex: 0 }),
      ...read('messageStop', { stopReason: 'tool_use' }),
    ]
    t.match(readAnswer(events), { text: '{"city":"Bern"}', tools: [], stops: ['end'] })
  },
)

t.test('reasoning and candidates are stated in the words of each maker', async (t) => {
  const fields = (model: string, over: Partial<Call>) =>
    encoded({ model, ...over }).additionalModelRequestFields
  const effort = (model: string, reasoning: Call['reasoning']) => fields(model, { reasoning })
  t.same(effort('amazon.nova-2-lite-v1:0', { effort: 'low' }), {
    reasoningConfig: { type: 'enabled', maxReasoningEffort: 'low' },
  })
  t.match(effort('amazon.nova-2-lite-v1:0', { effort: 'max' }), {
    reasoningConfig: { maxReasoningEffort: 'medium' },
  })
  t.match(effort('amazon.nova-2-lite-v1:0', { off: true }), {
    reasoningConfig: { type: 'disabled' },
  })
  t.equal(effort('amazon.nova-lite-v1:0', { effort: 'low' }), undefined)
  t.same(effort('openai.gpt-oss-20b-1:0', { budget: 4096 }), { reasoning_effort: 'medium' })
  t.equal(effort('openai.gpt-oss-20b-1:0', { off: true }), undefined)
  const off = { model: 'openai.gpt-oss-20b-1:0', reasoning: { off: true } }
  t.same(unsupported(off).report, ['reasoning'])
  const sampling = { topK: 5 }
  t.same(fields('amazon.nova-lite-v1:0', { sampling }), { inferenceConfig: { topK: 5 } })
  t.same(fields('mistral.mistral-large-2407-v1:0', { sampling }), { top_k: 5 })
  t.equal(fields('meta.llama3-1-8b-instruct-v1:0', { sampling }), undefined)
  t.same(unsupported({ sampling }).report, ['sampling.topK'])
})

function read(bytes: Buffer): Event[] {
  return run(converse.read!(), [bytes])
}

t.test('a whole answer and its stream are the same events', async (t) => {
  for (const name of ['converse-text', 'converse-tools']) {
    const whole = read(Buffer.from(JSON.stringify(body(name))))
    t.same(joined(whole), joined(read(frames(name))), name)
  }
})

t.test('[FMT-9] an answer with reasoning, text, tools and cache counts', async (t) => {
  const events = joined(read(frames('converse-tools')))
  const at = (part: number) => ({ choice: 0, part })
  t.match(events, [
    { type: 'start' },
    { type: 'open', at: at(0), part: { kind: 'reasoning' } },
    { type: 'delta', at: at(0), text: 'Two cities, two calls.' },
    { type: 'close', at: at(0) },
    { type: 'open', at: at(1), part: { kind: 'text' } },
    { type: 'delta', at: at(1), text: 'I will look.' },
    { type: 'close', at: at(1) },
    { type: 'open', at: at(2), part: { kind: 'toolCall', id: 'tooluse_A1', name: 'weather' } },
    { type: 'delta', at: at(2), json: '{"city":"Zürich"}' },
    { type: 'close', at: at(2) },
    { type: 'open', at: at(3), part: { kind: 'toolCall', id: 'tooluse_B2', name: 'now' } },
    { type: 'delta', at: at(3), json: '{}' },
    { type: 'close', at: at(3) },
    { type: 'stop', reason: 'tool', word: 'tool_use' },
    { type: 'usage', final: true },
    { type: 'end' },
  ])
  t.same(usageOf(events), {
    input: 50,
    cacheRead: 300,
    cacheWrite5m: 40,
    cacheWrite1h: 60,
    output: 61,
  })
})

t.test('reasons to stop in canonical words', async (t) => {
  const stopped = (stopReason: string) =>
    read(Buffer.from(JSON.stringify({ output: { message: { content: [] } }, stopReason })))
  const rows = {
    end_turn: 'end',
    max_tokens: 'length',
    stop_sequence: 'stopSequence',
    guardrail_intervened: 'filter',
    content_filtered: 'filter',
    malformed_tool_use: 'malformedTool',
    malformed_model_output: 'other',
    model_context_window_exceeded: 'context',
    constructor: 'other',
  }
  for (const [word, reason] of Object.entries(rows)) {
    t.match(
      stopped(word).find(({ type }) => type === 'stop'),
      { reason, word },
      word,
    )
  }
})

/**
 * A messages client served by a generative upstream, and a generative client served by a messages upstream: what goes
 * out and what comes back, as the JSON both sides see.
 */
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import messagesFormat from '../../../../plugins/formats/messages/index.js'
import * as messagesFixtures from '../messages/recorded.js'
import { body, stream } from './recorded.js'
import { bytesOf, decode, encode, format as generative, hints, partsOf } from './wire.js'

const messages = messagesFormat()
const requested = { model: 'asked', wantsUsage: true }

function toGenerative(request: JsonObject) {
  messages.check(request)
  const call = messages.decodeRequest(request)
  return { wire: generative.encodeRequest(call), lost: generative.unsupportedFields(call) }
}

function toMessages(request: JsonObject) {
  generative.check(request, hints)
  const call = generative.decodeRequest(request, hints)
  return { wire: messages.encodeRequest(call), lost: messages.unsupportedFields(call) }
}

function reply(name: string): JsonObject {
  return messages.encodeReply(generative.decodeReply(body(name)), requested) as JsonObject
}

function messagesEvents(name: string): Event[] {
  const decoder = messages.decodeStream()
  return [...decoder.push(messagesFixtures.stream(name)), ...decoder.flush()]
}

/** What the stream of a messages client adds up to. */
function streamedReply(events: readonly Event[]): JsonObject {
  const encoder = messages.encodeStream(requested)
  const decoder = messages.decodeStream()
  const bytes = [...events.flatMap((event) => encoder.push(event)), ...encoder.flush()]
  const again = [...bytes.flatMap((one) => decoder.push(one)), ...decoder.flush()]
  return messages.encodeReply(again, requested) as JsonObject
}

t.test('[FMT-9] a messages request goes out as a generative request', async (t) => {
  const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }
  const { wire, lost } = toGenerative({
    model: 'gemini-2.5-pro',
    max_tokens: 100,
    system: [{ type: 'text', text: 'Be brief.' }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Look.' }, png] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I will.' },
          { type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: 1 } },
          { type: 'tool_use', id: 'toolu_2', name: 'see', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: [{ type: 'text', text: 'Seen.' }, png],
          },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: 'No.', is_error: true },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
    tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
    tool_choice: { type: 'any' },
    temperature: 1,
    top_k: 5,
    stop_sequences: ['END'],
    thinking: { type: 'enabled', budget_tokens: 2000 },
    stream: true,
  })
  t.strictSame(lost, { refuse: [], report: [] })
  t.strictSame(wire, {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      {
        role: 'user',
        parts: [{ text: 'Look.' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
      },
      {
        role: 'model',
        parts: [
          { text: 'I will.' },
          { functionCall: { id: 'toolu_1', name: 'look', args: { a: 1 } } },
          { functionCall: { id: 'toolu_2', name: 'see', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'toolu_1', name: 'look', response: { output: 'Seen.' } } },
          { functionResponse: { id: 'toolu_2', name: 'see', response: { error: 'No.' } } },
          { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
        ],
      },
      { role: 'user', parts: [{ text: 'And?' }] },
    ],
    tools: [
      {
        functionDeclarations: [
          { name: 'look', description: 'Looks.', parametersJsonSchema: { type: 'object' } },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    generationConfig: {
      temperature: 1,
      topK: 5,
      stopSequences: ['END'],
      maxOutputTokens: 100,
      thinkingConfig: { thinkingBudget: 2000, includeThoughts: true },
    },
  })
})

t.test(
  '[FMT-9] what a generative upstream cannot say is refused or reported by name',
  async (t) => {
    const least = {
      model: 'gemini-3-flash',
      max_tokens: 100,
      messages: [{ role: 'user', content: 'Hello' }],
    }
    const marked = [{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }]
    const webSearch = { type: 'web_search_20250305', name: 'web_search' }
    const rows = [
      [{}, [], []],
      [{ tools: [webSearch] }, [], ['tools.web_search']],
      [{ tools: [webSearch], tool_choice: { type: 'any' } }, ['tools.web_search'], []],
      [{ mcp_servers: [] }, ['mcp_servers'], []],
      [{ system: marked }, [], ['cache']],
      [{ metadata: { user_id: 'u' } }, [], ['user']],
      [{ thinking: { type: 'disabled' } }, [], ['reasoning.off']],
      [{ thinking: { type: 'enabled', budget_tokens: 31_999 } }, [], ['reasoning.budget']],
      [{ service_tier: 'auto' }, [], ['service_tier']],
    ] as const
    for (const [fields, refuse, report] of rows) {
      const { lost } = toGenerative({ ...least, ...fields } as unknown as JsonObject)
      t.strictSame(lost, { refuse, report }, JSON.stringify(fields))
    }
  },
)

t.test('[FMT-9] text, calls and counts reach a messages client', async (t) => {
  t.strictSame(reply('tools'), {
    id: 'tOl1aAbB',
    type: 'message',
    role: 'assistant',
    model: 'asked',
    content: [
      { type: 'text', text: 'I will look up both.' },
      {
        type: 'tool_use',
        id: 'fc_01A',
        name: 'get_weather',
        input: { city: 'München', days: 2 },
      },
      { type: 'tool_use', id: 'fc_01B', name: 'get_time', input: {} },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: 80,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 61,
      output_tokens_details: { thinking_tokens: 31 },
    },
  })
  t.match(reply('thinking').usage, { input_tokens: 12, cache_read_input_tokens: 2048 })
  t.match(reply('image').usage, { input_tokens: 270, output_tokens: 1295 })
})

t.test('[FMT-9] a stream reaches a messages client as its body would', async (t) => {
  for (const name of [
    'text',
    'thinking',
    'tools',
    'tools-without-ids',
    'code',
    'search',
    'safety',
  ]) {
    t.strictSame(streamedReply(decode(stream(name))), reply(name), name)
  }
})

t.test('[FMT-9] thoughts reach a messages client, and the seal comes home', async (t) => {
  const { content } = reply('thinking') as { content: JsonObject[] }
  t.strictSame(content, [
    {
      type: 'thinking',
      thinking: '**Multiplying**\n\n27 * 453: first 27 * 400.',
      signature: '',
    },
    { type: 'text', text: '27 * 453 = 12,231' },
    {
      type: 'thinking',
      thinking: '',
      signature: 'waybill.generative.c2lnbmVkIHRob3VnaHRz',
    },
  ])
  const { wire } = toGenerative({
    model: 'gemini-3-pro',
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'Multiply.' },
      { role: 'assistant', content },
      { role: 'user', content: 'Sure?' },
    ],
  })
  t.strictSame((wire.contents as JsonObject[])[1]?.parts, [
    { text: '27 * 453 = 12,231' },
    { text: '', thoughtSignature: 'c2lnbmVkIHRob3VnaHRz' },
  ])
})

t.test(
  '[FMT-9] the seal of a messages upstream stands on its thought, and goes back with it',
  async (t) => {
    const answer = messages.decodeReply({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [
        { type: 'thinking', thinking: 'First.', signature: 'sig-one' },
        { type: 'thinking', thinking: 'Second.', signature: 'sig-two' },
        { type: 'text', text: 'Done.' },
      ],
      stop_reason: 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    })
    const result = generative.encodeReply(answer, { model: 'asked' }) as JsonObject
    const [candidate] = result.candidates as { content: { parts: JsonObject[] } }[]
    const parts = candidate!.content.parts
    t.same(
      parts.map(({ text, thought }) => [text, thought]),
      [
        ['First.', true],
        ['Second.', true],
        ['Done.', undefined],
      ],
    )
    const { wire } = toMessages({
      contents: [
        { role: 'user', parts: [{ text: 'Go.' }] },
        { role: 'model', parts },
        { role: 'user', parts: [{ text: 'Sure?' }] },
      ],
    })
    t.match((wire.messages as JsonObject[])[1]?.content, [
      { type: 'thinking', thinking: 'First.', signature: 'sig-one' },
      { type: 'thinking', thinking: 'Second.', signature: 'sig-two' },
      { type: 'text', text: 'Done.' },
    ])
  },
)

t.test('[FMT-9] every end has its word for a messages client', async (t) => {
  const rows = [
    ['text', 'end_turn'],
    ['max-tokens', 'max_tokens'],
    ['tools', 'tool_use'],
    ['safety', 'refusal'],
  ] as const
  for (const [name, word] of rows) t.equal(reply(name).stop_reason, word, name)
})

t.test('[FMT-9] a generative request goes out as a messages request', async (t) => {
  const { wire, lost } = toMessages({
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [
      { parts: [{ text: 'Look.' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }] },
      { role: 'model', parts: [{ text: 'I' }] },
      { role: 'model', parts: [{ text: ' will.' }] },
      { role: 'model', parts: [{ functionCall: { name: 'look', args: { a: 1 } } }] },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              name: 'look',
              response: { error: 'No.' },
              parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
            },
          },
          { text: 'And?' },
        ],
      },
    ],
    tools: [
      { functionDeclarations: [{ name: 'look', parameters: { type: 'OBJECT', nullable: false } }] },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['look'] } },
    generationConfig: {
      temperature: 0.5,
      topK: 5,
      maxOutputTokens: 100,
      stopSequences: ['END'],
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
    },
  })
  t.strictSame(lost, { refuse: [], report: ['output.schema'] })
  const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } }
  const [, spoken, answered] = wire.messages as { content: JsonObject[] }[]
  const id = spoken?.content[2]?.id
  t.match(id, /^waybill_[0-9a-f]{24}$/)
  t.strictSame(wire, {
    model: 'gemini-3-flash',
    max_tokens: 100,
    system: 'Be brief.',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Look.' }, png] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I' },
          { type: 'text', text: ' will.' },
          { type: 'tool_use', id, name: 'look', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: id,
            content: [{ type: 'text', text: 'No.' }, png],
            is_error: true,
          },
          { type: 'text', text: 'And?' },
        ],
      },
    ],
    tools: [{ name: 'look', input_schema: { type: 'object' } }],
    tool_choice: { type: 'tool', name: 'look' },
    output_config: {
      format: { type: 'json_schema', schema: { type: 'object', additionalProperties: false } },
    },
    temperature: 0.5,
    top_k: 5,
    stop_sequences: ['END'],
    stream: true,
  })
  t.equal(answered?.content.length, 2)
})

t.test('[FMT-9] what only a generative upstream has is refused or reported by name', async (t) => {
  const least = { contents: [{ parts: [{ text: 'Hello' }] }] }
  const config = (generationConfig: JsonObject) => ({ generationConfig })
  const rows = [
    [{}, [], []],
    [{ cachedContent: 'cachedContents/a' }, ['cachedContent'], []],
    [{ tools: [{ google_search: {} }] }, [], ['tools.googleSearch']],
    [config({ candidateCount: 2 }), ['sampling.choices'], []],
    [config({ responseModalities: ['AUDIO'] }), ['modalities'], []],
    [config({ seed: 1 }), [], ['sampling.seed']],
    [{ safetySettings: [] }, [], ['safetySettings']],
    [config({ mediaResolution: 'X' }), [], ['generationConfig.mediaResolution']],
  ] as const
  for (const [fields, refuse, report] of rows) {
    const { lost } = toMessages({ ...least, ...fields } as unknown as JsonObject)
    t.strictSame(lost, { refuse, report }, JSON.stringify(fields))
  }
})

t.test('[FMT-9] a messages reply reaches a generative client, streamed or whole', async (t) => {
  for (const name of ['text', 'tools', 'thinking', 'web-search', 'stop-sequence', 'refusal']) {
    const whole = generative.encodeReply(
      messages.decodeReply(messagesFixtures.body(name)),
      requested,
    )
    const events = messagesEvents(name)
    t.strictSame(generative.encodeReply(events, requested), whole, name)
    t.strictSame(
      generative.encodeReply(decode(bytesOf(events)), requested),
      whole,
      `${name}, written`,
    )
  }
  t.match(encode(messagesEvents('tools')).flatMap(partsOf), [
    { text: 'I will look up both.' },
    { functionCall: { id: 'toolu_01A', name: 'get_weather', args: { city: 'München', days: 2 } } },
    { functionCall: { id: 'toolu_01B', name: 'get_time', args: {} } },
    { text: '' },
  ])
  t.match(encode(messagesEvents('text')).at(-1)?.usageMetadata, {
    // input, cache read and cache write together: 12 + 2048 + 300
    promptTokenCount: 2360,
    cachedContentTokenCount: 2048,
    candidatesTokenCount: 27,
    totalTokenCount: 2387,
  })
  t.match(encode(messagesEvents('refusal')).at(-1), { candidates: [{ finishReason: 'SAFETY' }] })
})

t.test('[FMT-9] sealed thinking passes a generative client and comes home whole', async (t) => {
  const original = (messagesFixtures.body('thinking').content as JsonObject[])[0]
  const parts = encode(messagesEvents('thinking')).flatMap(partsOf)
  t.ok(parts.filter(({ thought }) => thought === true).length > 1, 'it came in several pieces')
  const contents = [
    { role: 'user', parts: [{ text: 'Multiply.' }] },
    // A client that keeps every chunk as a content of its own.
    ...parts.map((part) => ({ role: 'model', parts: [part] })),
    { role: 'user', parts: [{ text: 'Sure?' }] },
  ]
  const { wire } = toMessages({ contents })
  const [, answer] = wire.messages as { content: JsonObject[] }[]
  t.strictSame(answer?.content[0], original)
})

t.test('[FMT-9] sources of a messages upstream reach a generative client', async (t) => {
  const { candidates } = generative.encodeReply(messagesEvents('web-search'), requested) as {
    candidates: { groundingMetadata?: JsonObject }[]
  }
  t.match(candidates[0]?.groundingMetadata, {
    groundingChunks: [{ web: { uri: /^https:/ } }],
    groundingSupports: [{ segment: { text: /./ }, groundingChunkIndices: [0] }],
  })
})

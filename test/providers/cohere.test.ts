/** Cohere: what a call becomes on the way there, and what its streams and answers become on the way back. */
import t from 'tap'
import type { Call } from '../../kernel/contract/call.js'
import type { Event } from '../../kernel/contract/event.js'
import { ownFormUnsupportedFields } from '../../kernel/toolkit/stage/own-form.js'
import chatFormat from '../../plugins/formats/chat/index.js'
import create from '../../providers/cohere/index.js'
import { usageOf } from '../conformance/events.js'
import { adapterOf } from '../conformance/provider.js'
import { eventsOf, recorded, recordedJson } from './cohere-recorded.js'

const provider = create()
const chat = adapterOf(provider, 'chat')
const channel = { id: 1, type: 34, baseUrl: 'https://api.cohere.ai', settings: {} }
const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: false }

function call(over: object = {}): Call {
  const body = { model: 'command-a', messages: [{ role: 'user', content: 'Hi' }], ...over }
  return chatFormat().decodeRequest(body as never)
}

function encoded(over: object = {}) {
  return chat.encode!(call(over), channel)
}

t.test('the paths are those of the second version, however the base is written', async (t) => {
  for (const baseUrl of [
    'https://api.cohere.ai',
    'https://api.cohere.ai/v2/',
    'https://api.cohere.ai/v1',
  ]) {
    const urls = (['chat', 'embeddings', 'rerank'] as const).map(
      (name) =>
        adapterOf(provider, name).address(
          { kind: 'none' },
          { ...channel, baseUrl },
          { key: 'k' },
          context,
        ).url,
    )
    t.strictSame(
      urls,
      ['chat', 'embed', 'rerank'].map((verb) => `https://api.cohere.ai/v2/${verb}`),
    )
  }
})

t.test('a least call stays least', async (t) => {
  t.strictSame(encoded(), {
    model: 'command-a',
    messages: [{ role: 'user', content: 'Hi' }],
    stream: false,
  })
})

t.test(
  '[FMT-5] explicit zeros are kept and sampling takes the words of this service',
  async (t) => {
    const sent = encoded({
      stream: true,
      max_completion_tokens: 0,
      temperature: 0,
      seed: 0,
      frequency_penalty: 0,
      presence_penalty: 0.5,
      top_p: 0.4,
      stop: 'END',
      safety_mode: 'STRICT',
      documents: [{ data: { text: 'x' } }],
    })
    t.strictSame(sent, {
      model: 'command-a',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      max_tokens: 0,
      temperature: 0,
      p: 0.4,
      seed: 0,
      frequency_penalty: 0,
      presence_penalty: 0.5,
      stop_sequences: ['END'],
      documents: [{ data: { text: 'x' } }],
      safety_mode: 'STRICT',
    })
    t.equal(encoded({ top_p: 1 }).p, 0.99)
    t.equal(encoded({ top_p: 0 }).p, 0.01)
  },
)

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Weather',
    parameters: { type: 'object' },
    strict: true,
  },
}
const now = { type: 'function', function: { name: 'now' } }

t.test('tools and how they are chosen', async (t) => {
  const names = ({ tools }: { tools?: unknown }) =>
    (tools as { function: { name: string } }[]).map((tool) => tool.function.name)
  t.match(encoded({ tools: [weather, now] }), {
    tools: [
      {
        type: 'function',
        function: { name: 'get_weather', description: 'Weather', parameters: { type: 'object' } },
      },
      {
        type: 'function',
        function: { name: 'now', parameters: { type: 'object', properties: {} } },
      },
    ],
    strict_tools: true,
  })
  t.notOk('strict_tools' in encoded({ tools: [now] }))
  t.notOk('tool_choice' in encoded({ tools: [now], tool_choice: 'auto' }))
  t.equal(encoded({ tools: [now], tool_choice: 'required' }).tool_choice, 'REQUIRED')
  t.equal(encoded({ tools: [now], tool_choice: 'none' }).tool_choice, 'NONE')
  const named = encoded({
    tools: [weather, now],
    tool_choice: { type: 'function', function: { name: 'now' } },
  })
  t.equal(named.tool_choice, 'REQUIRED')
  t.strictSame(names(named), ['now'])
})

t.test('a round of tools: the plan, the calls, and each result as a message', async (t) => {
  const { messages } = encoded({
    messages: [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Where is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'I look it up.',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"a":1}' } },
          { id: 'c2', type: 'function', function: { name: 'now', arguments: '' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
      { role: 'tool', tool_call_id: 'c2', content: '' },
      { role: 'assistant', reasoning_content: 'Easy.', content: 'Sunny.' },
      { role: 'user', content: 'Thanks' },
    ],
  })
  t.strictSame(messages, [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Where is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
      ],
    },
    {
      role: 'assistant',
      tool_plan: 'I look it up.',
      tool_calls: [
        { id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"a":1}' } },
        { id: 'c2', type: 'function', function: { name: 'now', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'sunny' },
    { role: 'tool', tool_call_id: 'c2', content: '' },
    { role: 'assistant', content: 'Sunny.' },
    { role: 'user', content: 'Thanks' },
  ])
})

t.test('the shape of the answer, and thinking', async (t) => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } }
  t.strictSame(encoded({ response_format: { type: 'json_object' } }).response_format, {
    type: 'json_object',
  })
  t.strictSame(
    encoded({ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } })
      .response_format,
    { type: 'json_object', json_schema: schema },
  )
  t.strictSame(encoded({ reasoning_effort: 'none' }).thinking, { type: 'disabled' })
  t.strictSame(encoded({ reasoning_effort: 'high' }).thinking, { type: 'enabled' })
  t.strictSame(encoded({ thinking: { type: 'enabled', budget_tokens: 500 } }).thinking, {
    type: 'enabled',
    token_budget: 500,
  })
})

t.test(
  '[FMT-9] what would change the meaning is refused by name, what is cosmetic is reported',
  async (t) => {
    const refuse = (over: object) => ownFormUnsupportedFields(chat, call(over)).refuse
    const report = (over: object) => ownFormUnsupportedFields(chat, call(over)).report
    t.strictSame(refuse({}), [])
    t.strictSame(refuse({ n: 2 }), ['sampling.choices'])
    t.strictSame(refuse({ logprobs: true }), ['sampling.logprobs'])
    t.strictSame(refuse({ logit_bias: { 5: 1 } }), ['sampling.logitBias'])
    t.strictSame(refuse({ modalities: ['text', 'audio'] }), ['modalities'])
    t.strictSame(refuse({ web_search_options: {} }), ['web_search_options'])
    t.strictSame(refuse({ tool_choice: { type: 'function', function: { name: 'x' } } }), [
      'toolChoice',
    ])
    const audio = { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } }
    t.strictSame(refuse({ messages: [{ role: 'user', content: [audio] }] }), ['media'])
    t.strictSame(
      report({ user: 'u', parallel_tool_calls: false, reasoning_effort: 'low', store: true }),
      ['user', 'reasoning.effort', 'store'],
    )
    t.strictSame(report({ safety_mode: 'STRICT', citation_options: { mode: 'OFF' } }), [])
  },
)

function parts(events: readonly Event[]): string[] {
  const kinds: string[] = []
  const results: string[] = []
  for (const event of events) {
    if (event.type === 'open') kinds[event.at.part] = event.part.kind
    if (event.type === 'delta')
      results[event.at.part] = (results[event.at.part] ?? '') + (event.text ?? event.json ?? '')
  }
  return kinds.map((kind, part) => `${kind}: ${results[part] ?? ''}`)
}

t.test('a stream of text, what it cost as billed, and one end', async (t) => {
  const events = eventsOf(recorded('text.sse'))
  t.strictSame(parts(events), ['text: Grüße aus Zürich 🚠'])
  t.strictSame(usageOf(events), { input: 8, output: 11 })
  t.match(events[0], { type: 'start', id: '29f14a5a-11de-4cae-9800-25e4747408ea' })
  t.strictSame(
    events.slice(-3).map(({ type }) => type),
    ['stop', 'usage', 'end'],
  )
})

t.test('plan and tool calls, also without input, streamed or whole', async (t) => {
  const results = [
    'reasoning: I will look up the weather.',
    'toolCall: {"location": "Zürich"}',
    'toolCall: {}',
  ]
  for (const name of ['tools.sse', 'tools.json']) {
    const events = eventsOf(recorded(name))
    t.strictSame(parts(events), results, name)
    t.match(
      events.find(({ type }) => type === 'stop'),
      { reason: 'tool', word: 'TOOL_CALL' },
    )
    t.match(events.filter(({ type }) => type === 'open')[1], {
      part: { kind: 'toolCall', id: 'get_weather_k8q2', name: 'get_weather' },
    })
    t.strictSame(usageOf(events), { input: 37, output: 22 })
  }
})

t.test('thoughts and text, and citations that have an address', async (t) => {
  for (const name of ['citations.sse', 'text.json']) {
    const events = eventsOf(recorded(name))
    t.strictSame(parts(events), ['reasoning: They ask for the capital.', 'text: Bern is it.'], name)
    const cited = events.flatMap((event) =>
      event.type === 'delta' && event.citation ? [event.citation] : [],
    )
    t.strictSame(cited, [
      {
        type: 'url_citation',
        url_citation: {
          start_index: 0,
          end_index: 4,
          url: 'https://example.com/bern',
          title: 'Bern',
        },
      },
    ])
  }
})

t.test('a stream that fails states so and does not end', async (t) => {
  const events = eventsOf(recorded('failed.sse'))
  t.match(events.at(-1), { type: 'failure', failure: { blame: 'upstream', status: 500 } })
  t.notMatch(JSON.stringify(events), /10\.0\.0\.7/)
  for (const bad of ['data: {"message":"nope"}\n\n', 'data: <html>\n\n', '{"message":"nope"}']) {
    t.match(eventsOf(Buffer.from(bad)), [{ type: 'failure' }], bad)
    t.equal(eventsOf(Buffer.from(bad)).length, 1)
  }
  const cut = recorded('text.sse').subarray(0, 400)
  t.notOk(eventsOf(cut).some(({ type }) => type === 'end' || type === 'stop'))
})

t.test('embeddings say what they are for, in texts or in inputs', async (t) => {
  const adapter = adapterOf(provider, 'embeddings')
  const shaped = (value: object, settings = {}) =>
    adapter.shape!({ kind: 'json', value: { model: 'e', ...value } }, { ...channel, settings }, 'e')
  t.strictSame(shaped({ input: 'a', dimensions: 256, user: 'u' }), {
    kind: 'json',
    value: {
      model: 'e',
      input_type: 'search_document',
      embedding_types: ['float'],
      texts: ['a'],
      output_dimension: 256,
    },
  })
  t.match(shaped({ input: ['a'] }, { input_type: 'clustering' }), {
    value: { input_type: 'clustering' },
  })
  t.match(shaped({ input: ['a'], input_type: 'search_query', truncate: 'NONE' }), {
    value: { input_type: 'search_query', truncate: 'NONE' },
  })
  t.match(shaped({ input: ['a', { image: 'data:x' }, { text: 'b' }] }), {
    value: {
      inputs: [
        { content: [{ type: 'text', text: 'a' }] },
        { content: [{ type: 'image_url', image_url: { url: 'data:x' } }] },
        { content: [{ type: 'text', text: 'b' }] },
      ],
    },
  })
  for (const input of [[1, 2], [[1], [2]], [{ audio: 'x' }], [{ text: 'a', image: 'b' }]]) {
    t.throws(() => shaped({ input }), { code: 'not_expressible', param: 'input' })
  }
})

t.test(
  'embeddings: images are counted apart, and nothing billed is nothing reported',
  async (t) => {
    const readResult = (billed_units: object) => {
      const body = { ...recordedJson('embed.json'), meta: { billed_units } }
      const whole = { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) }
      return adapterOf(provider, 'embeddings').answer!(
        whole as never,
        { kind: 'json', value: {} },
        'e',
      )
    }
    t.match(readResult({ input_tokens: 3, image_tokens: 90 }), {
      json: {
        usage: { prompt_tokens: 93, total_tokens: 93, prompt_tokens_details: { image_tokens: 90 } },
      },
    })
    t.notMatch(readResult({ images: 1 }), { json: { usage: {} } })
  },
)

t.test(
  'rerank sends texts: fields as YAML, images and queries of other kinds refused',
  async (t) => {
    const adapter = adapterOf(provider, 'rerank')
    const shaped = (value: object) =>
      adapter.shape!({ kind: 'json', value: { model: 'r', query: 'q', ...value } }, channel, 'r')
    t.strictSame(
      shaped({
        documents: ['a', { text: 'b' }, { title: 'T: 1', text: 'c' }],
        top_n: 2,
        return_documents: true,
        max_chunk_per_doc: 3,
      }),
      {
        kind: 'json',
        value: {
          model: 'r',
          query: 'q',
          documents: ['a', 'b', 'title: "T: 1"\ntext: "c"'],
          top_n: 2,
        },
      },
    )
    t.throws(() => shaped({ documents: [{ image: 'x' }] }), {
      code: 'not_expressible',
      param: 'documents',
    })
    t.throws(() => shaped({ query: { image: 'x' }, documents: ['a'] }), {
      code: 'not_expressible',
      param: 'query',
    })
  },
)

/** Calls of other formats as chat requests: what is written how, what is refused by name, what is only reported. */
import t from 'tap'
import type { Call, Part, Turn } from '../../../../kernel/contract/call.js'
import create from '../../../../plugins/formats/chat/index.js'

const chat = create()

const call = (fields: Partial<Call> = {}): Call => ({
  model: 'm',
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  tools: [],
  stream: false,
  wantsUsage: false,
  sampling: {},
  ...fields,
})

const turns = (...list: readonly Turn[]) => chat.encodeRequest(call({ turns: list })).messages
const contentOf = (...parts: readonly Part[]) => call({ turns: [{ role: 'user', parts }] })

t.test('a turn of tool results becomes tool messages, then the user, media included', async (t) => {
  const image = {
    kind: 'media',
    type: 'image',
    source: { base64: 'AA', mime: 'image/png' },
  } as const
  t.strictSame(
    turns({
      role: 'user',
      parts: [
        { kind: 'text', text: 'And now?' },
        { kind: 'toolResult', callId: 'a', parts: [{ kind: 'text', text: 'one' }] },
        { kind: 'toolResult', callId: 'b', parts: [image], failed: true },
      ],
    }),
    [
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: '' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          { type: 'text', text: 'And now?' },
        ],
      },
    ],
  )
  t.strictSame(turns({ role: 'user', parts: [{ kind: 'toolResult', callId: 'a', parts: [] }] }), [
    { role: 'tool', tool_call_id: 'a', content: '' },
  ])
})

t.test('an assistant turn keeps its reasoning, and seals of others stay behind', async (t) => {
  const seal = { by: 'messages', value: 'S' } as const
  const parts: readonly Part[] = [
    { kind: 'reasoning', text: 'Hm.', seal },
    { kind: 'text', text: 'So' },
    { kind: 'text', text: ' it is.' },
    { kind: 'toolCall', id: 'c', name: 'f', input: '{}', seal },
  ]
  t.strictSame(turns({ role: 'assistant', parts }), [
    {
      role: 'assistant',
      content: 'So it is.',
      reasoning_content: 'Hm.',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
  ])
})

t.test('fields of the canonical call have their chat spelling', async (t) => {
  const written = chat.encodeRequest(
    call({
      stream: true,
      limit: { tokens: 0, field: 'maxOutputTokens' },
      sampling: { temperature: 0, topP: 0.5, stop: ['x'], choices: 2, logprobs: 0 },
      reasoning: { budget: 4000 },
      toolChoice: { kind: 'required' },
      parallelTools: false,
      output: { kind: 'schema', schema: { type: 'object' } },
      tools: [{ kind: 'function', name: 'f', schema: { type: 'object' } }],
    }),
  )
  t.strictSame(written, {
    model: 'm',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
    tool_choice: 'required',
    parallel_tool_calls: false,
    max_tokens: 0,
    stream: true,
    temperature: 0,
    top_p: 0.5,
    n: 2,
    stop: ['x'],
    logprobs: true,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'answer', schema: { type: 'object' } },
    },
    reasoning_effort: 'medium',
  })
})

t.test('what changes the meaning is refused, what is cosmetic is reported', async (t) => {
  const text = { kind: 'text', text: 'Hi' } as const
  const file = { kind: 'media', type: 'file' } as const
  const table: readonly (readonly [call: Call, refuse: string[], report: string[]])[] = [
    [call(), [], []],
    [call({ sampling: { choices: 3, logprobs: 2, seed: 1 } }), [], []],
    [call({ sampling: { topK: 5 } }), [], ['sampling.topK']],
    [call({ reasoning: { effort: 'low', summary: 'auto' } }), [], ['reasoning.summary']],
    [call({ reasoning: { off: true } }), [], ['reasoning.off']],
    [call({ reasoning: { off: true, effort: 'none' } }), [], []],
    [
      call({ only: { responses: { previous_response_id: 'r', truncation: 'auto' } } }),
      ['previous_response_id'],
      ['truncation'],
    ],
    [
      call({ only: { messages: { container: 'c' }, generative: { cachedContent: 'c' } } }),
      ['container', 'cachedContent'],
      [],
    ],
    [call({ only: { chat: { anything: 1 } } }), [], []],
    [
      call({ tools: [{ kind: 'server', name: 'web_search', only: { messages: { type: 'x' } } }] }),
      [],
      ['tools.web_search'],
    ],
    [call({ tools: [{ kind: 'server', name: 'builtin', only: { chat: { type: 'x' } } }] }), [], []],
    [call({ tools: [{ kind: 'function', name: 'f', cache: {} }] }), [], ['cache']],
    [contentOf({ ...text, cache: { ttl: '1h' }, citations: [] }), [], ['cache', 'citations']],
    [contentOf({ ...text, only: { messages: { x: 1 } } }), [], ['parts.x']],
    [contentOf({ kind: 'opaque', of: 'messages', value: {} }), ['opaque'], []],
    [contentOf({ kind: 'opaque', of: 'chat', value: {} }), [], []],
    [
      call({
        turns: [{ role: 'assistant', parts: [{ kind: 'opaque', of: 'messages', value: {} }] }],
      }),
      [],
      ['opaque'],
    ],
    [contentOf({ ...file, source: { id: 'f', of: 'messages' } }), ['media.id'], []],
    [contentOf({ ...file, source: { id: 'f', of: 'chat' } }), [], []],
    [contentOf({ ...file, source: { url: 'https://h.example/a.pdf' } }), ['media.url'], []],
    [
      contentOf({ kind: 'toolResult', callId: 'c', parts: [text], failed: true }),
      [],
      ['toolResult.failed'],
    ],
    [
      contentOf({ kind: 'serverTool', id: 's', name: 'web_search', of: 'messages' }),
      [],
      ['serverTool'],
    ],
  ]
  for (const [request, refuse, report] of table) {
    t.strictSame(chat.unsupportedFields(request), { refuse, report })
  }
})

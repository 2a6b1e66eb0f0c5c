/** Messages requests as canonical calls, each against the call that must come out. */
import t from 'tap'
import create from '../../../../plugins/formats/messages/index.js'

const format = create()

t.test('[FMT-1] a messages request reads as the call it is', async (t) => {
  const decoded = format.decodeRequest({
    model: 'm',
    max_tokens: 5,
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Hi' }],
    thinking: { type: 'enabled', budget_tokens: 2000 },
    tool_choice: { type: 'any', disable_parallel_tool_use: true },
    stream: true,
    metadata: { user_id: 'u', trace: 't' },
    thread: { create: {} },
  })
  t.strictSame(decoded, {
    model: 'm',
    turns: [
      { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
    ],
    tools: [],
    user: 'u',
    toolChoice: { kind: 'required' },
    parallelTools: false,
    limit: { tokens: 5, field: 'max_tokens' },
    stream: true,
    wantsUsage: true,
    sampling: {},
    reasoning: { budget: 2000, shown: true },
    only: { messages: { thread: { create: {} }, metadata: { trace: 't' } } },
  })
})

t.test(
  'the seal of another issuer comes back under its name, and goes to nobody else',
  async (t) => {
    const signature = 'waybill.responses.opaque.value'
    const decoded = format.decodeRequest({
      model: 'm',
      max_tokens: 5,
      messages: [
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.', signature }] },
      ],
    })
    t.match(decoded.turns, [
      { parts: [{ kind: 'reasoning', seal: { by: 'responses', value: 'opaque.value' } }] },
    ])
    t.notMatch(JSON.stringify(format.encodeRequest(decoded)), /opaque/)
  },
)

t.test('thinking nobody sealed has no seal, and is not sent to who would check it', async (t) => {
  const block = { type: 'thinking', thinking: 'Hm.', signature: '' }
  const decoded = format.decodeRequest({
    model: 'm',
    max_tokens: 5,
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [block, { type: 'text', text: 'Ho' }] },
    ],
  })
  t.strictSame(decoded.turns[1]?.parts[0], { kind: 'reasoning', text: 'Hm.' })
  t.match(format.encodeRequest(decoded).messages, [{}, { content: 'Ho' }])
})

t.test('[FMT-9] results of tools are turns of their own, in the order they stand', async (t) => {
  const { turns } = format.decodeRequest({
    model: 'm',
    max_tokens: 5,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'one' },
          { type: 'tool_result', tool_use_id: 'b', is_error: true },
          { type: 'text', text: 'And' },
          { type: 'text', text: 'now?' },
        ],
      },
      { role: 'assistant', content: [{ type: 'thinking', thinking: '', signature: 's' }] },
    ],
  })
  t.strictSame(turns, [
    {
      role: 'tool',
      parts: [{ kind: 'toolResult', callId: 'a', parts: [{ kind: 'text', text: 'one' }] }],
    },
    { role: 'tool', parts: [{ kind: 'toolResult', callId: 'b', parts: [], failed: true }] },
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'And' },
        { kind: 'text', text: 'now?' },
      ],
    },
    {
      role: 'assistant',
      parts: [{ kind: 'reasoning', seal: { by: 'messages', value: 's' } }],
    },
  ])
})

/** Responses requests as canonical calls and back, each against what must come out, and what billing reads of them. */
import t from 'tap'
import type { Call, Turn } from '../../../../kernel/contract/call.js'
import type { Json, JsonObject } from '../../../../kernel/contract/json.js'
import { Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import { format } from './wire.js'

const own = (left: JsonObject = {}) => ({ only: { responses: left } })

function turnsOf(input: Json): readonly Turn[] {
  return format.decodeRequest({ model: 'm', input }).turns
}

t.test('[FMT-9] a responses request reads as the call it is', async (t) => {
  const decoded = format.decodeRequest({
    model: 'm',
    instructions: 'Be brief.',
    input: 'Hi',
    tools: [{ type: 'function', name: 'look', parameters: null, strict: null }],
    tool_choice: 'required',
    parallel_tool_calls: false,
    max_output_tokens: 5,
    top_logprobs: 2,
    include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
    text: { format: { type: 'json_object' }, verbosity: 'low' },
    reasoning: { effort: 'none', summary: 'auto', mode: 'pro' },
    stream: true,
    user: 'u',
    metadata: { trace: 't' },
    store: false,
    previous_response_id: null,
    background: false,
  })
  t.strictSame(decoded, {
    model: 'm',
    turns: [
      { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
    ],
    tools: [{ kind: 'function', name: 'look', ...own() }],
    toolChoice: { kind: 'required' },
    parallelTools: false,
    limit: { tokens: 5, field: 'max_output_tokens' },
    stream: true,
    wantsUsage: true,
    sampling: { logprobs: 2 },
    output: { kind: 'json' },
    reasoning: { effort: 'none', summary: 'auto', off: true },
    user: 'u',
    metadata: { trace: 't' },
    ...own({
      store: false,
      include: ['reasoning.encrypted_content'],
      text: { verbosity: 'low' },
      reasoning: { mode: 'pro' },
    }),
  } satisfies Call)
})

const reasoning = (id: string) => ({ type: 'reasoning', id, summary: [] })
const call = (id: string) => ({ type: 'function_call', call_id: id, name: 'look', arguments: '{}' })
const output = (id: string) => ({ type: 'function_call_output', call_id: id, output: 'seen' })
const contentOf = (content: string) => ({ role: 'assistant', content })

/** Roles and kinds, enough to see what stands together. */
function outline(input: Json): unknown[] {
  return turnsOf(input).map(({ role, parts }) => [role, parts.map(({ kind }) => kind).join(' ')])
}

t.test('[FMT-9] items of one answer are one turn, in the order they stand', async (t) => {
  t.strictSame(
    outline([
      { role: 'user', content: 'Look.' },
      reasoning('rs_1'),
      contentOf('I will.'),
      call('a'),
      reasoning('rs_2'),
      call('b'),
      output('a'),
      output('b'),
      contentOf('Seen.'),
    ]),
    [
      ['user', 'text'],
      ['assistant', 'reasoning text toolCall reasoning toolCall'],
      ['tool', 'toolResult'],
      ['tool', 'toolResult'],
      ['assistant', 'text'],
    ],
  )
  t.strictSame(
    outline([
      reasoning('rs_1'),
      contentOf('One.'),
      reasoning('rs_2'),
      contentOf('Two.'),
      call('a'),
    ]),
    [
      ['assistant', 'reasoning text'],
      ['assistant', 'reasoning text toolCall'],
    ],
    'two messages are two answers',
  )
  t.strictSame(
    outline([contentOf('One.'), call('a'), contentOf('Two.'), output('a')]),
    [
      ['assistant', 'text toolCall text'],
      ['tool', 'toolResult'],
    ],
    'but the result of a call follows its turn',
  )
})

t.test('seals of other issuers go back to them, and the summary is their text', async (t) => {
  const [turn] = turnsOf([
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: 'waybill.generative.opaque.value',
    },
    { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: 'gAAA' },
    {
      type: 'reasoning',
      id: 'rs_3',
      summary: [{ type: 'summary_text', text: 'In short.' }],
      content: [{ type: 'reasoning_text', text: 'At length.' }],
    },
  ])
  t.match(turn?.parts, [
    { text: 'Hm.', seal: { by: 'generative', value: 'opaque.value' } },
    { seal: { by: 'responses', value: 'id:rs_2.gAAA' } },
    { text: 'At length.', summary: 'In short.' },
  ])
})

const plain: Call = {
  model: 'm',
  turns: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  stream: false,
  wantsUsage: false,
  sampling: {},
}

t.test('fields a call lacks stay out, but for what keeps its meaning', async (t) => {
  t.strictSame(format.encodeRequest(plain), {
    model: 'm',
    input: [{ type: 'message', role: 'user', content: 'Hello' }],
    store: false,
  })
  t.strictSame(format.encodeRequest({ ...plain, ...own() }), { model: 'm', input: 'Hello' })
  t.match(format.encodeRequest({ ...plain, limit: { tokens: 0, field: 'max_tokens' } }), {
    max_output_tokens: 16,
  })
})

t.test('instructions are the first system turn, and never all there is', async (t) => {
  const system = { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] } as const
  const image = { kind: 'media', type: 'image', source: { url: 'https://a.example' } } as const
  const encoded = (...turns: Turn[]) => {
    const { instructions, input } = format.encodeRequest({ ...plain, turns })
    return [instructions, (input as JsonObject[]).map(({ role }) => role)]
  }
  const [user] = plain.turns as [Turn]
  t.strictSame(encoded(system, user), ['Be brief.', ['user']])
  t.strictSame(encoded(system, system, user), ['Be brief.', ['system', 'user']])
  t.strictSame(encoded(user, system), [undefined, ['user', 'system']])
  t.strictSame(encoded(system), [undefined, ['system']])
  t.strictSame(encoded({ ...system, parts: [image] }, user), [undefined, ['system', 'user']])
})

t.test('media find their field, files of a kind their name', async (t) => {
  const content = (part: object) => {
    const turns = [{ role: 'user', parts: [{ kind: 'media', ...part }] }] as never
    const [item] = format.encodeRequest({ ...plain, turns }).input as JsonObject[]
    return (item!.content as JsonObject[])[0]
  }
  const base64 = (mime: string) => ({ base64: 'aGk=', mime })
  t.strictSame(content({ type: 'audio', source: base64('audio/mpeg') }), {
    type: 'input_audio',
    input_audio: { data: 'aGk=', format: 'mp3' },
  })
  t.match(content({ type: 'file', source: base64('application/pdf') }), {
    filename: 'document.pdf',
    file_data: 'data:application/pdf;base64,aGk=',
  })
  t.match(content({ type: 'file', name: 'b.csv', source: base64('text/csv') }), {
    filename: 'b.csv',
  })
  t.strictSame(content({ type: 'image', source: { id: 'file_1', of: 'responses' } }), {
    type: 'input_image',
    file_id: 'file_1',
  })
})

t.test('the output limit is read as it is sent', async (t) => {
  t.strictSame(format.limits({ max_output_tokens: 0 }), { maxOutput: 0 })
  t.strictSame(format.limits({ max_output_tokens: 70 }), { maxOutput: 70 })
  t.strictSame(format.limits({}), {})
  const wire = { model: 'm', input: 'x' }
  t.equal(format.requestUsage(wire), wire, 'usage comes unasked')
})

t.test('the prompt estimate grows with every kind of content', async (t) => {
  const words = 'The quick brown fox jumps over the lazy dog. '.repeat(10)
  const input = (...input: object[]) => format.estimate({ input } as never).input ?? 0
  const text = { type: 'input_text', text: words }
  const user = (...content: object[]) => ({ type: 'message', role: 'user', content })
  const least = input(user(text))
  t.ok(least > 90 && least < 120, `${least}`)
  t.ok(Math.abs(input({ role: 'user', content: words }) - least) < 3, 'a string')
  t.ok((format.estimate({ input: words }).input ?? 0) > 90)
  t.ok((format.estimate({ instructions: words, input: '' }).input ?? 0) > 90)
  const image = { type: 'input_image', image_url: 'x'.repeat(9e5) }
  t.equal(input(user(text, image)) - least, 765, 'an image by a fixed figure')
  t.equal(input(user(text, { ...image, detail: 'low' })) - least, 85)
  t.equal(input(user(text, { type: 'input_file', file_data: 'x'.repeat(9e5) })) - least, 2000)
  t.ok(input({ type: 'function_call', call_id: 'a', name: 'a', arguments: words }) > 90)
  t.ok(input({ type: 'function_call_output', call_id: 'a', output: words }) > 90)
  t.ok(input({ type: 'function_call_output', call_id: 'a', output: [text] }) > 90)
  t.ok(input({ type: 'reasoning', summary: [{ text: words }] }) > 90)
  t.ok(input({ type: 'reasoning', summary: [], encrypted_content: words }) < 20)
  const tools = [{ type: 'function', name: 'a', description: words }]
  t.ok((format.estimate({ input: '', tools }).input ?? 0) > 90)
  const schema = { description: words }
  t.ok((format.estimate({ input: '', text: { format: { schema } } }).input ?? 0) > 90)
  const audio = { type: 'input_audio', input_audio: { data: 'x'.repeat(64_000), format: 'wav' } }
  t.equal(format.estimate({ input: [user(audio)] } as never).inputAudio, 15)
})

const junk: readonly Json[] = [null, 0, '', false, [], {}, [null], [[]], [{}], 'x', -1]

t.test('anything in place of an input, a content or an item is read or refused', async (t) => {
  const bodies = junk.flatMap((value): JsonObject[] => [
    { model: 'm', input: value },
    { model: 'm', input: 'x', text: { format: value } },
    { model: 'm', input: 'x', reasoning: value, include: value, instructions: value },
    ...['message', 'reasoning', 'function_call', 'function_call_output', 'constructor'].flatMap(
      (type) =>
        ['content', 'summary', 'output', 'encrypted_content', 'arguments', 'role'].map((field) => ({
          model: 'm',
          input: [{ type, role: 'assistant', [field]: value }],
        })),
    ),
    { model: 'm', input: [{ role: 'user', content: [{ type: 'input_file', file_data: value }] }] },
  ])
  for (const body of bodies) {
    try {
      format.check(body)
    } catch (error) {
      t.ok(error instanceof Refusal, JSON.stringify(body))
    }
    const decoded = format.decodeRequest(body)
    format.encodeRequest(decoded)
    format.unsupportedFields(decoded)
    format.estimate(body)
  }
  t.ok(bodies.length > 300)
})

t.test('anything in place of an output is read or a failure', async (t) => {
  for (const value of junk) {
    const item = { type: 'message', id: value, content: value, summary: value, action: value }
    for (const type of ['message', 'reasoning', 'function_call', 'web_search_call', 'x', value]) {
      const reply = { object: 'response', status: value, usage: value, output: [{ ...item, type }] }
      const events = format.decodeReply(reply)
      t.match(events.at(-1)?.type, /^(end|failure)$/)
      format.encodeReply(events, { model: 'm' })
      format.readReply(reply)
    }
  }
})

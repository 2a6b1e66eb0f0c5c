/** Canonical events as responses streams and bodies, each against what must come out. */
import t from 'tap'
import type { Event, Stop } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { body, results, stream } from './recorded.js'
import { at, decode, encode, format, outputOf, responseOf, shared, typesOf, wire } from './wire.js'

const text = (part: number, ...pieces: string[]): Event[] => [
  { type: 'open', at: at(part), part: { kind: 'text' } },
  ...pieces.map((piece): Event => ({ type: 'delta', at: at(part), text: piece })),
  { type: 'close', at: at(part) },
]

const end: Event = { type: 'end' }

function stop(reason: Stop): Event {
  return { type: 'stop', choice: 0, reason, word: 'x' }
}

t.test(
  '[FMT-10] a text is reported as the format’s clients expect it, and no terminator follows',
  async (t) => {
    const frames = encode([
      { type: 'start', id: 'chatcmpl-1', model: 'gpt', created: 5 },
      ...text(0, 'Hel', 'lo'),
      stop('end'),
      {
        type: 'usage',
        usage: { input: 9, cacheRead: 3, cacheWrite5m: 2, output: 7, reasoning: 2, inputAudio: 1 },
        raw: {},
        final: true,
      },
      end,
    ])
    const begun = responseOf(frames[0])
    t.match(begun.id, /^resp_[0-9a-f]{24}$/)
    const open = { id: begun.id, object: 'response', created_at: 5, model: 'asked' }
    t.match(begun, { ...open, status: 'in_progress', output: [], usage: null })
    const { item_id: id } = frames[3]!
    t.match(id, /^msg_[0-9a-f]{24}$/)
    const place = { item_id: id, output_index: 0, content_index: 0 }
    const part = { type: 'output_text', annotations: [], logprobs: [], text: 'Hello' }
    const head = { id, type: 'message', role: 'assistant' }
    const item = { ...head, status: 'completed', content: [part] }
    t.strictSame(
      frames.slice(1).map(({ sequence_number, ...rest }) => rest),
      [
        { type: 'response.in_progress', response: begun },
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { ...head, status: 'in_progress', content: [] },
        },
        { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
        { type: 'response.output_text.delta', ...place, delta: 'Hel', logprobs: [] },
        { type: 'response.output_text.delta', ...place, delta: 'lo', logprobs: [] },
        { type: 'response.output_text.done', ...place, text: 'Hello', logprobs: [] },
        { type: 'response.content_part.done', ...place, part },
        { type: 'response.output_item.done', output_index: 0, item },
        {
          type: 'response.completed',
          response: {
            ...begun,
            status: 'completed',
            output: [item],
            usage: {
              input_tokens: 15,
              input_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
              output_tokens: 7,
              output_tokens_details: { reasoning_tokens: 2 },
              total_tokens: 22,
            },
          },
        },
      ],
    )
  },
)

t.test('a response has every field a client of the format looks for', async (t) => {
  const reply = format.encodeReply([{ type: 'start' }, ...text(0, 'Hi'), end], { model: 'm' })
  const { id, output, ...rest } = reply as JsonObject
  t.match(id, /^resp_/)
  t.equal((output as JsonObject[]).length, 1)
  t.strictSame(rest, {
    object: 'response',
    created_at: 0,
    status: 'completed',
    model: 'm',
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    truncation: 'disabled',
    usage: null,
  })
})

t.test('[FMT-9] interleaved tool calls are written one item at a time', async (t) => {
  const tool = (part: number): Event => ({
    type: 'open',
    at: at(part),
    part: { kind: 'toolCall', id: `call_${part}`, name: 'look' },
  })
  const json = (part: number, piece: string): Event => ({
    type: 'delta',
    at: at(part),
    json: piece,
  })
  const frames = encode([
    { type: 'start', id: 'chatcmpl-1' },
    tool(0),
    tool(1),
    json(0, '{"a"'),
    json(1, '{"b"'),
    json(0, ':1}'),
    json(1, ':2}'),
    { type: 'close', at: at(0) },
    { type: 'close', at: at(1) },
    stop('tool'),
    end,
  ])
  const order = [
    'output_item.added',
    ...Array(2).fill('function_call_arguments.delta'),
    'function_call_arguments.done',
    'output_item.done',
  ]
  t.strictSame(
    typesOf(frames).slice(2, -1),
    [...order, ...order].map((name) => `response.${name}`),
  )
  const output = outputOf(frames)
  t.match(output, [
    {
      type: 'function_call',
      status: 'completed',
      call_id: 'call_0',
      name: 'look',
      arguments: '{"a":1}',
    },
    {
      type: 'function_call',
      status: 'completed',
      call_id: 'call_1',
      name: 'look',
      arguments: '{"b":2}',
    },
  ])
  t.match(output[0]?.id, /^fc_/)
  t.not(output[0]?.id, output[1]?.id)
  t.match(
    frames.find(({ type }) => type === 'response.function_call_arguments.done'),
    {
      name: 'look',
      arguments: '{"a":1}',
      item_id: output[0]?.id,
    },
  )
})

t.test('ids depend on what is known of the answer alone', async (t) => {
  const events: Event[] = [{ type: 'start', id: 'a' }, ...text(0, 'Hi'), end]
  t.strictSame(encode(events), encode(events))
  const other = encode([{ type: 'start', id: 'b' }, ...text(0, 'Hi'), end])
  t.not(responseOf(other[0]).id, responseOf(encode(events)[0]).id)
  t.not(other[3]?.item_id, encode(events)[3]?.item_id)
})

t.test('neighbouring texts and refusals are one message', async (t) => {
  const frames = encode([
    { type: 'start' },
    ...text(0, 'One.'),
    { type: 'open', at: at(1), part: { kind: 'refusal' } },
    { type: 'delta', at: at(1), text: 'No.' },
    { type: 'close', at: at(1) },
    { type: 'open', at: at(2), part: { kind: 'toolCall', id: 'c', name: 'look' } },
    { type: 'close', at: at(2) },
    ...text(3, 'Two.'),
    end,
  ])
  t.match(outputOf(frames), [
    { type: 'message', content: [{ text: 'One.' }, { type: 'refusal', refusal: 'No.' }] },
    { type: 'function_call', arguments: '' },
    { type: 'message', content: [{ text: 'Two.' }] },
  ])
  t.match(
    frames.filter(({ type }) => String(type).startsWith('response.refusal')),
    [
      { type: 'response.refusal.delta', delta: 'No.', content_index: 1 },
      { type: 'response.refusal.done', refusal: 'No.' },
    ],
  )
})

t.test(
  'reasoning of another format is a summary, its seal is kept under its issuer’s name',
  async (t) => {
    const frames = encode([
      { type: 'start' },
      { type: 'open', at: at(0), part: { kind: 'reasoning' } },
      { type: 'delta', at: at(0), text: 'Let me ' },
      { type: 'delta', at: at(0), text: 'see.' },
      { type: 'delta', at: at(0), seal: 'sig', sealBy: 'messages' },
      { type: 'delta', at: at(0), seal: 'nature', sealBy: 'messages' },
      { type: 'close', at: at(0) },
      ...text(1, 'Hi'),
      end,
    ])
    t.strictSame(
      typesOf(frames).slice(2, 9),
      [
        'output_item.added',
        'reasoning_summary_part.added',
        'reasoning_summary_text.delta',
        'reasoning_summary_text.delta',
        'reasoning_summary_text.done',
        'reasoning_summary_part.done',
        'output_item.done',
      ].map((name) => `response.${name}`),
    )
    t.match(frames[8]?.item, {
      id: /^rs_/,
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'Let me see.' }],
      encrypted_content: 'waybill.messages.signature',
    })
  },
)

t.test('citations of pages are annotations, whoever made them', async (t) => {
  const page = { url: 'https://a.example', title: 'A' }
  const cited = (citation: JsonObject): Event => ({ type: 'delta', at: at(0), citation })
  const frames = encode([
    { type: 'start' },
    { type: 'open', at: at(0), part: { kind: 'text' } },
    cited({ type: 'web_search_result_location', ...page, cited_text: 'x', encrypted_index: 'E' }),
    { type: 'delta', at: at(0), text: 'Sunny.' },
    cited({ type: 'url_citation', url_citation: { start_index: 0, end_index: 3, ...page } }),
    cited({ type: 'char_location', cited_text: 'x' }),
    { type: 'close', at: at(0) },
    end,
  ])
  const annotations = [
    { type: 'url_citation', start_index: 0, end_index: 3, ...page },
    { type: 'url_citation', start_index: 0, end_index: 6, ...page },
  ]
  const added = frames.filter(({ type }) => String(type).endsWith('annotation.added'))
  t.match(added, [
    { annotation_index: 0, annotation: annotations[0] },
    { annotation_index: 1, annotation: annotations[1] },
  ])
  t.match(outputOf(frames), [{ content: [{ annotations }] }])
})

t.test('log-probabilities come with their text, or behind it', async (t) => {
  const hi = { token: 'Hi', logprob: -1 }
  const frames = encode([
    { type: 'start' },
    { type: 'open', at: at(0), part: { kind: 'text' } },
    { type: 'delta', at: at(0), text: 'Hi' },
    { type: 'delta', at: at(0), logprobs: { content: [hi], refusal: null } },
    { type: 'close', at: at(0) },
    end,
  ])
  t.match(frames[5], { type: 'response.output_text.delta', delta: '', logprobs: [hi] })
  t.match(outputOf(frames), [{ content: [{ logprobs: [hi] }] }])
})

t.test('every reason to stop has its status', async (t) => {
  const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  const filtered = { status: 'incomplete', incomplete_details: { reason: 'content_filter' } }
  const whole = { status: 'completed', incomplete_details: null }
  const rows: Readonly<Record<Stop, object>> = {
    end: whole,
    stopSequence: whole,
    length: cut,
    tool: whole,
    refusal: filtered,
    filter: filtered,
    pause: whole,
    context: cut,
    malformedTool: whole,
    other: whole,
  }
  for (const [reason, status] of Object.entries(rows)) {
    const last = encode([{ type: 'start' }, ...text(0, 'x'), stop(reason as Stop), end]).at(-1)!
    const short = status !== whole
    t.equal(last.type, short ? 'response.incomplete' : 'response.completed', reason)
    t.match(last.response, status, reason)
    const item = { status: short ? 'incomplete' : 'completed' }
    t.match(responseOf(last).output, [item], 'the item that broke off states so')
  }
})

t.test('a picture is an item; parts without an item here are left out', async (t) => {
  const frames = encode([
    { type: 'start' },
    { type: 'open', at: at(0), part: { kind: 'media', type: 'image', mime: 'image/png' } },
    { type: 'delta', at: at(0), base64: 'aGk=' },
    { type: 'close', at: at(0) },
    ...text(1, 'One.'),
    { type: 'open', at: at(2), part: { kind: 'media', type: 'audio' } },
    { type: 'delta', at: at(2), base64: 'aGk=', text: 'spoken' },
    { type: 'close', at: at(2) },
    { type: 'open', at: at(3), part: { kind: 'serverTool', id: 's', name: 'x', of: 'messages' } },
    { type: 'delta', at: at(3), json: '{}' },
    { type: 'close', at: at(3) },
    ...text(4, 'Two.'),
    { type: 'open', at: { choice: 1, part: 0 }, part: { kind: 'text' } },
    { type: 'delta', at: { choice: 1, part: 0 }, text: 'another answer' },
    { type: 'close', at: { choice: 1, part: 0 } },
    { type: 'note', of: 'messages', raw: { type: 'ping' } },
    end,
  ])
  t.match(outputOf(frames), [
    { type: 'image_generation_call', status: 'completed', result: 'aGk=' },
    { type: 'message', content: [{ text: 'One.' }, { text: 'Two.' }] },
  ])
  t.notMatch(JSON.stringify(frames), /another answer|spoken|ping/)
})

t.test('the seal of a tool call rides beside it', async (t) => {
  const frames = encode([
    { type: 'start' },
    { type: 'open', at: at(0), part: { kind: 'toolCall', id: 'c', name: 'look' } },
    { type: 'delta', at: at(0), json: '{}' },
    { type: 'delta', at: at(0), seal: 'thought', sealBy: 'generative' },
    { type: 'close', at: at(0) },
    end,
  ])
  const [item] = outputOf(frames)
  t.match(item, { extra_content: { waybill: { by: 'generative', seal: 'thought' } } })
  const { turns } = format.decodeRequest({ model: 'm', input: [item!] })
  t.match(turns[0]?.parts, [{ kind: 'toolCall', seal: { by: 'generative', value: 'thought' } }])
})

t.test('[FMT-9] a response folds to itself, but for the model the client requested', async (t) => {
  for (const name of results) {
    const whole = body(name)
    const folded = format.encodeReply(decode(stream(name)), { model: String(whole.model) })
    const output = name === 'whole-items' ? undefined : whole.output
    t.strictSame(folded, { ...whole, output: output ?? (folded as JsonObject).output }, name)
  }
  t.match(format.encodeReply(decode(stream('text')), { model: 'asked' }), { model: 'asked' })
  const { output } = format.encodeReply(decode(stream('whole-items')), { model: 'm' }) as JsonObject
  t.match(output, [{ id: 'ws_whole' }, { id: 'msg_whole' }, { id: 'fc_whole', call_id: 'call_w' }])
})

t.test('a stream of this format is written again event by event', async (t) => {
  // What the format leaves out: padding against guesses of length, and what is never read.
  const bare = ({ obfuscation, item, part, response, ...rest }: JsonObject) => rest
  const events = (bytes: Buffer) =>
    bytes
      .toString('utf8')
      .split('\n\n')
      .flatMap((frame) => (frame === '' ? [] : [JSON.parse(frame.split('data: ')[1]!)]))
      .map(bare)
  for (const name of results.filter((name) => name !== 'whole-items')) {
    const right = events(stream(name))
    const again = encode(decode(stream(name))).map(bare)
    if (name === 'own-tools') {
      // The end of a text waits for the end of its item.
      t.strictSame(typesOf(again).sort(), typesOf(right).sort(), name)
    } else {
      t.match(again, right, name)
    }
  }
})

t.test('items that interleave are reported one after the other and keep their ids', async (t) => {
  const item = (n: number) => ({
    id: `fc_${n}`,
    type: 'function_call',
    call_id: `c${n}`,
    name: 'f',
  })
  const delta = (n: number, delta: string) => ({
    type: 'response.function_call_arguments.delta',
    output_index: n,
    delta,
  })
  const added = (n: number) => ({
    type: 'response.output_item.added',
    output_index: n,
    item: item(n),
  })
  const done = (n: number) => ({
    type: 'response.output_item.done',
    output_index: n,
    item: { ...item(n), status: 'completed', arguments: '12' },
  })
  const events = decode(
    wire(
      ...[added(0), added(1), delta(1, '1'), delta(0, '1'), delta(1, '2'), delta(0, '2')],
      ...[done(1), done(0), { type: 'response.completed', response: {} }],
    ),
  )
  const output = outputOf(encode(events))
  t.match(output, [
    { id: 'fc_0', call_id: 'c0', arguments: '12', status: 'completed' },
    { id: 'fc_1', call_id: 'c1', arguments: '12', status: 'completed' },
  ])
})

t.test('messages that interleave stay two', async (t) => {
  const item = (n: number) => ({ id: `msg_${n}`, type: 'message', role: 'assistant' })
  const added = (n: number) => ({
    type: 'response.output_item.added',
    output_index: n,
    item: item(n),
  })
  const delta = (n: number) => ({
    type: 'response.output_text.delta',
    output_index: n,
    delta: `${n}`,
  })
  const part = (n: number) => ({
    type: 'response.content_part.done',
    output_index: n,
    part: { type: 'output_text', text: `${n}` },
  })
  const done = (n: number) => ({
    type: 'response.output_item.done',
    output_index: n,
    item: { ...item(n), content: [part(n).part] },
  })
  const all = [added(0), added(1), delta(0), delta(1), part(0), part(1), done(1), done(0)]
  const events = decode(wire(...all, { type: 'response.completed', response: {} }))
  t.match(outputOf(encode(events)), [
    { id: 'msg_0', content: [{ text: '0' }] },
    { id: 'msg_1', content: [{ text: '1' }] },
  ])
})

t.test('an own seal under another id states whose it is', async (t) => {
  const sealed = (head: JsonObject): Event[] => [
    { type: 'start' },
    {
      type: 'note',
      of: 'responses',
      raw: { type: 'response.output_item.added', part: 0, item: head },
    },
    { type: 'open', at: at(0), part: { kind: 'reasoning' } },
    { type: 'delta', at: at(0), seal: 'id:rs_1.gAAA', sealBy: 'responses' },
    { type: 'close', at: at(0) },
    end,
  ]
  t.match(outputOf(encode(sealed({ id: 'rs_1' }))), [{ encrypted_content: 'gAAA' }])
  const [minted] = outputOf(encode(sealed({})))
  t.match(minted, { encrypted_content: 'waybill.responses.id:rs_1.gAAA' })
  const { input } = format.encodeRequest(format.decodeRequest({ model: 'm', input: [minted!] }))
  t.match(input, [{ type: 'reasoning', id: 'rs_1', encrypted_content: 'gAAA' }], 'and comes home')
})

t.test('events of items that are there pass, with their place', async (t) => {
  const frames = encode(decode(stream('image')))
  const partial = frames.find(({ type }) => String(type).endsWith('partial_image'))
  t.match(partial, { item_id: 'ig_1', output_index: 0, partial_image_b64: 'aGk=' })
  t.strictSame(encode([{ type: 'note', of: 'responses', raw: { type: 'x', item_id: 'gone' } }]), [])
})

t.test('an empty message stays an item', async (t) => {
  const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content: [] }
  const events = format.decodeReply({ object: 'response', status: 'completed', output: [item] })
  t.match(format.encodeReply(events, { model: 'm' }), { output: [item] })
  t.match(encode(events)[2], { item: { content: [] } }, 'with the content a client looks for')
  t.strictSame(
    shared(events).map(({ type }) => type),
    ['start', 'open', 'close', 'stop', 'end'],
  )
})

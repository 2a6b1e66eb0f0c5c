/** Canonical events as messages streams and bodies, each against what must come out. */
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'
import { body } from './recorded.js'
import { at, decode, encode, format, wire } from './wire.js'

t.test('[FMT-9] interleaved tool calls are written one block at a time', async (t) => {
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
    { type: 'start', id: 'chatcmpl-1', model: 'gpt', created: 1 },
    tool(0),
    tool(1),
    json(0, '{"a"'),
    json(1, '{"b"'),
    json(0, ':1}'),
    json(1, ':2}'),
    { type: 'close', at: at(0) },
    { type: 'close', at: at(1) },
    { type: 'stop', choice: 0, reason: 'tool', word: 'tool_calls' },
    {
      type: 'usage',
      usage: { input: 9, cacheRead: 3, output: 7, reasoning: 2 },
      raw: {},
      final: true,
    },
    { type: 'end' },
  ])
  const delta = (index: number, partial_json: string) => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'input_json_delta', partial_json },
  })
  const opened = (index: number) => ({
    type: 'content_block_start',
    index,
    content_block: { type: 'tool_use', id: `call_${index}`, name: 'look', input: {} },
  })
  t.strictSame(frames, [
    {
      type: 'message_start',
      message: {
        id: 'chatcmpl-1',
        type: 'message',
        role: 'assistant',
        model: 'asked',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: 0,
          cache_creation_input_tokens: 0,
          cache_read_input_tokens: 0,
          output_tokens: 0,
        },
      },
    },
    opened(0),
    delta(0, '{"a"'),
    delta(0, ':1}'),
    { type: 'content_block_stop', index: 0 },
    opened(1),
    delta(1, '{"b"'),
    delta(1, ':2}'),
    { type: 'content_block_stop', index: 1 },
    {
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null },
      usage: {
        input_tokens: 9,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 3,
        output_tokens: 7,
        output_tokens_details: { thinking_tokens: 2 },
      },
    },
    { type: 'message_stop' },
  ])
})

t.test('every reason to stop has its word', async (t) => {
  const words = {
    end: 'end_turn',
    stopSequence: 'stop_sequence',
    length: 'max_tokens',
    tool: 'tool_use',
    refusal: 'refusal',
    filter: 'refusal',
    pause: 'pause_turn',
    context: 'model_context_window_exceeded',
    malformedTool: 'end_turn',
    other: 'end_turn',
  } as const
  for (const [reason, word] of Object.entries(words)) {
    const stopEvent = {
      type: 'stop',
      choice: 0,
      reason: reason as keyof typeof words,
      word: 'x',
    } as const
    const frames = encode([{ type: 'start' }, stopEvent, { type: 'end' }])
    t.match(frames.at(-2), { delta: { stop_reason: word } }, reason)
    const back = decode(wire({ type: 'message_delta', delta: { stop_reason: word } }))
    t.match(back, [{ type: 'stop', word }])
  }
  t.match(decode(wire({ type: 'message_delta', delta: { stop_reason: 'new' } })), [
    { reason: 'other' },
  ])
})

t.test('parts without a block here are left out, and the blocks stay in one row', async (t) => {
  const frames = encode([
    { type: 'start' },
    { type: 'open', at: at(0), part: { kind: 'media', type: 'audio' } },
    { type: 'delta', at: at(0), base64: 'aGk=' },
    { type: 'close', at: at(0) },
    { type: 'open', at: at(1), part: { kind: 'opaque', of: 'responses' } },
    { type: 'close', at: at(1), whole: { x: 1 } },
    { type: 'open', at: at(2), part: { kind: 'refusal' } },
    { type: 'delta', at: at(2), text: 'No.' },
    { type: 'close', at: at(2) },
    { type: 'open', at: { choice: 1, part: 0 }, part: { kind: 'text' } },
    { type: 'delta', at: { choice: 1, part: 0 }, text: 'another answer' },
    { type: 'close', at: { choice: 1, part: 0 } },
    { type: 'end' },
  ])
  t.match(
    frames.map(({ type, index }) => [type, index]),
    [
      ['message_start', undefined],
      ['content_block_start', 0],
      ['content_block_delta', 0],
      ['content_block_stop', 0],
      ['message_delta', undefined],
      ['message_stop', undefined],
    ],
  )
  t.notMatch(JSON.stringify(frames), /another answer/)
})

t.test('[FMT-2] a body folds to itself, but for what conversion adds and drops', async (t) => {
  for (const name of ['text', 'tools', 'thinking', 'web-search', 'stop-sequence', 'refusal']) {
    const { usage, ...whole } = body(name)
    const folded = format.encodeReply(format.decodeReply(body(name)), {
      model: String(whole.model),
    })
    const { usage: counts, ...rest } = folded as JsonObject
    t.strictSame(rest, whole, name)
    const { input_tokens, output_tokens } = usage as JsonObject
    t.match(counts, { input_tokens, output_tokens }, name)
  }
})

t.test(
  'counts reported in several events add up to one usage, foreign citations stay out',
  async (t) => {
    const frames = encode([
      { type: 'start' },
      { type: 'usage', usage: { input: 9, cacheRead: 3 }, raw: {}, final: false },
      { type: 'open', at: at(0), part: { kind: 'text' } },
      { type: 'delta', at: at(0), citation: { type: 'url_citation', url: 'https://example.com' } },
      { type: 'delta', at: at(0), citation: { type: 'page_location', cited_text: 'x' } },
      { type: 'close', at: at(0) },
      { type: 'usage', usage: { output: 7, input: undefined }, raw: {}, final: true },
      { type: 'end' },
    ])
    t.match(frames.at(-2), {
      usage: { input_tokens: 9, cache_read_input_tokens: 3, output_tokens: 7 },
    })
    t.strictSame(
      frames.filter(({ type }) => type === 'content_block_delta').map(({ delta }) => delta),
      [{ type: 'citations_delta', citation: { type: 'page_location', cited_text: 'x' } }],
    )
  },
)

t.test('the seal of another issuer is written under its name', async (t) => {
  const frames = encode([
    { type: 'start' },
    { type: 'open', at: at(0), part: { kind: 'reasoning' } },
    { type: 'delta', at: at(0), seal: 'value', sealBy: 'responses', text: 'Hm.' },
    { type: 'close', at: at(0) },
    { type: 'end' },
  ])
  t.match(frames[3], { delta: { type: 'signature_delta', signature: 'waybill.responses.value' } })
})

/** The body a client gets where a tool was called with this input. */
const calledWith = (json: string) =>
  format.encodeReply(
    [
      { type: 'start', id: 'x' },
      { type: 'open', at: at(0), part: { kind: 'toolCall', id: 'a', name: 'b' } },
      { type: 'delta', at: at(0), json },
      { type: 'close', at: at(0) },
      { type: 'end' },
    ],
    { model: 'm' },
  ) as JsonObject

t.test('tool input that is no JSON stays text: the client sees it is wrong', async (t) => {
  t.match(calledWith('{"torn').content, [{ type: 'tool_use', input: '{"torn' }])
  t.match(calledWith('').content, [{ type: 'tool_use', input: {} }])
  t.match(calledWith('null').content, [{ type: 'tool_use', input: null }])
})

t.test('[ERR-2] tool input that is too much to read at once stays text', async (t) => {
  const json = `{"a":[${'{},'.repeat(limits.eventJsonContainersMax)}{}]}`
  const [call] = calledWith(json).content as readonly JsonObject[]
  t.equal(call?.input, json)
})

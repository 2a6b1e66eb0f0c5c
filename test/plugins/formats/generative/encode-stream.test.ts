/** Events as generative streams: the chunks, their two framings, and how a stream ends. */
import t from 'tap'
import type { Event, Stop } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'
import { stream } from './recorded.js'
import { asArray, at, bytesOf, decode, encode, format, partsOf } from './wire.js'

const start: Event = { type: 'start', id: 'r1', model: 'upstream', created: 1_767_225_600 }
const stop: Event = { type: 'stop', choice: 0, reason: 'end', word: 'stop' }
const end: Event = { type: 'end' }
const head = {
  modelVersion: 'asked',
  createTime: '2026-01-01T00:00:00.000Z',
  responseId: 'r1',
}

function text(part: number, ...pieces: string[]): Event[] {
  return [
    { type: 'open', at: at(part), part: { kind: 'text' } },
    ...pieces.map((piece) => ({ type: 'delta', at: at(part), text: piece }) as const),
    { type: 'close', at: at(part) },
  ]
}

function thought(part: number, fields: object): Event[] {
  return [
    { type: 'open', at: at(part), part: { kind: 'reasoning' } },
    { type: 'delta', at: at(part), ...fields },
    { type: 'close', at: at(part) },
  ]
}

t.test('every chunk is a whole response, the last with the reason and the counts', async (t) => {
  const usage = { type: 'usage', usage: { input: 3, output: 2 }, raw: {}, final: true } as const
  t.strictSame(encode([start, ...text(0, 'Hi', '!'), stop, usage, end]), [
    { candidates: [{ content: { parts: [{ text: 'Hi' }], role: 'model' }, index: 0 }], ...head },
    { candidates: [{ content: { parts: [{ text: '!' }], role: 'model' }, index: 0 }], ...head },
    {
      candidates: [
        { content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 },
      ],
      ...head,
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    },
  ])
})

t.test('a call goes out whole, however it came', async (t) => {
  const call = (part: number, ...pieces: string[]): Event[] => [
    { type: 'open', at: at(part), part: { kind: 'toolCall', id: `c${part}`, name: 'look' } },
    ...pieces.map((json) => ({ type: 'delta', at: at(part), json }) as const),
    { type: 'close', at: at(part) },
  ]
  const chunks = encode([start, ...call(0, '{"a"', ':1}'), ...call(1), stop, end])
  t.strictSame(chunks.slice(0, 2).map(partsOf), [
    [{ functionCall: { id: 'c0', name: 'look', args: { a: 1 } } }],
    [{ functionCall: { id: 'c1', name: 'look', args: {} } }],
  ])
})

t.test(
  '[FMT-9] a call whose input is no object is named as malformed instead of sent without input',
  async (t) => {
    const ended = (json: string, reason: Stop) =>
      encode([
        start,
        { type: 'open', at: at(0), part: { kind: 'toolCall', id: 'c0', name: 'look' } },
        { type: 'delta', at: at(0), json },
        { type: 'close', at: at(0) },
        { type: 'stop', choice: 0, reason, word: 'x' },
        end,
      ])
    const large = `{"a":"${'x'.repeat(limits.wholeEventBytesMax)}"}`
    for (const json of ['{"a":', '[1]', large]) {
      const [last, ...more] = ended(json, 'tool')
      t.strictSame(more, [], 'no call goes out')
      t.match(last, {
        candidates: [
          { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: /arguments of look / },
        ],
      })
    }
    t.match(ended('{"a":', 'length'), [{ candidates: [{ finishReason: 'MAX_TOKENS' }] }])
  },
)

t.test('calls side by side keep apart', async (t) => {
  const open = (part: number): Event => ({
    type: 'open',
    at: at(part),
    part: { kind: 'toolCall', id: `c${part}`, name: 'look' },
  })
  const json = (part: number, piece: string): Event => ({
    type: 'delta',
    at: at(part),
    json: piece,
  })
  const close = (part: number): Event => ({ type: 'close', at: at(part) })
  const events = [open(0), open(1), json(1, '{"b":'), json(0, '{"a":1}'), json(1, '2}')]
  const chunks = encode([start, ...events, close(0), close(1), stop, end])
  t.strictSame(chunks.slice(0, 2).flatMap(partsOf), [
    { functionCall: { id: 'c0', name: 'look', args: { a: 1 } } },
    { functionCall: { id: 'c1', name: 'look', args: { b: 2 } } },
  ])
})

t.test('a seal of its own goes back as it came, one of others under a mark', async (t) => {
  const own = thought(0, { text: 'Hm.', seal: 'sig', sealBy: 'generative' })
  t.strictSame(partsOf(encode([start, ...own, stop, end])[0]!), [
    { text: 'Hm.', thought: true, thoughtSignature: 'sig' },
  ])
  const foreign: Event[] = [
    { type: 'open', at: at(0), part: { kind: 'reasoning' } },
    { type: 'delta', at: at(0), text: 'Hm' },
    { type: 'delta', at: at(0), text: '.' },
    { type: 'delta', at: at(0), seal: 'si', sealBy: 'messages' },
    { type: 'delta', at: at(0), seal: 'g', sealBy: 'messages' },
    { type: 'close', at: at(0) },
  ]
  const parts = encode([start, ...foreign, stop, end])
    .slice(0, -1)
    .flatMap(partsOf)
  const thoughtSignature = Buffer.from('waybill::messages:sig').toString('base64')
  t.strictSame(parts, [
    { text: 'Hm', thought: true },
    { text: '.', thought: true },
    { text: '', thoughtSignature },
  ])
  // A client that keeps the parts as they came sends them back so.
  const call = format.decodeRequest({ contents: [{ role: 'model', parts }] })
  t.match(call.turns, [
    { parts: [{ kind: 'reasoning', text: 'Hm.', seal: { by: 'messages', value: 'sig' } }] },
  ])
  t.equal(call.turns[0]?.parts.length, 1)
})

t.test('images and what only this format has', async (t) => {
  const events: Event[] = [
    start,
    { type: 'open', at: at(0), part: { kind: 'media', type: 'image', mime: 'image/webp' } },
    { type: 'delta', at: at(0), base64: 'aGk=' },
    { type: 'close', at: at(0) },
    { type: 'open', at: at(1), part: { kind: 'media', type: 'image' } },
    { type: 'close', at: at(1), whole: { url: 'https://example.com/a' } },
    { type: 'open', at: at(2), part: { kind: 'opaque', of: 'messages' } },
    { type: 'close', at: at(2), whole: { type: 'x' } },
    { type: 'open', at: at(3), part: { kind: 'serverTool', id: 'a', name: 'b', of: 'messages' } },
    { type: 'close', at: at(3) },
    { type: 'open', at: at(4), part: { kind: 'refusal' } },
    { type: 'delta', at: at(4), text: 'No.' },
    { type: 'close', at: at(4) },
    { type: 'note', of: 'messages', raw: { type: 'ping' } },
    stop,
    end,
  ]
  t.strictSame(encode(events).slice(0, -1).map(partsOf), [
    [{ inlineData: { mimeType: 'image/webp', data: 'aGk=' } }],
    [{ fileData: { fileUri: 'https://example.com/a' } }],
    [{ text: 'No.' }],
  ])
})

t.test('every end has its word, and this format’s own words stay', async (t) => {
  const rows: readonly (readonly [Stop, string, string])[] = [
    ['end', 'stop', 'STOP'],
    ['stopSequence', 'stop_sequence', 'STOP'],
    ['length', 'length', 'MAX_TOKENS'],
    ['tool', 'tool_calls', 'STOP'],
    ['refusal', 'refusal', 'SAFETY'],
    ['filter', 'content_filter', 'SAFETY'],
    ['filter', 'RECITATION', 'RECITATION'],
    ['pause', 'pause_turn', 'STOP'],
    ['context', 'model_context_window_exceeded', 'MAX_TOKENS'],
    ['malformedTool', 'UNEXPECTED_TOOL_CALL', 'UNEXPECTED_TOOL_CALL'],
    ['malformedTool', 'x', 'MALFORMED_FUNCTION_CALL'],
    ['other', 'constructor', 'OTHER'],
    ['length', 'STOP', 'MAX_TOKENS'],
  ]
  for (const [reason, word, message] of rows) {
    const [last] = encode([start, { type: 'stop', choice: 0, reason, word }, end])
    t.match(last, { candidates: [{ finishReason: message }] }, `${reason} ${word}`)
  }
})

t.test('a stream without a reason gets one, else its readers would wait for it', async (t) => {
  t.match(encode([start, ...text(0, 'Hi'), end]).at(-1), { candidates: [{ finishReason: 'STOP' }] })
  t.equal(decode(bytesOf([end])).at(-1)?.type, 'end')
})

t.test('a candidate that stopped while others go on is reported before them', async (t) => {
  const other: Event[] = [
    { type: 'open', at: { choice: 1, part: 0 }, part: { kind: 'text' } },
    { type: 'delta', at: { choice: 1, part: 0 }, text: 'x' },
    { type: 'close', at: { choice: 1, part: 0 } },
    { ...stop, choice: 1 },
  ]
  const chunks = encode([start, ...text(0, 'Hi'), stop, ...other, end])
  t.match(chunks, [
    { candidates: [{ index: 0 }] },
    { candidates: [{ index: 0, finishReason: 'STOP' }] },
    { candidates: [{ index: 1 }] },
    { candidates: [{ index: 1, finishReason: 'STOP' }] },
  ])
  t.equal(chunks.length, 4)
})

t.test('citations of others become grounding, by places in bytes', async (t) => {
  const cited = (citation: JsonObject): Event => ({ type: 'delta', at: at(0), citation })
  const url = (start_index: number, end_index: number, url: string) =>
    cited({ type: 'url_citation', url_citation: { start_index, end_index, url, title: 'T' } })
  const events: Event[] = [
    start,
    { type: 'open', at: at(0), part: { kind: 'text' } },
    { type: 'delta', at: at(0), text: 'Grüße: Zürich' },
    url(7, 13, 'https://a'),
    url(7, 13, 'https://b'),
    cited({ type: 'web_search_result_location', url: 'https://a', title: 'A' }),
    cited({ type: 'char_location', cited_text: 'x' }),
    { type: 'close', at: at(0) },
    stop,
    end,
  ]
  const groundingMetadata = {
    groundingChunks: [
      { web: { uri: 'https://a', title: 'A' } },
      { web: { uri: 'https://b', title: 'T' } },
    ],
    groundingSupports: [
      {
        segment: { startIndex: 9, endIndex: 16, text: 'Zürich' },
        groundingChunkIndices: [0, 1],
      },
      {
        segment: { startIndex: 0, endIndex: 16, text: 'Grüße: Zürich' },
        groundingChunkIndices: [0],
      },
    ],
  }
  t.strictSame(encode(events).at(-1)?.candidates, [
    {
      content: { parts: [{ text: '' }], role: 'model' },
      finishReason: 'STOP',
      index: 0,
      groundingMetadata,
    },
  ])
})

t.test('counts are added up again', async (t) => {
  const usage = {
    input: 20,
    cacheRead: 80,
    cacheWrite5m: 5,
    inputAudio: 30,
    inputImage: 40,
    output: 110,
    reasoning: 98,
    outputAudio: 7,
    outputImage: Number.NaN,
  }
  const [last] = encode([start, { type: 'usage', usage, raw: {}, final: true }, stop, end])
  t.strictSame(last?.usageMetadata, {
    promptTokenCount: 175,
    candidatesTokenCount: 19,
    totalTokenCount: 292,
    cachedContentTokenCount: 80,
    thoughtsTokenCount: 98,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: 105 },
      { modality: 'AUDIO', tokenCount: 30 },
      { modality: 'IMAGE', tokenCount: 40 },
    ],
    candidatesTokensDetails: [
      { modality: 'TEXT', tokenCount: 12 },
      { modality: 'AUDIO', tokenCount: 7 },
      { modality: 'IMAGE', tokenCount: 0 },
    ],
  })
})

t.test('[FMT-10] a reader that did not ask for events gets one array', async (t) => {
  t.equal(format.streamType?.(asArray), 'application/json')
  t.equal(format.streamType?.({ ...asArray, framing: undefined }), 'text/event-stream')
  t.equal(format.streamType?.(undefined), 'text/event-stream')
  const events = decode(stream('tools'))
  const array = bytesOf(events, asArray).toString('utf8')
  t.strictSame(JSON.parse(array), encode(events))
  t.match(array, /^\[\{.*\}\n,\n\{[\s\S]*\}\n\]\n$/)
  t.equal(array.split('\n,\n').length, encode(events).length, 'element by element')
  t.equal(bytesOf([], asArray).toString(), '[]\n')
})

t.test('an error in the middle is the last element and closes the array', async (t) => {
  const failure = {
    type: 'failure',
    failure: { blame: 'upstream', status: 503, code: 'upstream_error', message: 'No.' },
  } as const
  const result = JSON.parse(bytesOf([start, ...text(0, 'Hi'), failure], asArray).toString('utf8'))
  t.equal(result.length, 2)
  t.match(result[1], { error: { code: 503, status: 'UNAVAILABLE', message: 'No.' } })
  const atOnce = JSON.parse(bytesOf([failure], asArray).toString('utf8'))
  t.match(atOnce, [{ error: { code: 503 } }])
})

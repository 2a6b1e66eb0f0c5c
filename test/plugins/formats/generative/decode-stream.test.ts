/** Generative streams and bodies as events: where they end, what they count, what is wrong with them. */
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'
import { body, stream } from './recorded.js'
import { at, chunk, decode, format, wire } from './wire.js'

const types = (events: readonly Event[]) => events.map(({ type }) => type)

t.test('text, thoughts and calls become parts; the stop waits for the end', async (t) => {
  const decoder = format.decodeStream()
  const pushed = decoder.push(stream('thinking'))
  t.notOk(types(pushed).includes('stop'), 'usage and more may still come')
  t.strictSame(types(decoder.flush()), ['stop', 'end'])
  const [start, ...events] = pushed
  t.strictSame(start, { type: 'start', id: 'tHk1aAbB', model: 'gemini-3-pro' })
  t.strictSame(
    events.filter(({ type }) => type !== 'usage'),
    [
      { type: 'open', at: at(0), part: { kind: 'reasoning' } },
      { type: 'delta', at: at(0), text: '**Multiplying**\n\n27 * 453:' },
      { type: 'delta', at: at(0), text: ' first 27 * 400.' },
      { type: 'close', at: at(0) },
      { type: 'open', at: at(1), part: { kind: 'text' } },
      { type: 'delta', at: at(1), text: '27 * 453 =' },
      { type: 'delta', at: at(1), text: ' 12,231' },
      { type: 'close', at: at(1) },
      // Nothing but a signature is reasoning, so that it finds its way through every format.
      { type: 'open', at: at(2), part: { kind: 'reasoning' } },
      { type: 'delta', at: at(2), seal: 'c2lnbmVkIHRob3VnaHRz', sealBy: 'generative' },
      { type: 'close', at: at(2) },
    ],
  )
})

t.test('calls come whole, with the signature of the one that is signed', async (t) => {
  const calls = decode(stream('tools')).filter(
    (event) => 'at' in event && event.at.part > 0 && event.type !== 'close',
  )
  t.strictSame(calls, [
    { type: 'open', at: at(1), part: { kind: 'toolCall', id: 'fc_01A', name: 'get_weather' } },
    {
      type: 'delta',
      at: at(1),
      json: '{"city":"München","days":2}',
      seal: 'c2lnbmVkIGNhbGw=',
      sealBy: 'generative',
    },
    { type: 'open', at: at(2), part: { kind: 'toolCall', id: 'fc_01B', name: 'get_time' } },
    { type: 'delta', at: at(2), json: '{}' },
  ])
  t.match(decode(stream('tools')).at(-2), { type: 'stop', reason: 'tool', word: 'STOP' })
})

t.test('calls without an id get one, each its own and always the same', async (t) => {
  const ids = (events: readonly Event[]) =>
    events.flatMap((event) =>
      event.type === 'open' && event.part.kind === 'toolCall' ? [event.part.id] : [],
    )
  const streamed = ids(decode(stream('tools-without-ids')))
  t.match(streamed, [/^call_[0-9a-f]{24}$/, /^call_[0-9a-f]{24}$/])
  t.not(streamed[0], streamed[1])
  t.strictSame(ids(format.decodeReply(body('tools-without-ids'))), streamed)
})

t.test('what is signed is a part of its own', async (t) => {
  const events = decode(
    wire(
      chunk([{ text: 'a' }, { text: 'b', thoughtSignature: 's1' }, { text: 'c' }]),
      chunk([{ text: 'd', thought: true, thoughtSignature: 's2' }], { finishReason: 'STOP' }),
    ),
  )
  const deltas = events.filter(({ type }) => type === 'delta')
  t.strictSame(deltas, [
    { type: 'delta', at: at(0), text: 'a' },
    { type: 'delta', at: at(1), text: 'b', seal: 's1', sealBy: 'generative' },
    { type: 'delta', at: at(2), text: 'c' },
    { type: 'delta', at: at(3), text: 'd', seal: 's2', sealBy: 'generative' },
  ])
})

t.test('parts nobody else knows stay whole', async (t) => {
  const parts = [
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
    { functionCall: { name: 'a', partialArgs: [], willContinue: true } },
    { inlineData: { mimeType: 'image/png', data: 'aGk=' }, thought: true },
    { inlineData: { mimeType: 'video/mp4', data: 'aGk=' } },
    { toolCall: { toolType: 'GOOGLE_SEARCH_WEB' }, thoughtSignature: 's' },
  ]
  const events = decode(wire(chunk(parts, { finishReason: 'STOP' })))
  const whole = events.flatMap((event) => (event.type === 'close' ? [event.whole] : []))
  t.strictSame(whole, parts)
  const opened = events.flatMap((event) => (event.type === 'open' ? [event.part] : []))
  t.strictSame(opened, Array(5).fill({ kind: 'opaque', of: 'generative' }))
})

t.test('[FMT-10] a stream ends when it closed and every candidate stated why (S5)', async (t) => {
  const content = chunk([{ text: 'Hi' }])
  const stopped = chunk([{ text: '.' }], { finishReason: 'STOP' })
  t.notOk(types(decode(wire(content))).includes('end'), 'closed without a reason')
  t.equal(decode(wire(content, stopped)).at(-1)?.type, 'end')
  const usageBehind = wire(content, stopped, { usageMetadata: { promptTokenCount: 3 } })
  t.match(decode(usageBehind), [{}, {}, {}, {}, { type: 'usage' }, {}, {}, { type: 'end' }])
  const other = { candidates: [{ index: 1, content: { parts: [{ text: 'Ho' }] } }] }
  t.notOk(types(decode(wire(content, other, stopped))).includes('end'), 'one goes on')
  t.notOk(types(decode(`${wire(content, stopped)}data: {"candidates":[`)).includes('end'), 'torn')
  t.equal(decode(wire(content, stopped).trimEnd()).at(-1)?.type, 'end', 'the last blank line')
})

t.test('a reason with every chunk stops nothing, and the last one counts', async (t) => {
  const words = ['STOP', 'STOP', 'MAX_TOKENS']
  const chunks = words.map((finishReason) => chunk([{ text: 'a' }], { finishReason }))
  const events = decode(wire(...chunks))
  t.strictSame(types(events), ['start', 'open', 'delta', 'delta', 'delta', 'close', 'stop', 'end'])
  t.match(events.at(-2), { reason: 'length', word: 'MAX_TOKENS' })
})

t.test('[ERR-2] an error in the middle is a failure, with and without a frame (M14)', async (t) => {
  const late = decode(stream('broken-late'))
  t.match(late.at(-1), { type: 'failure', failure: { status: 503, blame: 'upstream' } })
  t.strictSame(types(late), ['start', 'open', 'delta', 'usage', 'failure'])
  t.match(decode(stream('overloaded')), [{ type: 'failure', failure: { status: 503 } }])
  const secret = { error: { code: 500, message: 'key AIzaSyA-1234567890abc', status: 'INTERNAL' } }
  t.notMatch(JSON.stringify(decode(wire(secret))), /AIza/)
})

t.test('what is no chunk breaks the stream', async (t) => {
  t.match(decode('data: <html>\n\n'), [{ type: 'failure', failure: { code: 'upstream_error' } }])
  t.match(decode('data: [1]\n\n'), [{ type: 'failure' }])
  t.strictSame(types(decode(`: hello\n\n${wire({}, chunk([{ text: 'Hi' }]))}`)), [
    'start',
    'open',
    'delta',
  ])
})

t.test('an event that never ends is cut off at the bound (S4)', async (t) => {
  const decoder = format.decodeStream()
  const events: Event[] = decoder.push(Buffer.from('data: {"x":"'))
  const piece = Buffer.alloc(limits.eventBytesMax / 4, 'x')
  for (let at = 0; at < 5; at += 1) events.push(...decoder.push(piece))
  t.match(events, [{ type: 'failure', failure: { code: 'upstream_too_large' } }])
})

t.test('a blocked prompt is the client’s fault and nobody is queried again', async (t) => {
  const failure = {
    blame: 'client',
    status: 400,
    code: 'prompt_blocked',
    message: 'The upstream blocked the prompt: PROHIBITED_CONTENT.',
    type: 'invalid_request_error',
  }
  t.strictSame(decode(stream('blocked')), [{ type: 'failure', failure }])
  t.strictSame(format.decodeReply(body('blocked')), [{ type: 'failure', failure }])
  t.strictSame(format.readReply(body('blocked')), { estimatedTokens: 0, failure })
  const strange = { promptFeedback: { blockReason: '<b>key sk-12345678</b>' } }
  t.match(format.readReply(strange).failure?.message, /blocked the prompt: OTHER\.$/)
})

t.test('every word for stopping has its meaning', async (t) => {
  const rows = [
    ['STOP', 'end'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'filter'],
    ['RECITATION', 'filter'],
    ['BLOCKLIST', 'filter'],
    ['PROHIBITED_CONTENT', 'filter'],
    ['SPII', 'filter'],
    ['LANGUAGE', 'filter'],
    ['IMAGE_SAFETY', 'filter'],
    ['MALFORMED_FUNCTION_CALL', 'malformedTool'],
    ['UNEXPECTED_TOOL_CALL', 'malformedTool'],
    ['OTHER', 'other'],
    ['SOMETHING_NEW', 'other'],
    ['constructor', 'other'],
  ] as const
  for (const [word, reason] of rows) {
    const events = decode(wire(chunk([{ text: 'x' }], { finishReason: word })))
    t.match(events.at(-2), { type: 'stop', choice: 0, reason, word }, word)
  }
  const untold = format.decodeReply(chunk([{ text: 'x' }]))
  t.match(untold.at(-2), { reason: 'other', word: 'FINISH_REASON_UNSPECIFIED' })
})

const counted = (usageMetadata: JsonObject, more: JsonObject = {}) =>
  format.readReply({ ...chunk([], more), usageMetadata }).usage

t.test('[FMT-3] counts are disjoint', async (t) => {
  const modality = (name: string, tokenCount: number) => ({ modality: name, tokenCount })
  const rows: readonly (readonly [string, JsonObject, object | undefined])[] = [
    ['nothing', {}, undefined],
    ['no count', { trafficType: 'ON_DEMAND' }, undefined],
    ['a prompt', { promptTokenCount: 5, totalTokenCount: 5 }, { input: 5 }],
    ['zero is a count', { candidatesTokenCount: 0 }, { output: 0 }],
    [
      'what was cached is no input',
      { promptTokenCount: 100, cachedContentTokenCount: 80, candidatesTokenCount: 7 },
      { input: 20, cacheRead: 80, output: 7 },
    ],
    [
      'thoughts are output',
      { promptTokenCount: 1, candidatesTokenCount: 12, thoughtsTokenCount: 98 },
      { input: 1, output: 110, reasoning: 98 },
    ],
    [
      'thoughts and no answer',
      { promptTokenCount: 1, thoughtsTokenCount: 98 },
      { input: 1, output: 98, reasoning: 98 },
    ],
    [
      'results of its own tools are input',
      { promptTokenCount: 20, toolUsePromptTokenCount: 96 },
      { input: 116 },
    ],
    [
      'media of the prompt, less what was cached of them',
      {
        promptTokenCount: 1000,
        cachedContentTokenCount: 400,
        promptTokensDetails: [
          modality('TEXT', 300),
          modality('AUDIO', 500),
          modality('IMAGE', 200),
        ],
        cacheTokensDetails: [modality('TEXT', 100), modality('AUDIO', 300)],
      },
      { input: 200, cacheRead: 400, inputAudio: 200, inputImage: 200 },
    ],
    [
      'media of the answer',
      {
        candidatesTokenCount: 1295,
        candidatesTokensDetails: [modality('IMAGE', 1290)],
        thoughtsTokenCount: 10,
      },
      { output: 15, reasoning: 10, outputImage: 1290 },
    ],
    [
      'shares never exceed their total',
      {
        promptTokenCount: 10,
        cachedContentTokenCount: 80,
        promptTokensDetails: [modality('AUDIO', 9)],
      },
      { input: 0, cacheRead: 10, inputAudio: 0 },
    ],
    ['what is no number is dropped (M21)', { promptTokenCount: '12' }, undefined],
  ]
  for (const [name, raw, usage] of rows) t.strictSame(counted(raw), usage, name)
})

t.test('a search that grounded the answer is one use of the tool', async (t) => {
  const grounded = (webSearchQueries: string[]) => ({ groundingMetadata: { webSearchQueries } })
  const raw = { promptTokenCount: 1 }
  t.strictSame(counted(raw, grounded(['a', 'b'])), { input: 1, serverTools: { google_search: 1 } })
  t.strictSame(counted(raw, grounded([])), { input: 1 })
  const late = decode(
    wire(
      { ...chunk([{ text: 'x' }]), usageMetadata: raw },
      chunk([], { finishReason: 'STOP', ...grounded(['a']) }),
    ),
  )
  t.match(late.at(-2), { type: 'usage', usage: { input: 1, serverTools: { google_search: 1 } } })
})

t.test('usage of a stream is what was stated last', async (t) => {
  const usages = decode(stream('thinking')).filter((event) => event.type === 'usage')
  t.equal(usages.length, 5)
  t.strictSame(usages[0], {
    type: 'usage',
    usage: { input: 12, cacheRead: 2048, output: 40, reasoning: 40 },
    raw: usages[0]?.raw,
    final: false,
  })
  t.match(usages.at(-1), {
    usage: { input: 12, cacheRead: 2048, output: 110, reasoning: 98 },
    raw: { promptTokenCount: 2060, totalTokenCount: 2170 },
    final: true,
  })
})

t.test('grounding is reported as citations, by places in characters', async (t) => {
  const events = decode(stream('search'))
  const citations = events.flatMap((event) =>
    event.type === 'delta' && event.citation !== undefined ? [event.citation] : [],
  )
  const place = { start_index: 7, end_index: 23 }
  t.equal('Grüße: Zürich is a city.'.slice(7, 23), 'Zürich is a city')
  t.strictSame(citations, [
    {
      type: 'url_citation',
      url_citation: { ...place, url: 'https://example.com/a', title: 'example.com' },
    },
    {
      type: 'url_citation',
      url_citation: { ...place, url: 'https://example.org/b', title: 'example.org' },
    },
  ])
  t.match(
    events.find(({ type }) => type === 'note'),
    { of: 'generative', raw: { candidates: [{ index: 0, groundingMetadata: {} }] } },
  )
})

t.test('places that cannot be found, and sources without any, stand for the whole', async (t) => {
  const sources = { groundingChunks: [{ web: { uri: 'https://a' } }, { other: 1 }] }
  const cited = (metadata: JsonObject) => {
    const reply = chunk([{ text: 'Hello' }], { finishReason: 'STOP', groundingMetadata: metadata })
    return format
      .decodeReply(reply)
      .flatMap((event) => (event.type === 'delta' ? [event.citation] : []))
      .filter((citation) => citation !== undefined)
  }
  const whole = { url_citation: { start_index: 0, end_index: 5, url: 'https://a', title: '' } }
  t.match(cited(sources), [whole])
  const support = (segment: JsonObject) => ({
    ...sources,
    groundingSupports: [{ segment, groundingChunkIndices: [0, 1, 7, 'x'] }],
  })
  t.match(cited(support({ startIndex: 3, endIndex: 9, text: 'elsewhere' })), [whole])
  t.match(cited(support({ partIndex: 1, startIndex: 90, endIndex: 93, text: 'ell' })), [
    { url_citation: { start_index: 1, end_index: 4 } },
  ])
  const recited = { citationSources: [{ startIndex: 1, endIndex: 3, uri: 'https://b' }, {}] }
  const reply = chunk([{ text: 'Hello' }], { finishReason: 'STOP', citationMetadata: recited })
  t.match(
    format.decodeReply(reply).filter((event) => event.type === 'delta' && event.citation),
    [{ citation: { url_citation: { start_index: 1, end_index: 3, url: 'https://b' } } }],
  )
})

t.test('the time of an answer is reported in seconds', async (t) => {
  const dated = { ...chunk([{ text: 'x' }]), createTime: '2026-11-02T10:00:00.123456Z' }
  t.match(format.decodeReply(dated)[0], { type: 'start', created: 1_793_613_600 })
  t.notOk('created' in (format.decodeReply({ ...dated, createTime: 'soon' })[0] ?? {}))
})

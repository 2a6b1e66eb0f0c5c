/** Responses streams as canonical events, each against what must come out. */
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import { isObject, type JsonObject } from '../../../../kernel/contract/json.js'
import { finalUsage } from '../../../../kernel/pipeline/usage.js'
import { body, stream } from './recorded.js'
import { at, decode, encode, format, responseOf, shared, wire } from './wire.js'

const created = { type: 'response.created', response: { id: 'resp_1', model: 'm' } }
const completed = (response: JsonObject = {}) => ({
  type: 'response.completed',
  response: { status: 'completed', ...response },
})

t.test('[FMT-9] text and parallel tool calls, event by event', async (t) => {
  const events = shared(decode(stream('tools'))).filter(({ type }) => type !== 'usage')
  const call = (part: number, id: string, name: string): Event => ({
    type: 'open',
    at: at(part),
    part: { kind: 'toolCall', id, name },
  })
  t.strictSame(events, [
    { type: 'start', id: 'resp_tools', model: 'gpt-5.1-2025-11-13', created: 1764000000 },
    { type: 'open', at: at(0), part: { kind: 'reasoning' } },
    { type: 'delta', at: at(0), seal: 'id:rs_tools.gAAAAABenc==', sealBy: 'responses' },
    { type: 'close', at: at(0) },
    { type: 'open', at: at(1), part: { kind: 'text' } },
    { type: 'delta', at: at(1), text: 'I will look up both.' },
    { type: 'close', at: at(1) },
    call(2, 'call_one', 'get_weather'),
    { type: 'delta', at: at(2), json: '{"city":' },
    { type: 'delta', at: at(2), json: '"Mün' },
    { type: 'delta', at: at(2), json: 'chen"}' },
    { type: 'close', at: at(2) },
    call(3, 'call_two', 'get_time'),
    { type: 'delta', at: at(3), json: '{}' },
    { type: 'close', at: at(3) },
    { type: 'stop', choice: 0, reason: 'tool', word: 'completed' },
    { type: 'end' },
  ])
})

t.test('[FMT-9] summaries are one text, and the seal knows its item', async (t) => {
  const parts = shared(decode(stream('reasoning'))).filter((event) => 'at' in event)
  const contentOf = (text: string): Event => ({ type: 'delta', at: at(0), text })
  t.strictSame(parts.slice(0, 10), [
    { type: 'open', at: at(0), part: { kind: 'reasoning' } },
    contentOf('**Multiplying**\n\n'),
    contentOf('27 * 453: first 27 * 400.'),
    contentOf('\n\n'),
    contentOf('**Adding**'),
    contentOf('\n\nthen 27 * 53.'),
    { type: 'delta', at: at(0), seal: 'id:rs_one.gAAAAABone', sealBy: 'responses' },
    { type: 'close', at: at(0) },
    { type: 'open', at: at(1), part: { kind: 'reasoning' } },
    { type: 'close', at: at(1) },
  ])
})

t.test('[FMT-9] citations travel in the shape the chat format knows', async (t) => {
  const cited = decode(stream('web-search')).flatMap((event) =>
    event.type === 'delta' && event.citation !== undefined ? [event.citation] : [],
  )
  t.strictSame(cited, [
    {
      type: 'url_citation',
      url_citation: {
        start_index: 0,
        end_index: 12,
        url: 'https://example.com/0',
        title: 'Weather',
      },
    },
    { type: 'file_citation', index: 3, file_id: 'file_1', filename: 'a.pdf' },
  ])
})

t.test(
  'tools of this format keep their items, and what the model wrote is reported in pieces',
  async (t) => {
    const events = shared(decode(stream('own-tools')))
    const opened = events.flatMap((event) => (event.type === 'open' ? [event.part] : []))
    t.strictSame(opened, [
      { kind: 'opaque', of: 'responses' },
      { kind: 'serverTool', id: 'mcp_1', name: 'mcp', of: 'responses' },
      { kind: 'serverTool', id: 'ci_1', name: 'code_interpreter', of: 'responses' },
      { kind: 'serverTool', id: 'fs_1', name: 'file_search', of: 'responses' },
      { kind: 'opaque', of: 'responses' },
    ])
    const closed = events.flatMap((event) => (event.type === 'close' ? [event.whole] : []))
    t.strictSame(closed, body('own-tools').output)
    const pieces = events.flatMap((event) =>
      event.type === 'delta' ? [event.json ?? event.text] : [],
    )
    t.strictSame(pieces, ['{"q":', '"x"}', 'print(', '1+1)', '*** Begin', '\n"x"'])
    t.match(
      events.at(-3),
      { type: 'stop', reason: 'tool' },
      'the custom tool is the client’s to run',
    )
  },
)

function usageOf(events: readonly Event[]) {
  return events.findLast((event) => event.type === 'usage')?.usage
}

t.test('[FMT-9] counts are disjoint, and tools the upstream ran are counted', async (t) => {
  t.strictSame(usageOf(decode(stream('text'))), {
    input: 12,
    cacheRead: 2048,
    cacheWrite5m: 300,
    output: 27,
    reasoning: 0,
  })
  t.match(usageOf(decode(stream('reasoning'))), { input: 25, output: 131, reasoning: 98 })
  // One of the two calls only opened a page.
  t.strictSame(usageOf(decode(stream('web-search')))?.serverTools, { web_search: 1 })
  t.strictSame(usageOf(decode(stream('own-tools')))?.serverTools, {
    code_interpreter: 1,
    file_search: 1,
  })
  t.strictSame(usageOf(decode(stream('image')))?.serverTools, {
    'image_generation/high/1024x1024': 1,
  })
})

t.test(
  'a call counts when it came to its end, and under the tool that was requested',
  async (t) => {
    const call = (id: string, more: JsonObject) => ({ id, type: 'web_search_call', ...more })
    const tools = (counted: readonly JsonObject[], requested: JsonObject = {}) =>
      usageOf(format.decodeReply({ object: 'response', output: counted, ...requested }))
        ?.serverTools
    const done = { status: 'completed' }
    t.strictSame(tools([call('a', done), call('b', done), call('c', { status: 'failed' })]), {
      web_search: 2,
    })
    t.strictSame(tools([call('a', done)], { tools: [{ type: 'web_search_preview_2025_03_11' }] }), {
      web_search_preview: 1,
    })
    t.strictSame(tools([{ id: 'a', type: 'image_generation_call', ...done }]), {
      image_generation: 1,
    })
    t.strictSame(
      tools([{ id: 'a', type: 'image_generation_call', status: 'generating' }]),
      undefined,
    )
  },
)

t.test('a missing output count is billed by the parsed tokens', async (t) => {
  const rows = [
    [{ output_tokens: 250 }, 250],
    [{ output_tokens: 0 }, 40],
    [{}, 40],
    [null, 40],
  ] as const
  for (const [usage, billed] of rows) {
    const reported = usageOf(decode(wire(created, completed({ usage }))))
    const { usage: final } = finalUsage({ reported, estimatedTokens: 40, estimate: { input: 9 } })
    t.equal(final.output, billed, JSON.stringify(usage))
  }
})

t.test('shares of a count never exceed it, absurd counts are seen as absurd (M21)', async (t) => {
  const result = usageOf(
    decode(
      wire(
        completed({
          usage: {
            input_tokens: 10,
            input_tokens_details: { cached_tokens: 8, cache_write_tokens: 8 },
            output_tokens: 3,
            output_tokens_details: { reasoning_tokens: 9 },
          },
        }),
      ),
    ),
  )
  t.strictSame(result, { input: 0, cacheRead: 8, cacheWrite5m: 2, output: 3, reasoning: 3 })
  for (const bad of [-5, 1e18, '12', true, {}]) {
    const events = decode(wire(created, completed({ usage: { output_tokens: bad as never } })))
    const { anomaly } = finalUsage({ reported: usageOf(events), estimatedTokens: 3, estimate: {} })
    t.equal(anomaly, true, JSON.stringify(bad))
    const { usage: shown } = responseOf(encode(events).at(-1))
    t.ok(isObject(shown) && Number(shown.output_tokens) >= 0, 'and never shown')
  }
})

t.test('[ERR-2] an error is a failure with blame and a safe sentence (M14)', async (t) => {
  const rows = [
    ['server_error', 500, 'upstream'],
    ['rate_limit_exceeded', 429, 'channel'],
    ['insufficient_quota', 402, 'channel'],
    ['invalid_api_key', 401, 'channel'],
    ['model_not_found', 404, 'channel'],
    ['data_residency_mismatch', 403, 'channel'],
    ['vector_store_timeout', 504, 'upstream'],
    ['invalid_prompt', 400, 'client'],
    ['image_file_not_found', 400, 'client'],
    ['unsupported_image_media_type', 400, 'client'],
    ['context_length_exceeded', 400, 'client'],
    ['made_up', 502, 'upstream'],
    ['503', 503, 'upstream'],
  ] as const
  for (const [code, status, blame] of rows) {
    const message = 'Not with sk-abcdefghijklmnop at https://internal.example/'
    const failed = {
      type: 'response.failed',
      response: { status: 'failed', error: { code, message } },
    }
    const shapes = [
      failed,
      { type: 'error', code, message, param: null },
      { type: 'error', error: { type: 'x', code, message } },
      completed(failed.response),
    ]
    for (const shape of shapes) {
      const events = shared(decode(wire(shape)))
      t.match(events, [{ type: 'failure', failure: { status, blame } }], `${code} ${shape.type}`)
      t.equal(events.length, 1)
      t.notMatch(JSON.stringify(events), /sk-abc|internal\.example/)
    }
  }
  const late = shared(decode(stream('failed'))).map(({ type }) => type)
  t.strictSame(late, ['start', 'open', 'delta', 'close', 'failure'], 'and no end')
  t.match(shared(decode(stream('error'))).at(-1), { failure: { status: 429 } })
})

t.test('a stream without its last event never ends (S5)', async (t) => {
  const bytes = stream('text')
  const cut = bytes.subarray(0, bytes.lastIndexOf('event: response.completed'))
  t.notOk(decode(cut).some(({ type }) => type === 'end'))
})

t.test('an incomplete answer ends all the same, with its reason', async (t) => {
  const stop = (reason: string | null) => {
    const response = { status: 'incomplete', incomplete_details: reason && { reason } }
    const events = decode(wire(created, { type: 'response.incomplete', response }))
    t.equal(events.at(-1)?.type, 'end')
    return events.find((event) => event.type === 'stop')
  }
  t.match(stop('max_output_tokens'), { reason: 'length', word: 'max_output_tokens' })
  t.match(stop('content_filter'), { reason: 'filter', word: 'content_filter' })
  t.match(stop('new_reason'), { reason: 'other', word: 'new_reason' })
  t.match(stop(null), { reason: 'other', word: 'incomplete' })
})

t.test('it starts once and ends once, whatever follows', async (t) => {
  const more = { type: 'response.output_text.delta', output_index: 0, delta: 'x' }
  const events = shared(decode(wire(created, created, completed(), completed(), more)))
  t.strictSame(
    events.map(({ type }) => type),
    ['start', 'stop', 'end'],
  )
})

t.test(
  'upstreams that leave out pieces, places or the beginning are read all the same',
  async (t) => {
    const item = { id: 'msg_1', type: 'message', role: 'assistant' }
    const content = [{ type: 'output_text', text: 'Hello', annotations: [] }]
    const delta = { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'Hello' }
    const streams = {
      'no pieces': [
        { type: 'response.output_item.done', output_index: 0, item: { ...item, content } },
      ],
      'no places': [
        { type: 'response.output_item.added', item },
        delta,
        { type: 'response.output_item.done', item: { ...item, content } },
      ],
      'no end of the item': [
        { type: 'response.output_item.added', output_index: 0, item },
        { ...delta, output_index: 0 },
      ],
      'only the text in the end': [
        { type: 'response.output_item.added', output_index: 0, item },
        { type: 'response.output_text.done', output_index: 0, content_index: 0, text: 'Hello' },
      ],
    }
    const right = [
      { type: 'start' },
      { type: 'open', at: at(0), part: { kind: 'text' } },
      { type: 'delta', at: at(0), text: 'Hello' },
      { type: 'close', at: at(0) },
      { type: 'stop', choice: 0, reason: 'end', word: 'completed' },
      { type: 'end' },
    ]
    for (const [name, events] of Object.entries(streams)) {
      t.strictSame(shared(decode(wire(...events, completed()))), right, name)
    }
    const last = completed({ output: [{ ...item, content }] })
    t.strictSame(shared(decode(wire(last))), right, 'only the whole response')
    t.strictSame(
      shared(decode(Buffer.concat([wire(last), Buffer.from('data: [DONE]\n\n')]))),
      right,
    )
  },
)

t.test('what is not JSON breaks the stream, what is not known is passed as a note', async (t) => {
  t.match(decode('data: {"type":"resp\n\n'), [{ type: 'failure', failure: { blame: 'upstream' } }])
  const unknown = { type: 'response.moderation.done', x: 1 }
  t.strictSame(decode(wire(unknown)), [{ type: 'note', of: 'responses', raw: unknown }])
  t.strictSame(decode(wire({ type: 'keepalive' })), [
    { type: 'note', of: 'responses', raw: { type: 'keepalive' } },
  ])
})

t.test('a response that is not finished, or was called off, is no error', async (t) => {
  for (const status of ['queued', 'in_progress', 'cancelled']) {
    const result = { object: 'response', status, output: [], error: null }
    t.equal(format.readReply(result).failure, undefined, status)
    t.match(shared(format.decodeReply(result)), [
      { type: 'start' },
      { type: 'stop', reason: 'other', word: status },
      { type: 'end' },
    ])
  }
})

/** Messages streams as canonical events, each against what must come out. */
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { finalUsage } from '../../../../kernel/pipeline/usage.js'
import { stream } from './recorded.js'
import { at, decode, encode, wire } from './wire.js'

const start = (usage?: JsonObject) => ({
  type: 'message_start',
  message: { id: 'msg_1', model: 'claude', ...(usage && { usage }) },
})
const stopped = (usage?: JsonObject) => ({
  type: 'message_delta',
  delta: { stop_reason: 'end_turn', stop_sequence: null },
  ...(usage && { usage }),
})
const stop = { type: 'message_stop' }

t.test('[FMT-9] text and parallel tool calls, event by event', async (t) => {
  const events = decode(stream('tools')).filter(({ type }) => type !== 'usage')
  t.strictSame(events, [
    { type: 'start', id: 'msg_01tools', model: 'claude-sonnet-4-5-20250929' },
    { type: 'open', at: at(0), part: { kind: 'text' } },
    { type: 'delta', at: at(0), text: 'I will look up both.' },
    { type: 'close', at: at(0) },
    { type: 'open', at: at(1), part: { kind: 'toolCall', id: 'toolu_01A', name: 'get_weather' } },
    { type: 'delta', at: at(1), json: '{"city": "Mün' },
    { type: 'delta', at: at(1), json: 'chen", "days": 2}' },
    { type: 'close', at: at(1) },
    { type: 'open', at: at(2), part: { kind: 'toolCall', id: 'toolu_01B', name: 'get_time' } },
    { type: 'delta', at: at(2), json: '{}' },
    { type: 'close', at: at(2) },
    { type: 'stop', choice: 0, reason: 'tool', word: 'tool_use' },
    { type: 'end' },
  ])
})

t.test(
  '[FMT-9] thinking, its signature, redacted thinking and thinking that is not shown',
  async (t) => {
    const parts = decode(stream('thinking')).filter((event) => 'at' in event)
    t.strictSame(parts.slice(0, 10), [
      { type: 'open', at: at(0), part: { kind: 'reasoning' } },
      { type: 'delta', at: at(0), text: '27 * 453: first ' },
      { type: 'delta', at: at(0), text: '27 * 400.' },
      {
        type: 'delta',
        at: at(0),
        seal: 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds',
        sealBy: 'messages',
      },
      { type: 'close', at: at(0) },
      { type: 'open', at: at(1), part: { kind: 'reasoning' } },
      { type: 'delta', at: at(1), seal: 'redacted.EmwKAhgBEgy3va3pzix', sealBy: 'messages' },
      { type: 'close', at: at(1) },
      { type: 'open', at: at(2), part: { kind: 'reasoning' } },
      { type: 'delta', at: at(2), seal: 'EqoBshownNothing', sealBy: 'messages' },
    ])
  },
)

function usageOf(events: readonly Event[]) {
  return events.findLast((event) => event.type === 'usage')
}

t.test('[FMT-2] all counts, cache written by lifetime, nothing added or subtracted', async (t) => {
  t.match(usageOf(decode(stream('text'))), {
    final: true,
    usage: { input: 12, cacheRead: 2048, cacheWrite5m: 100, cacheWrite1h: 200, output: 27 },
  })
  t.match(usageOf(decode(stream('web-search'))), {
    usage: { input: 10_682, output: 510, serverTools: { web_search: 1 } },
  })
  t.match(usageOf(decode(stream('thinking'))), { usage: { output: 131, reasoning: 98 } })
})

t.test('cache writes are counted once, however they are reported', async (t) => {
  const split = (five: number, hour: number) => ({
    ephemeral_5m_input_tokens: five,
    ephemeral_1h_input_tokens: hour,
  })
  const rows: readonly (readonly [
    first: JsonObject,
    later: JsonObject,
    five: number,
    hour?: number,
  ])[] = [
    // a total alone is five-minute cache
    [{ cache_creation_input_tokens: 70 }, {}, 70],
    [{}, { cache_creation_input_tokens: 70 }, 70],
    // the split is repeated as a total
    [{ cache_creation: split(0, 70) }, { cache_creation_input_tokens: 70 }, 0, 70],
    [{ cache_creation: split(30, 40) }, { cache_creation_input_tokens: 70 }, 30, 40],
    // a total that grew over the split
    [{ cache_creation: split(30, 40) }, { cache_creation_input_tokens: 90 }, 50, 40],
    [{ cache_creation_input_tokens: 90, cache_creation: split(0, 0) }, {}, 90, 0],
    // a split with one half
    [
      { cache_creation_input_tokens: 90, cache_creation: { ephemeral_1h_input_tokens: 40 } },
      {},
      50,
      40,
    ],
  ]
  for (const [first, later, five, hour] of rows) {
    const events = decode(wire(start(first), stopped({ output_tokens: 1, ...later }), stop))
    const { usage } = usageOf(events)!
    t.strictSame(
      [usage.cacheWrite5m, usage.cacheWrite1h],
      [five, hour],
      JSON.stringify([first, later]),
    )
  }
})

t.test('later counts replace earlier ones, null is missing and 0 is not', async (t) => {
  const events = decode(
    wire(
      start({ input_tokens: 10, cache_read_input_tokens: 5 }),
      stopped({ input_tokens: 30, cache_read_input_tokens: null, output_tokens: 8 }),
      { type: 'message_delta', delta: {}, usage: { input_tokens: 0, output_tokens: 9 } },
      stop,
    ),
  )
  t.match(usageOf(events), {
    usage: { input: 0, cacheRead: 5, output: 9 },
    raw: { input_tokens: 0, cache_read_input_tokens: 5, output_tokens: 9 },
  })
  t.equal(events.filter(({ type }) => type === 'stop').length, 1)
})

t.test(
  '[FMT-3] a missing output count is billed by the parsed tokens, a nonzero one is kept',
  async (t) => {
    const rows = [
      // reported at the start, at the end, billed output
      [{ output_tokens: 1 }, { output_tokens: 250 }, 250],
      [{ output_tokens: 1 }, {}, 40],
      [{ output_tokens: 1 }, { output_tokens: 0 }, 40],
      [{ output_tokens: 1 }, undefined, 40],
      [undefined, undefined, 40],
    ] as const
    for (const [first, last, billed] of rows) {
      const reported = usageOf(decode(wire(start(first), stopped(last), stop)))?.usage
      const { usage } = finalUsage({ reported, estimatedTokens: 40, estimate: { input: 9 } })
      t.equal(usage.output, billed, JSON.stringify([first, last]))
    }
  },
)

t.test('absurd counts are seen as absurd where they are billed (M21)', async (t) => {
  for (const bad of [-5, 1e18, '12', true, {}]) {
    const events = decode(wire(start(), stopped({ output_tokens: bad as never }), stop))
    const { anomaly } = finalUsage({
      reported: usageOf(events)?.usage,
      estimatedTokens: 3,
      estimate: {},
    })
    t.equal(anomaly, true, JSON.stringify(bad))
    const result = encode(events).find(({ type }) => type === 'message_delta')!
    t.ok(Number((result.usage as JsonObject).output_tokens) >= 0, 'and never shown')
  }
})

t.test('[ERR-2] an error event is a failure with blame and a safe sentence (M14)', async (t) => {
  const rows = [
    ['invalid_request_error', 400, 'client'],
    ['authentication_error', 401, 'channel'],
    ['permission_error', 403, 'channel'],
    ['rate_limit_error', 429, 'channel'],
    ['overloaded_error', 529, 'upstream'],
    ['api_error', 500, 'upstream'],
    ['made_up_error', 200, 'upstream'],
  ] as const
  for (const [type, status, blame] of rows) {
    const message = 'Not with sk-ant-api03-abcdefghij at https://internal.example/'
    const events = decode(wire({ type: 'error', error: { type, message } }))
    t.match(events, [{ type: 'failure', failure: { status, blame } }], type)
    t.equal(events.length, 1)
    t.notMatch(JSON.stringify(events), /sk-ant|internal\.example/)
  }
  const late = decode(stream('broken-late')).map(({ type }) => type)
  t.strictSame(late, ['start', 'usage', 'open', 'delta', 'failure'], 'and no end')
})

t.test('a stream without its last event never ends (S5)', async (t) => {
  const types = decode(wire(start(), stopped({ output_tokens: 3 }))).map(({ type }) => type)
  t.notOk(types.includes('end'))
  t.ok(types.includes('usage'), 'what it counted is known')
})

t.test('it stops once and ends once, whatever follows', async (t) => {
  const types = decode(wire(start(), stopped(), stopped(), stop, stop, stopped(), { type: 'ping' }))
  t.strictSame(
    types.map(({ type }) => type),
    ['start', 'stop', 'end'],
  )
})

t.test('usage is read from the last event too (M13)', async (t) => {
  const events = decode(wire(start(), stopped(), { ...stop, usage: { output_tokens: 77 } }))
  t.match(usageOf(events), { usage: { output: 77 } })
  t.equal(events.at(-1)?.type, 'end')
})

t.test('what is not JSON breaks the stream, what is not known is passed as a note', async (t) => {
  t.match(decode('data: {"type":"mess\n\n'), [{ type: 'failure', failure: { blame: 'upstream' } }])
  const unknown = { type: 'thread_state', x: 1 }
  t.strictSame(decode(wire(unknown)), [{ type: 'note', of: 'messages', raw: unknown }])
  t.strictSame(decode(wire({ type: 'ping' })), [
    { type: 'note', of: 'messages', raw: { type: 'ping' } },
  ])
})

t.test('tool input that comes with the block is not lost, unknown blocks stay whole', async (t) => {
  const tool = { type: 'tool_use', id: 'a', name: 'look', input: { deep: true } }
  const odd = { type: 'mcp_tool_use', id: 'b', name: 'x', server_name: 's', input: {} }
  const events = decode(
    wire(
      start(),
      { type: 'content_block_start', index: 0, content_block: tool },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: odd },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{"q":1}' },
      },
      stop,
    ),
  )
  t.match(events[2], { type: 'delta', json: '{"deep":true}' })
  t.strictSame(events.slice(4, 6), [
    { type: 'open', at: at(1), part: { kind: 'opaque', of: 'messages' } },
    { type: 'close', at: at(1), whole: { ...odd, input: { q: 1 } } },
  ])
})

t.test('input of an unknown block that is no object stays the text it is', async (t) => {
  const odd = { type: 'mcp_tool_use', id: 'b', name: 'x', server_name: 's', input: {} }
  const events = decode(
    wire(
      start(),
      { type: 'content_block_start', index: 0, content_block: odd },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"q":' },
      },
      stop,
    ),
  )
  t.match(events[2], { type: 'close', whole: { ...odd, input: '{"q":' } })
})

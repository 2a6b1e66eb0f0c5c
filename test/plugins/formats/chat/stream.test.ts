/** Chat streams as events and back, whatever the cuts, and what a broken stream is not. */
import t from 'tap'
import type { Event } from '../../../../kernel/contract/event.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { sequential } from '../../../../kernel/toolkit/format/sequential.js'
import create from '../../../../plugins/formats/chat/index.js'
import { cuts, streamFixture } from './fixture.js'

const chat = create()

const names = [
  'openai-text',
  'openai-parallel-tools',
  'deepseek-reasoning',
  'moonshot-usage-in-choice',
  'two-answers-crlf',
  'openrouter-late-error',
  'error-first',
  'audio',
]

function decode(...pieces: readonly Buffer[]): Event[] {
  const decoder = chat.decodeStream()
  return [...pieces.flatMap((piece) => decoder.push(piece)), ...decoder.flush()]
}

function encode(events: readonly Event[], wantsUsage = true): Buffer {
  const encoder = chat.encodeStream({ model: 'm', wantsUsage })
  return Buffer.concat([...events.flatMap((event) => encoder.push(event)), ...encoder.flush()])
}

function chunks(bytes: Buffer): JsonObject[] {
  const frames = bytes.toString().split('\n\n').slice(0, -1)
  return frames
    .filter((frame) => frame !== 'data: [DONE]')
    .map((frame) => JSON.parse(frame.slice('data: '.length)) as JsonObject)
}

const sse = (...data: readonly (JsonObject | string)[]) =>
  Buffer.from(
    data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join(''),
  )

const chunk = (delta: JsonObject, finish_reason: string | null = null): JsonObject => ({
  id: 'r',
  choices: [{ index: 0, delta, finish_reason }],
})

t.test('a stream cut at every byte gives the same events (S1) (S2)', async (t) => {
  for (const name of names) {
    const bytes = streamFixture(name)
    const whole = JSON.stringify(decode(bytes))
    let different = 0
    for (const pieces of cuts(bytes)) {
      if (JSON.stringify(decode(...pieces)) !== whole) different += 1
    }
    t.equal(different, 0, name)
  }
  const large = Buffer.concat([
    streamFixture('openai-text').subarray(0, -14),
    streamFixture('openai-text'),
  ])
  const whole = JSON.stringify(decode(large))
  for (const pieces of cuts(large)) t.equal(JSON.stringify(decode(...pieces)), whole)
})

t.test(
  'events are well formed: parts open and close once, the end comes once and last',
  async (t) => {
    for (const name of names.filter((one) => !one.includes('error'))) {
      const events = decode(streamFixture(name))
      t.equal(events[0]?.type, 'start', name)
      t.equal(events.at(-1)?.type, 'end', name)
      t.equal(events.filter(({ type }) => type === 'end').length, 1)
      const open = new Set<string>()
      for (const event of events) {
        if (event.type !== 'open' && event.type !== 'delta' && event.type !== 'close') continue
        const key = `${event.at.choice}/${event.at.part}`
        t.equal(open.has(key), event.type !== 'open', `${name} ${key} ${event.type}`)
        if (event.type === 'open') open.add(key)
        if (event.type === 'close') open.delete(key)
      }
      t.equal(open.size, 0, name)
    }
  },
)

t.test('reasoning, text and usage of a reasoning stream', async (t) => {
  const events = decode(streamFixture('deepseek-reasoning'))
  const kinds = events.flatMap((event) => (event.type === 'open' ? [event.part.kind] : []))
  t.strictSame(kinds, ['reasoning', 'text'])
  t.match(
    events.find(({ type }) => type === 'usage'),
    { usage: { input: 18, cacheRead: 0, output: 249, reasoning: 205 }, final: true },
  )
})

t.test('parallel tool calls interleave, and come in turn through sequential', async (t) => {
  const events = decode(streamFixture('openai-parallel-tools'))
  const parts = (list: readonly Event[]) =>
    list.flatMap((event) => (event.type === 'delta' ? [event.at.part] : [])).join('')
  t.equal(parts(events), '00110')
  const line = sequential()
  const inTurn = events.flatMap((event) => line.push(event))
  t.equal(parts(inTurn), '00011')
  t.strictSame(chat.encodeReply(inTurn, { model: 'm' }), chat.encodeReply(events, { model: 'm' }))
})

t.test('tool calls of upstreams that are careless with index, id and name', async (t) => {
  const calls = (...deltas: readonly JsonObject[][]) => {
    const events = decode(
      sse(...deltas.map((tool_calls) => chunk({ tool_calls })), chunk({}, 'tool_calls'), '[DONE]'),
    )
    const body = chat.encodeReply(events, { model: 'm' }) as { choices: { message: JsonObject }[] }
    return (body.choices[0]!.message.tool_calls as JsonObject[]).map(
      ({ id, function: called }) => ({
        id,
        ...(called as JsonObject),
      }),
    )
  }
  const f = (name: string | undefined, json: string) => ({ name, arguments: json })
  t.strictSame(
    calls(
      [{ index: 0, id: 'a', function: f('x', '{}') }],
      [{ index: 0, id: 'b', function: f('y', '{}') }],
    ),
    [
      { id: 'a', name: 'x', arguments: '{}' },
      { id: 'b', name: 'y', arguments: '{}' },
    ],
    'one index for all',
  )
  t.strictSame(
    calls(
      [{ index: 0, id: 'a', function: f('x', '{') }],
      [{ index: 0, id: 'a', function: f('x', '}') }],
    ),
    [{ id: 'a', name: 'x', arguments: '{}' }],
    'id and name repeated',
  )
  t.strictSame(
    calls(
      [{ index: 1, id: 'a', function: f(undefined, '{') }],
      [{ index: 1, function: f('x', '}') }],
    ),
    [{ id: 'a', name: 'x', arguments: '{}' }],
    'the name comes late',
  )
  const minted = calls([
    { index: 0, function: f('x', '{}') },
    { index: 1, function: f('x', '{}') },
  ])
  t.match(minted[0]?.id, /^call_[0-9a-f]{24}$/)
  t.not(minted[0]?.id, minted[1]?.id)
  t.strictSame(calls([{ id: 'a', function: { name: 'x', arguments: { b: 1 } } }]), [
    { id: 'a', name: 'x', arguments: '{"b":1}' },
  ])
})

t.test('[FMT-10] a proper end, and only that, is reported with the terminator (S5)', async (t) => {
  const events = decode(streamFixture('openai-text'))
  t.ok(encode(events).toString().endsWith('\n\ndata: [DONE]\n\n'))
  const bytes = streamFixture('openai-text')
  const broken = decode(bytes.subarray(0, bytes.indexOf('"finish_reason":"stop"') - 1))
  t.notOk(broken.some(({ type }) => type === 'end'))
  t.notMatch(encode(broken).toString(), /\[DONE\]/)
  const cutInside = decode(bytes.subarray(0, bytes.indexOf('world')))
  t.notOk(cutInside.some(({ type }) => type === 'end' || type === 'failure'))
  t.ok(
    decode(bytes.subarray(0, -2)).some(({ type }) => type === 'end'),
    'only the blank line is missing',
  )
})

t.test(
  '[FMT-10] role first, then deltas, finish reason, usage where it was requested',
  async (t) => {
    const events = decode(streamFixture('openai-text'))
    const results = chunks(encode(events, true))
    const deltas = results.map(({ choices }) => (choices as JsonObject[])[0])
    t.strictSame(deltas[0]?.delta, { role: 'assistant', content: '' })
    t.strictSame(deltas[1]?.delta, { content: 'Hello' })
    t.match(deltas.at(-2), { delta: {}, finish_reason: 'stop' })
    t.match(results.at(-1), { choices: [], usage: { prompt_tokens: 1117, completion_tokens: 46 } })
    for (const one of results) {
      t.match(one, {
        id: 'chatcmpl-AbC123',
        object: 'chat.completion.chunk',
        created: 1731234567,
        model: 'm',
      })
    }
    const silent = chunks(encode(events, false))
    t.equal(silent.length, results.length - 1)
    t.notOk(silent.some(({ usage }) => usage !== undefined))
  },
)

t.test('what is decoded, encoded and decoded again is the same answer', async (t) => {
  for (const name of names.filter((one) => !one.includes('error'))) {
    const events = decode(streamFixture(name))
    const again = decode(encode(events))
    const fold = (list: readonly Event[]) => chat.encodeReply(list, { model: 'm' })
    t.strictSame(fold(again), fold(events), name)
  }
})

t.test('an error in the stream is a failure and the last event (M14)', async (t) => {
  const late = decode(streamFixture('openrouter-late-error'))
  t.strictSame(
    late.flatMap((event) => (event.type === 'delta' ? [event.text] : [])),
    ['Partial', ' answer'],
  )
  t.match(late.at(-1), { type: 'failure', failure: { blame: 'upstream', status: 502 } })
  const [first, ...rest] = decode(streamFixture('error-first'))
  t.match(first, { type: 'failure', failure: { blame: 'channel', status: 429 } })
  t.notMatch(JSON.stringify(first), /sk-|api\.example/)
  t.strictSame(rest, [])
  const others = ['{"choices":', 'overloaded', '[]', '{"object":"error","message":"x"}']
  for (const data of others) t.match(decode(sse(data)), [{ type: 'failure' }], data)
  t.match(decode(Buffer.from('event: error\ndata: {"message":"x"}\n\n')), [{ type: 'failure' }])
})

t.test('comments, empty chunks and what follows the end are no content (S3)', async (t) => {
  const bytes = Buffer.concat([
    Buffer.from(': OPENROUTER PROCESSING\n\n: PING\n\n'),
    sse({ id: '', choices: [], prompt_filter_results: [] }),
    sse(
      chunk({ role: 'assistant', content: '' }),
      chunk({}, 'stop'),
      '[DONE]',
      chunk({ content: 'late' }),
    ),
  ])
  t.strictSame(
    decode(bytes).map(({ type }) => type),
    ['start', 'stop', 'end'],
  )
})

t.test('an event above the cap is one failure (S4)', async (t) => {
  const decoder = chat.decodeStream()
  const piece = Buffer.alloc(8 * 1024 * 1024, 'x')
  const events = [1, 2, 3, 4, 5].flatMap(() => decoder.push(piece))
  t.match(events, [{ type: 'failure', failure: { code: 'upstream_too_large', blame: 'upstream' } }])
  t.equal(events.length, 1)
})

/** Streams that pass as bytes: what is forwarded, what is withheld, and that nothing is counted differently. */
import fc from 'fast-check'
import t from 'tap'
import type { Usage } from '../../../../kernel/contract/event.js'
import type { StreamWatch } from '../../../../kernel/contract/format.js'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { TokenCounter } from '../../../../kernel/toolkit/format/token-estimate.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'
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

function through(watch: StreamWatch, pieces: readonly Buffer[]): Buffer {
  return Buffer.concat([...pieces.map((piece) => watch.push(piece)), watch.flush()])
}

function seen({ started, ended, failure, usage, raw, estimatedTokens }: StreamWatch) {
  return { started, ended, failure, usage, raw, estimatedTokens }
}

/** What the decoder finds in the same bytes. */
function decoded(bytes: Buffer): ReturnType<typeof seen> {
  const decoder = chat.decodeStream()
  const events = [...decoder.push(bytes), ...decoder.flush()]
  const counter = new TokenCounter()
  let usage: Usage | undefined
  let raw: JsonObject | undefined
  for (const event of events) {
    if (event.type === 'delta') counter.add(event.text ?? event.json ?? '')
    if (event.type !== 'usage') continue
    usage = { ...usage, ...event.usage }
    raw = event.raw
  }
  const failed = events.find(({ type }) => type === 'failure')
  return {
    started: events.some(({ type }) => type === 'open' || type === 'delta'),
    ended: events.some(({ type }) => type === 'end'),
    failure: failed?.type === 'failure' ? failed.failure : undefined,
    usage,
    raw,
    estimatedTokens: counter.estimatedTokens,
  }
}

const sse = (...data: readonly (JsonObject | string)[]) =>
  Buffer.from(
    data.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join(''),
  )

const chunk = (delta: JsonObject, fields: JsonObject = {}): JsonObject => ({
  id: 'r',
  choices: [{ index: 0, delta, finish_reason: null }],
  ...fields,
})

t.test('a watch sees what the decoder sees, cut at every byte (M12) (M14) (S1) (S3)', async (t) => {
  for (const name of names) {
    const bytes = streamFixture(name)
    const expected = decoded(bytes)
    for (const pieces of cuts(bytes)) {
      const watch = chat.watch({ wantsUsage: true })
      through(watch, pieces)
      const found = seen(watch)
      if (JSON.stringify(found) !== JSON.stringify(expected)) t.strictSame(found, expected, name)
    }
    const whole = chat.watch({ wantsUsage: true })
    through(whole, [bytes])
    t.strictSame(seen(whole), expected, name)
  }
})

t.test('a client that requested usage gets every byte, whatever the cuts', async (t) => {
  for (const name of names.filter((one) => !one.includes('error'))) {
    const bytes = streamFixture(name)
    for (const pieces of cuts(bytes)) {
      const out = through(chat.watch({ wantsUsage: true }), pieces).toString()
      if (!isWhole(out, bytes.toString())) t.equal(out, bytes.toString(), name)
    }
    t.ok(through(chat.watch({ wantsUsage: true }), [bytes]).equals(bytes), name)
  }
})

/** Nothing follows the terminator, so the LF of its last CRLF may stay out where it came alone. */
function isWhole(out: string, expected: string): boolean {
  return out === expected || (expected.endsWith('\r\n') && `${out}\n` === expected)
}

t.test('a client that did not ask is spared the extra chunk, and no more (M12)', async (t) => {
  for (const name of ['openai-text', 'two-answers-crlf', 'audio']) {
    const bytes = streamFixture(name)
    const text = bytes.toString()
    const end = text.includes('\r\n\r\n') ? '\r\n\r\n' : '\n\n'
    const spared = text
      .split(end)
      .filter((frame) => !/"choices": ?\[\]/.test(frame))
      .join(end)
    t.not(spared, text)
    for (const pieces of cuts(bytes)) {
      const watch = chat.watch({ wantsUsage: false })
      const out = through(watch, pieces).toString()
      if (!isWhole(out, spared)) t.equal(out, spared, name)
      if (watch.usage === undefined) t.fail('usage was withheld, not read')
    }
    t.equal(through(chat.watch({ wantsUsage: false }), [bytes]).toString(), spared)
  }
  const inChoice = streamFixture('moonshot-usage-in-choice')
  t.ok(through(chat.watch({ wantsUsage: false }), [inChoice]).equals(inChoice))
  const beside = sse(chunk({ content: 'a' }, { usage: { completion_tokens: 1 } }), '[DONE]')
  const watch = chat.watch({ wantsUsage: false })
  t.ok(through(watch, [beside]).equals(beside), 'usage beside content stays')
  t.strictSame(watch.usage, { output: 1 })
})

t.test('whole frames in one chunk come back as the very buffer', async (t) => {
  const watch = chat.watch({ wantsUsage: false })
  for (const piece of [
    sse(chunk({ role: 'assistant', content: '' })),
    sse(chunk({ content: 'Hi' })),
    sse(chunk({ content: ' there' }), chunk({ content: '!' })),
    Buffer.from(': keep-alive\n\n'),
    sse('[DONE]'),
  ]) {
    t.equal(watch.push(piece), piece)
  }
})

t.test('an error frame is withheld, before content and after (M14)', async (t) => {
  const first = chat.watch({ wantsUsage: false })
  t.equal(through(first, [streamFixture('error-first')]).toString(), ': keep-alive\n\n')
  t.match(seen(first), {
    started: false,
    ended: false,
    failure: { status: 429 },
    estimatedTokens: 0,
  })
  const late = chat.watch({ wantsUsage: false })
  const out = through(late, [streamFixture('openrouter-late-error')]).toString()
  t.match(out, /Partial.*answer/s)
  t.notMatch(out, /Provider disconnected/)
  t.match(seen(late), { started: true, ended: false, failure: { blame: 'upstream' } })
  t.equal(late.push(sse(chunk({ content: 'more' }))).length, 0, 'nothing follows a failure')
})

t.test(
  'a stream cut before its reason to stop has not ended, and no end is made up (S5)',
  async (t) => {
    const bytes = streamFixture('openai-text')
    const watch = chat.watch({ wantsUsage: true })
    const out = through(watch, [bytes.subarray(0, bytes.indexOf('"finish_reason":"stop"') - 1)])
    t.equal(watch.ended, false)
    t.notMatch(out.toString(), /DONE|data: \[/)
    const unfinished = chat.watch({ wantsUsage: true })
    t.ok(through(unfinished, [bytes.subarray(0, -1)]).equals(bytes), 'only a line end was missing')
    t.equal(unfinished.ended, true)
  },
)

t.test('the first content counts as the start, a role or a comment does not (S3)', async (t) => {
  const notYet = [
    Buffer.from(': PING\n\n'),
    sse({ id: '', choices: [], prompt_filter_results: [] }),
    sse(chunk({ role: 'assistant', content: '' })),
    sse(chunk({ role: 'assistant', content: null, reasoning_content: '' })),
  ]
  const starts = [
    chunk({ content: 'x' }),
    chunk({ reasoning_content: 'x' }),
    chunk({ reasoning: 'x' }),
    chunk({ refusal: 'x' }),
    chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '' } }] }),
    chunk({ audio: { data: 'AA==' } }),
    chunk({ content: [{ type: 'text', text: 'x' }] }),
    chunk({ images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } }] }),
  ]
  for (const start of starts) {
    const watch = chat.watch({ wantsUsage: false })
    for (const piece of notYet) watch.push(piece)
    t.equal(watch.started, false)
    watch.push(sse(start))
    t.equal(watch.started, true, JSON.stringify(start))
  }
})

t.test('text is counted where it stands, and nothing that only looks like it', async (t) => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('"content":"x"', '\\"', '{"a":['),
  )
  const delta = fc.oneof(
    fc.record({ content: text }),
    fc.record({ reasoning_content: text, content: fc.constant(null) }),
    fc.record({ refusal: text }),
    fc.record({ content: fc.array(fc.record({ type: fc.constant('text'), text })) }),
    text.map((json) => ({
      tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: json } }],
    })),
    text.map((title) => ({
      annotations: [{ type: 'url_citation', url_citation: { content: title, text: title } }],
    })),
    text.map((transcript) => ({ audio: { data: 'AAAA', transcript } })),
  )
  const choice = fc.record({ index: fc.constant(0), delta, finish_reason: fc.constant(null) })
  const extra = fc.record({ name: text, content: text, delta: text, usage: fc.constant(null) })
  const stream = fc.array(fc.tuple(choice, extra, fc.constantFrom(0, 1)), { minLength: 1 })
  fc.assert(
    fc.property(stream, fc.nat(), (steps, place) => {
      const frames = steps.map(([one, more, spaces]) => {
        const json = JSON.stringify({ id: 'r', ...more, choices: [one] }, null, spaces)
        return json
          .split('\n')
          .map((line) => `data: ${line}\n`)
          .join('')
      })
      const bytes = Buffer.from(`${frames.map((frame) => `${frame}\n`).join('')}data: [DONE]\n\n`)
      const at = place % bytes.length
      const watch = chat.watch({ wantsUsage: false })
      const out = through(watch, [bytes.subarray(0, at), bytes.subarray(at)])
      t.ok(out.equals(bytes))
      t.strictSame(seen(watch), decoded(bytes))
    }),
    { numRuns: 200 },
  )
})

t.test('a frame too large to hold passes in pieces and is counted all the same (S4)', async (t) => {
  const words = 'large answers "in one" piece, 天气 é\n'.repeat(8000)
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
  const bytes = sse(
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: words }, { usage }),
    chunk({
      images: [
        { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(300_000)}` } },
      ],
    }),
    '[DONE]',
  )
  const expected = decoded(bytes)
  for (const size of [1000, 16_384, 65_536, 100_003]) {
    const watch = chat.watch({ wantsUsage: false })
    let held = 0
    let most = 0
    const out: Buffer[] = []
    for (let at = 0; at < bytes.length; at += size) {
      const piece = bytes.subarray(at, at + size)
      const forwarded = watch.push(piece)
      held += piece.length - forwarded.length
      most = Math.max(most, held)
      out.push(forwarded)
    }
    t.ok(Buffer.concat(out).equals(bytes), `in pieces of ${size}`)
    t.ok(most <= limits.frameHoldBytesMax, `held ${most}`)
    t.strictSame(seen(watch), expected)
  }
})

t.test('an image too large to hold is the first content too (S4)', async (t) => {
  const url = `data:image/png;base64,${'A'.repeat(100_000)}`
  const watch = chat.watch({ wantsUsage: false })
  const bytes = sse(chunk({ images: [{ type: 'image_url', image_url: { url } }] }))
  t.equal(watch.push(bytes.subarray(0, 40_000)).length, 0)
  t.equal(watch.started, false)
  t.equal(watch.push(bytes.subarray(40_000, 80_000)).length, 80_000)
  t.equal(watch.started, true)
})

t.test('an event above the cap is a failure, however it passes (S4)', async (t) => {
  const watch = chat.watch({ wantsUsage: false })
  watch.push(Buffer.from('data: {"choices":[{"delta":{"content":"'))
  const piece = Buffer.alloc(1024 * 1024, 'x')
  for (let at = 0; at < limits.eventBytesMax; at += piece.length) watch.push(piece)
  t.match(watch.failure, { code: 'upstream_too_large', blame: 'upstream' })
})

t.test('keys cut in two within a large frame are known all the same', async (t) => {
  const call = (index: number) => ({
    index,
    id: `c${index}`,
    function: { name: 'f', arguments: 'some "words" here ' },
  })
  const calls = Array.from({ length: 1500 }, (_, index) => call(index))
  const bytes = sse(
    chunk({ tool_calls: calls, content: 'and text' }, { usage: { prompt_tokens: 7 } }),
  )
  const expected = decoded(bytes)
  for (const size of [5, 7, 1009]) {
    const watch = chat.watch({ wantsUsage: false })
    for (let at = 0; at < bytes.length; at += size) watch.push(bytes.subarray(at, at + size))
    const { estimatedTokens, usage } = seen(watch)
    // Text stands behind the calls here and in front of them there: a token may fall differently.
    t.ok(
      Math.abs(estimatedTokens - expected.estimatedTokens) <= 1,
      `${estimatedTokens} and ${expected.estimatedTokens}`,
    )
    t.strictSame(usage, { input: 7 })
  }
})

t.test('later counts replace earlier ones, missing ones do not', async (t) => {
  const bytes = sse(
    chunk({ content: 'a' }, { usage: { prompt_tokens: 5, completion_tokens: 1 } }),
    chunk({ content: 'b' }, { usage: null }),
    chunk({}, { usage: { completion_tokens: 0 } }),
    '[DONE]',
  )
  const watch = chat.watch({ wantsUsage: false })
  through(watch, [bytes])
  t.strictSame(watch.usage, { input: 5, output: 0 })
  t.strictSame(watch.raw, { completion_tokens: 0 })
})

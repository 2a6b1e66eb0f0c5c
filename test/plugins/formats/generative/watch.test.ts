/** Generative streams that pass as they are: what is forwarded, withheld, put in other frames and counted. */
import t from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { estimateTokens } from '../../../../kernel/toolkit/format/token-estimate.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'
import { cuttings } from '../../../conformance/kit.js'
import { stream } from './recorded.js'
import { asArray, chunk, format, wire } from './wire.js'

const watching = () => format.watch({ wantsUsage: true })
const watchingArray = () => format.watch({ wantsUsage: true, hints: asArray })

const frame = (one: JsonObject) => Buffer.from(wire(one))
const eventOf = (text: string) => frame(chunk([{ text }]))
const stops = frame(chunk([{ text: '' }], { finishReason: 'STOP' }))

t.test('content starts with the first word, not with a comment or an empty chunk', async (t) => {
  const watch = watching()
  watch.push(Buffer.concat([Buffer.from(': hello\n\n'), frame({}), frame(chunk([{ text: '' }]))]))
  t.equal(watch.started, false)
  watch.push(eventOf('Hi'))
  t.equal(watch.started, true)
  for (const part of [
    { text: 'Hm', thought: true },
    { functionCall: { name: 'a' } },
    { inlineData: { mimeType: 'image/png', data: '' } },
    { text: '', thoughtSignature: 's' },
  ]) {
    const other = watching()
    other.push(frame(chunk([part])))
    t.equal(other.started, true, JSON.stringify(part))
  }
})

t.test('whole frames pass in the buffer they came in', async (t) => {
  const watch = watching()
  const bytes = stream('thinking')
  t.equal(watch.push(bytes), bytes)
  t.equal(watch.flush().length, 0)
  t.equal(watch.ended, true)
})

t.test('a frame is forwarded when it is whole', async (t) => {
  const watch = watching()
  const bytes = Buffer.concat([eventOf('Hello'), eventOf(' you')])
  const cut = bytes.length - 9
  t.same(watch.push(bytes.subarray(0, cut)), eventOf('Hello'))
  t.same(watch.push(bytes.subarray(cut)), eventOf(' you'))
})

t.test('[FMT-10] only the close of the upstream ends a stream (S5)', async (t) => {
  const closed = (...pieces: Buffer[]) => {
    const watch = watching()
    for (const piece of pieces) watch.push(piece)
    t.equal(watch.ended, false, 'usage may still come')
    watch.flush()
    return watch.ended
  }
  const other = frame({ candidates: [{ index: 11, content: { parts: [{ text: 'x' }] } }] })
  const otherStops = frame({ candidates: [{ finishReason: 'STOP', index: 11 }] })
  t.equal(closed(eventOf('Hi'), stops), true)
  t.equal(closed(eventOf('Hi')), false)
  t.equal(closed(eventOf('Hi'), other, stops), false, 'one goes on')
  t.equal(closed(eventOf('Hi'), other, stops, otherStops), true)
  t.equal(closed(stops, frame({ usageMetadata: { promptTokenCount: 1 } })), true)
  t.equal(closed(stops, Buffer.from('data: {"candidates":[')), false, 'torn')
  t.equal(closed(stops, Buffer.from('\n')), true)
})

t.test('flushed twice it reveals nothing twice', async (t) => {
  const watch = watchingArray()
  watch.push(Buffer.concat([eventOf('Hi'), stops]))
  t.equal(watch.flush().toString(), '\n]\n')
  t.equal(watch.flush().length, 0)
})

t.test('[ERR-2] an error is withheld, what came before it passes (M14)', async (t) => {
  const secret = { error: { code: 429, message: 'key sk-abcdefghijkl', status: 'X' } }
  const forms = {
    'in a frame': frame(secret),
    'without a frame': Buffer.from(`${JSON.stringify(secret, null, 2)}\n\n`),
    'as an event': Buffer.from(`event: error\ndata: ${JSON.stringify(secret)}\n\n`),
  }
  for (const [name, error] of Object.entries(forms)) {
    const watch = watching()
    const passed = watch.push(Buffer.concat([eventOf('Hi'), error, eventOf('more')]))
    t.same(passed, eventOf('Hi'), name)
    t.match(watch.failure, { status: 429, blame: 'channel' }, name)
    t.notMatch(JSON.stringify(watch.failure), /sk-/, name)
    t.equal(watch.push(eventOf('x')).length, 0, name)
    t.equal(watch.flush().length, 0, name)
    t.equal(watch.ended, false, name)
  }
  const late = watching()
  late.push(stream('broken-late'))
  late.flush()
  t.match(late.failure, { status: 503 })
})

t.test('[ERR-2] an error of any size and at any cut is withheld', async (t) => {
  const message = '"candidates":[ '.repeat(10_000)
  const error = frame({ error: { code: 500, message } })
  for (const size of [1000, 70_000, error.length]) {
    const watch = watching()
    watch.push(eventOf('Hi'))
    let passed = 0
    for (let from = 0; from < error.length; from += size) {
      passed += watch.push(error.subarray(from, from + size)).length
    }
    t.equal(passed, 0, `${size}`)
    t.ok(watch.failure, `${size}`)
  }
})

t.test('an error at the end of a frame that passes in pieces stops it', async (t) => {
  const watch = watching()
  const parts = [{ inlineData: { mimeType: 'image/png', data: 'A'.repeat(200_000) } }]
  const bytes = frame({ ...chunk(parts), error: { message: 'sk-abcdefghijkl' } })
  const passed: Buffer[] = []
  for (let from = 0; from < bytes.length; from += 50_000) {
    passed.push(watch.push(bytes.subarray(from, from + 50_000)))
  }
  t.notMatch(Buffer.concat(passed).toString(), /sk-/)
  t.ok(watch.failure)
})

t.test('a blocked prompt is a failure', async (t) => {
  const watch = watching()
  t.equal(watch.push(stream('blocked')).length, 0)
  t.match(watch.failure, { blame: 'client', code: 'prompt_blocked' })
})

t.test('what is not the format breaks the stream and does not pass', async (t) => {
  for (const junk of ['data: <html>\n\n', 'data: [DONE]\n\n', 'data: {"candidates":[{\n\n']) {
    const watch = watching()
    t.equal(watch.push(Buffer.from(junk)).length, 0)
    t.match(watch.failure, { code: 'upstream_error' }, junk)
  }
})

t.test('an event that never ends is cut off at the bound (S4)', async (t) => {
  const watch = watching()
  watch.push(eventOf('Hi'))
  watch.push(Buffer.from('data: {"error":{"x":"'))
  const piece = Buffer.alloc(1024 * 1024, 'x')
  let pieces = 0
  while (watch.failure === undefined && pieces < 40) {
    t.equal(watch.push(piece).length, 0)
    pieces += 1
  }
  t.equal(pieces, limits.wholeEventBytesMax / piece.length)
  t.match(watch.failure, { code: 'upstream_too_large', blame: 'upstream' })
})

t.test(
  'an image larger than what is held back passes in pieces, also as the first (S4)',
  async (t) => {
    const image = chunk([{ inlineData: { mimeType: 'image/png', data: 'A'.repeat(300_000) } }])
    const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 1290 }
    const bytes = Buffer.concat([frame({ ...image, usageMetadata }), stops])
    for (const size of [10_000, 65_536, 100_001]) {
      const watch = watching()
      const passed: Buffer[] = []
      for (let from = 0; from < bytes.length; from += size) {
        passed.push(watch.push(bytes.subarray(from, from + size)))
      }
      passed.push(watch.flush())
      t.ok(
        passed.slice(0, -2).some(({ length }) => length > 0),
        'it did not wait for the end',
      )
      t.same(Buffer.concat(passed), bytes, `${size}`)
      t.equal(watch.estimatedTokens, 0)
      t.strictSame(watch.usage, { input: 5, output: 1290 })
      t.equal(watch.ended, true)
    }
    const torn = watching()
    torn.push(stops)
    torn.push(bytes.subarray(0, 150_000))
    torn.flush()
    t.equal(torn.ended, false)
  },
)

t.test('text that passes in pieces is counted', async (t) => {
  const text = 'word "quoted" \\ 北京 '.repeat(20_000)
  const bytes = eventOf(text)
  const watch = watching()
  for (let from = 0; from < bytes.length; from += 70_001) {
    watch.push(bytes.subarray(from, from + 70_001))
  }
  t.equal(watch.estimatedTokens, estimateTokens(text))
})

t.test('only what the model wrote is counted, across any cut', async (t) => {
  const texts = ['The qui', 'ck "brown" \\ fox\n', ' jumps 北京 🚀']
  const watch = watching()
  for (const text of texts) watch.push(eventOf(text))
  t.equal(watch.estimatedTokens, estimateTokens(texts.join('')))
  const silent = {
    ...chunk(
      [
        { text: '', thoughtSignature: 'x'.repeat(900) },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: 'many words of it' } },
      ],
      {
        groundingMetadata: {
          webSearchQueries: ['text'],
          searchEntryPoint: { renderedContent: 'many words, "text": "of it"' },
          groundingSupports: [{ segment: { text: 'The quick' } }],
        },
        finishMessage: 'many words of it',
        citationMetadata: { citationSources: [{ license: 'mit', text: 'x' }] },
      },
    ),
    promptFeedback: { safetyRatings: [{ text: 'x' }] },
    text: 'x',
    parts: [{ text: 'x' }],
  }
  watch.push(frame(silent))
  t.equal(watch.estimatedTokens, estimateTokens(texts.join('')))
})

t.test('thoughts, arguments and code are output too', async (t) => {
  const counted = (part: JsonObject) => {
    const watch = watching()
    watch.push(frame(chunk([part])))
    return watch.estimatedTokens
  }
  const words = 'several words of it, all told'
  t.equal(counted({ text: words, thought: true }), estimateTokens(words))
  t.equal(counted({ executableCode: { language: 'PYTHON', code: words } }), estimateTokens(words))
  const args = { text: words, parts: [{ text: words }], finishReason: 'STOP', index: 3 }
  t.equal(counted({ functionCall: { name: 'a', args } }), estimateTokens(JSON.stringify(args)))
  const watch = watching()
  watch.push(frame(chunk([{ functionCall: { name: 'a', args } }])))
  watch.flush()
  t.equal(watch.ended, false, 'words in arguments mean nothing')
})

t.test('spaces, breaks of lines and the order of keys change nothing', async (t) => {
  const last = {
    usageMetadata: { totalTokenCount: 9, promptTokenCount: 4, candidatesTokenCount: 5 },
    candidates: [
      { finishReason: 'STOP', index: 0, content: { role: 'model', parts: [{ text: '!' }] } },
    ],
  }
  const pretty = (one: JsonObject) =>
    `${JSON.stringify(one, null, 2).replaceAll(/^/gm, 'data: ')}\n\n`
  for (const make of [watching, watchingArray]) {
    const watch = make()
    const passed: Buffer[] = [pretty(chunk([{ text: 'Hello there' }])), pretty(last)].map((text) =>
      Buffer.from(watch.push(Buffer.from(text))),
    )
    passed.push(watch.flush())
    t.equal(watch.estimatedTokens, estimateTokens('Hello there!'))
    t.strictSame(watch.usage, { input: 4, output: 5 })
    t.equal(watch.ended, true)
    const text = Buffer.concat(passed).toString('utf8')
    if (make === watchingArray)
      t.strictSame(JSON.parse(text), [chunk([{ text: 'Hello there' }]), last])
    else t.equal(text, pretty(chunk([{ text: 'Hello there' }])) + pretty(last))
  }
})

t.test('the last usage that counts is the usage', async (t) => {
  const watch = watching()
  t.equal(watch.usage, undefined)
  const counts = (candidatesTokenCount: number) => ({ promptTokenCount: 4, candidatesTokenCount })
  watch.push(frame({ ...chunk([{ text: 'a' }]), usageMetadata: { trafficType: 'ON_DEMAND' } }))
  t.equal(watch.usage, undefined)
  watch.push(frame({ ...chunk([{ text: 'a' }]), usageMetadata: counts(1) }))
  watch.push(frame({ ...chunk([{ text: 'b' }]), usageMetadata: counts(2) }))
  t.strictSame(watch.usage, { input: 4, output: 2 })
  watch.push(frame({ ...chunk([]), usageMetadata: { trafficType: 'ON_DEMAND' } }))
  t.strictSame(watch.raw, counts(2))
  const searched = { groundingMetadata: { webSearchQueries: ['a'] } }
  watch.push(frame(chunk([], { finishReason: 'STOP', ...searched })))
  t.strictSame(watch.usage, { input: 4, output: 2, serverTools: { google_search: 1 } })
})

t.test('[FMT-10] a reader of an array gets the same chunks, at every cut', async (t) => {
  for (const name of ['text', 'tools', 'search', 'two-answers']) {
    const bytes = stream(name)
    const chunks = bytes
      .toString('utf8')
      .split(/\r?\n\r?\n/)
      .filter((one) => one !== '')
      .map((one) => JSON.parse(one.slice('data: '.length)))
    let wrong = 0
    let ways = 0
    for (const { pieces } of cuttings(bytes)) {
      const watch = watchingArray()
      const out = [...pieces.map((piece) => Buffer.from(watch.push(piece))), watch.flush()]
      const message = Buffer.concat(out).toString('utf8')
      ways += 1
      if (JSON.stringify(JSON.parse(message)) !== JSON.stringify(chunks)) wrong += 1
      if (!watch.ended || !message.startsWith('[{') || !message.endsWith('}\n]\n')) wrong += 1
    }
    t.ok(ways > 200, name)
    t.equal(wrong, 0, name)
  }
})

t.test('an array waits for its whole element, and is left open by a break', async (t) => {
  const watch = watchingArray()
  const image = eventOf('A'.repeat(200_000))
  t.equal(
    watch.push(Buffer.concat([Buffer.from(': hi\n\n'), image.subarray(0, 150_000)])).length,
    0,
  )
  t.equal(watch.push(image.subarray(150_000)).toString(), `[${image.toString().slice(6, -2)}`)
  const error = frame({ error: { code: 503, message: 'm' } })
  t.equal(watch.push(error).length, 0)
  t.match(watch.failure, { status: 503 })
  t.equal(watch.flush().length, 0)
})

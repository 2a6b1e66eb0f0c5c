/** Messages streams that pass as they are: what is forwarded, withheld and counted. */
import t from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { estimateTokens } from '../../../../kernel/toolkit/format/token-estimate.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'
import create from '../../../../plugins/formats/messages/index.js'
import { stream } from './recorded.js'

const format = create()
const watching = () => format.watch({ wantsUsage: false })

function frame(event: JsonObject): Buffer {
  return Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

const opening = [
  frame({ type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 1 } } }),
  frame({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
]

function delta(text: string): Buffer {
  return frame({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })
}

t.test('content starts with the first block, not with the head or a ping', async (t) => {
  const watch = watching()
  watch.push(Buffer.concat([opening[0]!, frame({ type: 'ping' }), Buffer.from(': hello\n\n')]))
  t.equal(watch.started, false)
  watch.push(opening[1]!)
  t.equal(watch.started, true)
})

t.test('whole frames pass in the buffer they came in', async (t) => {
  const watch = watching()
  const bytes = stream('text')
  t.equal(watch.push(bytes), bytes)
  t.equal(watch.ended, true)
})

t.test('a frame is forwarded when it is whole', async (t) => {
  const watch = watching()
  const bytes = Buffer.concat([...opening, delta('Hello')])
  const cut = bytes.length - 9
  const first = watch.push(bytes.subarray(0, cut))
  t.equal(first.toString(), Buffer.concat(opening).toString())
  t.equal(watch.push(bytes.subarray(cut)).toString(), delta('Hello').toString())
})

t.test('[ERR-2] an error frame is withheld, what came before it passes (M14)', async (t) => {
  const watch = watching()
  const error = frame({
    type: 'error',
    error: { type: 'overloaded_error', message: 'key sk-abcdefghijkl' },
  })
  const passed = watch.push(Buffer.concat([...opening, delta('Hi'), error, delta('more')]))
  t.equal(passed.toString(), Buffer.concat([...opening, delta('Hi')]).toString())
  t.match(watch.failure, { status: 529, blame: 'upstream' })
  t.notMatch(JSON.stringify(watch.failure), /sk-/)
  t.equal(watch.push(delta('x')).length, 0, 'nothing follows')
  t.equal(watch.ended, false)
})

t.test('[ERR-2] an error of any size and at any cut is withheld', async (t) => {
  const message = 'content_block_delta '.repeat(10_000)
  const error = frame({ type: 'error', error: { type: 'api_error', message } })
  for (const size of [1000, 70_000, error.length]) {
    const watch = watching()
    watch.push(Buffer.concat(opening))
    let passed = 0
    for (let from = 0; from < error.length; from += size) {
      passed += watch.push(error.subarray(from, from + size)).length
    }
    t.equal(passed, 0, `${size}`)
    t.ok(watch.failure, `${size}`)
  }
})

t.test('an event that never ends is cut off at the bound (S4)', async (t) => {
  const watch = watching()
  watch.push(Buffer.concat(opening))
  watch.push(Buffer.from('event: error\ndata: {"type":"error","x":"'))
  const piece = Buffer.alloc(1024 * 1024, 'x')
  let pieces = 0
  while (watch.failure === undefined && pieces < 40) {
    t.equal(watch.push(piece).length, 0)
    pieces += 1
  }
  t.equal(pieces, limits.wholeEventBytesMax / piece.length)
  t.match(watch.failure, { code: 'upstream_too_large', blame: 'upstream' })
})

t.test('what is not the format breaks the stream and does not pass', async (t) => {
  const watch = watching()
  t.equal(watch.push(Buffer.from('data: <html>\n\n')).length, 0)
  t.match(watch.failure, { code: 'upstream_error' })
})

t.test('content larger than what is held back passes in pieces and is counted (S4)', async (t) => {
  const text = 'word '.repeat(limits.frameHoldBytesMax / 4)
  const bytes = Buffer.concat([...opening, delta(text), delta('end')])
  const watch = watching()
  const passed: Buffer[] = []
  for (let from = 0; from < bytes.length; from += 10_000) {
    passed.push(watch.push(bytes.subarray(from, from + 10_000)))
  }
  t.ok(
    passed.slice(0, -1).some(({ length }) => length > 0),
    'it did not wait for the end',
  )
  t.same(Buffer.concat(passed), bytes)
  const right = estimateTokens(text)
  t.ok(
    Math.abs(watch.estimatedTokens - right) < right / 100,
    `${watch.estimatedTokens} of ${right}`,
  )
})

t.test('only what the model wrote is counted, across any cut', async (t) => {
  const watch = watching()
  const texts = ['The qui', 'ck "brown" \\ fox\n', ' jumps 北京 🚀']
  for (const bytes of [...opening, ...texts.map(delta)]) watch.push(bytes)
  t.equal(watch.estimatedTokens, estimateTokens(texts.join('')))
  watch.push(
    frame({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'signature_delta', signature: 'x'.repeat(900) },
    }),
  )
  watch.push(frame({ type: 'ping' }))
  t.equal(watch.estimatedTokens, estimateTokens(texts.join('')))
})

t.test('thinking and tool input are output too', async (t) => {
  const counted = (delta: JsonObject, block: JsonObject) => {
    const watch = watching()
    watch.push(opening[0]!)
    watch.push(frame({ type: 'content_block_start', index: 0, content_block: block }))
    watch.push(frame({ type: 'content_block_delta', index: 0, delta }))
    watch.push(frame({ type: 'content_block_stop', index: 0 }))
    watch.push(frame({ type: 'message_stop' }))
    return watch.estimatedTokens
  }
  const words = 'several words of it, all told'
  const thinking = { type: 'thinking', thinking: '' }
  const tool = { type: 'tool_use', id: 'a', name: 'b', input: {} }
  t.equal(counted({ type: 'thinking_delta', thinking: words }, thinking), estimateTokens(words))
  t.equal(counted({ type: 'input_json_delta', partial_json: words }, tool), estimateTokens(words))
  const whole = { ...tool, input: { text: words } }
  t.equal(
    counted({ type: 'input_json_delta', partial_json: '' }, whole),
    estimateTokens(JSON.stringify(whole.input)),
  )
})

t.test('spaces in the JSON change nothing', async (t) => {
  const watch = watching()
  const spaced = (bytes: Buffer) =>
    Buffer.from(bytes.toString().replaceAll('":', '": ').replaceAll(',"', ', "'))
  for (const bytes of [...opening, delta('Hello there'), frame({ type: 'message_stop' })]) {
    watch.push(spaced(bytes))
  }
  t.equal(watch.estimatedTokens, estimateTokens('Hello there'))
  t.equal(watch.ended, true)
})

t.test('[FMT-3] the head’s output count is a snapshot and not a count', async (t) => {
  const watch = watching()
  for (const bytes of opening) watch.push(bytes)
  t.strictSame(watch.usage, { input: 3 })
  watch.push(frame({ type: 'message_delta', delta: {}, usage: { output_tokens: 12 } }))
  t.strictSame(watch.usage, { input: 3, output: 12 })
  t.strictSame(watch.raw, { input_tokens: 3, output_tokens: 12 })
})

t.test('a last frame that lacks only its blank line counts, half a frame does not', async (t) => {
  const whole = watching()
  const bytes = Buffer.concat([...opening, frame({ type: 'message_stop' })])
  whole.push(bytes.subarray(0, -2))
  t.match(whole.flush().toString(), /message_stop"}\n\n$/)
  t.equal(whole.ended, true)
  const half = watching()
  half.push(bytes.subarray(0, -9))
  t.equal(half.flush().length, 0)
  t.equal(half.ended, false)
})

/** Responses streams that pass as they are: what is forwarded, withheld and counted. */
import t from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { estimateTokens } from '../../../../kernel/toolkit/format/token-estimate.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'
import { body, results, stream } from './recorded.js'
import { format, frame, wire } from './wire.js'

const watching = () => format.watch({ wantsUsage: false })

const created = frame({ type: 'response.created', response: { id: 'resp_1', tools: [] } })
const added = frame({
  type: 'response.output_item.added',
  output_index: 0,
  item: { id: 'msg_1', type: 'message' },
})
const opening = Buffer.concat([created, added])

function delta(text: string, type = 'response.output_text.delta', more: JsonObject = {}): Buffer {
  return frame({ type, sequence_number: 4, output_index: 0, ...more, delta: text, logprobs: [] })
}

const usage = { input_tokens: 30, output_tokens: 12 }

function last(response: JsonObject = {}): Buffer {
  return frame({
    type: 'response.completed',
    response: { status: 'completed', usage, ...response },
  })
}

/** Pushes a stream in pieces of this size; what came out. */
function passed(watch: ReturnType<typeof watching>, bytes: Buffer, size: number): Buffer[] {
  const out: Buffer[] = []
  for (let from = 0; from < bytes.length; from += size) {
    out.push(Buffer.from(watch.push(bytes.subarray(from, from + size))))
  }
  return [...out, watch.flush()]
}

t.test('content starts with the first item, not with the response', async (t) => {
  const watch = watching()
  const waiting = wire({ type: 'response.queued', response: {} }, { type: 'keepalive' })
  watch.push(Buffer.concat([created, waiting, Buffer.from(': hello\n\n')]))
  t.equal(watch.started, false)
  watch.push(added)
  t.equal(watch.started, true)
})

t.test('whole frames pass in the buffer they came in', async (t) => {
  const watch = watching()
  const bytes = stream('text')
  t.equal(watch.push(bytes), bytes)
  t.equal(watch.ended, true)
  t.equal(watch.push(delta('more')).length, 0, 'and nothing follows the end')
})

t.test('only what the model wrote is counted, once, across any cut', async (t) => {
  const texts = ['The qui', 'ck "brown" \\ fox\n', ' jumps 北京 🚀']
  const text = texts.join('')
  const content = [{ type: 'output_text', text, annotations: [] }]
  const bytes = Buffer.concat([
    opening,
    ...texts.map((piece) => delta(piece)),
    frame({ type: 'response.output_text.done', text }),
    frame({ type: 'response.content_part.done', part: content[0]! }),
    frame({ type: 'response.output_item.done', item: { type: 'message', content } }),
    last({ output: [{ type: 'message', content }] }),
  ])
  for (const size of [1, 7, 100, bytes.length]) {
    const watch = watching()
    passed(watch, bytes, size)
    t.equal(watch.estimatedTokens, estimateTokens(text), `pieces of ${size}`)
    t.strictSame(watch.usage, { input: 30, output: 12 })
    t.strictSame(watch.raw, usage)
  }
})

t.test('reasoning, refusals and input of tools are output too, spoken audio is not', async (t) => {
  const words = 'several words of it, all told'
  const counted = (type: string) => {
    const watch = watching()
    watch.push(Buffer.concat([opening, delta(words, type), last()]))
    return watch.estimatedTokens
  }
  for (const type of [
    'response.refusal.delta',
    'response.reasoning_text.delta',
    'response.reasoning_summary_text.delta',
    'response.function_call_arguments.delta',
    'response.mcp_call_arguments.delta',
    'response.custom_tool_call_input.delta',
    'response.code_interpreter_call_code.delta',
  ]) {
    t.equal(counted(type), estimateTokens(words), type)
  }
  t.equal(counted('response.audio.delta'), 0)
})

t.test('an upstream that tells items whole is counted by them', async (t) => {
  const watch = watching()
  watch.push(stream('whole-items'))
  t.equal(watch.estimatedTokens, estimateTokens('All at once.{"a":1}'))
  t.strictSame(watch.usage?.serverTools, { web_search: 1 })
  const only = watching()
  only.push(last({ output: body('whole-items').output ?? [] }))
  t.equal(only.ended, true)
  const text = [{ type: 'output_text', text: 'All at once.' }]
  const whole = watching()
  whole.push(last({ output: [{ type: 'message', content: text }] }))
  t.equal(whole.estimatedTokens, estimateTokens('All at once.'), 'or by the response that ends it')
})

t.test('what a stream delivers and what its body holds is the same count', async (t) => {
  for (const name of results.filter((name) => name !== 'whole-items' && name !== 'logprobs')) {
    const watch = watching()
    watch.push(stream(name))
    const { estimatedTokens, usage: read } = format.readReply(body(name))
    t.equal(watch.estimatedTokens, estimatedTokens, name)
    t.strictSame(watch.usage, read, name)
  }
})

t.test('[ERR-2] an error is withheld, what came before it passes (M14)', async (t) => {
  const message = 'key sk-abcdefghijklmnop'
  for (const error of [
    { type: 'error', code: 'server_error', message },
    { type: 'error', error: { code: 'server_error', message } },
    {
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_error', message } },
    },
    {
      type: 'response.completed',
      response: { status: 'failed', error: { code: 'server_error', message } },
    },
  ]) {
    const watch = watching()
    const passing = watch.push(Buffer.concat([opening, delta('Hi'), frame(error), delta('more')]))
    t.equal(passing.toString(), Buffer.concat([opening, delta('Hi')]).toString(), error.type)
    t.match(watch.failure, { status: 500, blame: 'upstream' })
    t.notMatch(JSON.stringify(watch.failure), /sk-/)
    t.equal(watch.push(delta('x')).length, 0, 'nothing follows')
    t.equal(watch.ended, false)
  }
})

t.test('[ERR-2] an error of any size and at any cut is withheld', async (t) => {
  const message = 'response.output_text.delta '.repeat(10_000)
  const error = { code: 'server_error', message }
  for (const bytes of [
    frame({ type: 'error', ...error }),
    frame({ type: 'response.failed', response: { error } }),
  ]) {
    for (const size of [1000, 70_000, bytes.length]) {
      const watch = watching()
      watch.push(opening)
      const length = Buffer.concat(passed(watch, bytes, size)).length
      t.equal(length, 0, `${size}`)
      t.ok(watch.failure, `${size}`)
    }
  }
})

t.test('an event that never ends is cut off at the bound (S4)', async (t) => {
  const watch = watching()
  watch.push(opening)
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

t.test('the terminator of another format is no content and no error', async (t) => {
  const watch = watching()
  const bytes = Buffer.concat([opening, Buffer.from('data: [DONE]\n\n')])
  t.equal(watch.push(bytes).length, bytes.length)
  t.equal(watch.failure, undefined)
  t.equal(watch.ended, false, 'and no end')
})

t.test('text and pictures larger than what is held back pass in pieces (S4)', async (t) => {
  const text = 'word '.repeat(limits.frameHoldBytesMax / 4)
  const base64 = 'aGk='.repeat(limits.frameHoldBytesMax / 2)
  const partial = frame({
    type: 'response.image_generation_call.partial_image',
    partial_image_b64: base64,
  })
  for (const [name, large, estimatedTokens] of [
    ['text', delta(text), estimateTokens(text)],
    ['a picture', partial, 0],
  ] as const) {
    const watch = watching()
    const bytes = Buffer.concat([opening, large, delta(''), last()])
    const out = passed(watch, bytes, 10_000)
    t.ok(
      out.slice(0, 12).some(({ length }) => length > opening.length),
      `${name} did not wait for its end`,
    )
    t.same(Buffer.concat(out), bytes, name)
    t.ok(
      Math.abs(watch.estimatedTokens - estimatedTokens) <= estimatedTokens / 100,
      `${name}: ${watch.estimatedTokens} of ${estimatedTokens}`,
    )
    t.equal(watch.ended, true)
  }
})

t.test(
  'a response of any size is read for its counts, and its text is not counted again',
  async (t) => {
    const text = 'Ein \\ langer "Text" — 北京 🚀 \u0001 '.repeat(20_000)
    const content = [{ type: 'output_text', text, annotations: [] }]
    const image = {
      id: 'ig_1',
      type: 'image_generation_call',
      status: 'completed',
      quality: 'high',
      size: '1024x1024',
      result: 'aGk='.repeat(100_000),
    }
    const message = { id: 'msg_1', type: 'message', status: 'completed', content }
    for (const output of [[image, message], []]) {
      const bytes = Buffer.concat([
        opening,
        delta('Hi'),
        frame({ type: 'response.output_item.done', output_index: 0, item: image }),
        added,
        delta('Ho'),
        frame({ type: 'response.output_text.done', text }),
        frame({ type: 'response.output_item.done', output_index: 1, item: message }),
        last({ output }),
      ])
      for (const size of [1013, 65_536, 100_000, bytes.length]) {
        const watch = watching()
        const out = passed(watch, bytes, size)
        t.ok(Buffer.concat(out).equals(bytes), `${size}`)
        t.equal(watch.ended, true, `${size}`)
        t.equal(watch.estimatedTokens, estimateTokens('HiHo'), `${size}`)
        t.strictSame(
          watch.usage,
          { input: 30, output: 12, serverTools: { 'image_generation/high/1024x1024': 1 } },
          `${size}`,
        )
      }
    }
  },
)

t.test('a failed response of any size is read as one', async (t) => {
  const output = [{ type: 'message', content: [{ text: 'x'.repeat(200_000) }] }]
  const bytes = frame({
    type: 'response.completed',
    response: { output, status: 'failed', error: { code: 'server_error', message: 'No.' } },
  })
  const watch = watching()
  passed(watch, Buffer.concat([opening, bytes]), 20_000)
  t.match(watch.failure, { status: 500 })
  t.equal(watch.ended, false)
})

t.test('spaces, other orders of keys and missing names in the JSON change nothing', async (t) => {
  const spaced = (bytes: Buffer) => bytes.toString().replaceAll('":', '": ').replaceAll(',"', ', "')
  const nameless = (bytes: Buffer) => bytes.toString().replaceAll(/^event: .*\n/gm, '')
  const typeLast = (bytes: Buffer) =>
    bytes.toString().replaceAll(/^data: \{("type":"[^"]*"),(.*)\}$/gm, 'data: {$2,$1}')
  const all = Buffer.concat([opening, delta('Hello "delta"'), delta(' there'), last()])
  for (const change of [
    spaced,
    nameless,
    typeLast,
    (bytes: Buffer) => nameless(Buffer.from(typeLast(bytes))),
  ]) {
    const watch = watching()
    watch.push(Buffer.from(change(all)))
    t.equal(watch.estimatedTokens, estimateTokens('Hello "delta" there'))
    t.strictSame(watch.usage, { input: 30, output: 12 })
    t.equal(watch.ended, true)
  }
})

t.test('a last frame that lacks only its blank line counts, half a frame does not', async (t) => {
  const huge = last({ output: [{ type: 'message', content: [{ text: 'x'.repeat(200_000) }] }] })
  for (const end of [last(), huge]) {
    const bytes = Buffer.concat([opening, delta('Hi'), end])
    const whole = watching()
    const out = passed(whole, bytes.subarray(0, -2), 20_000)
    t.ok(Buffer.concat(out).equals(bytes))
    t.equal(whole.ended, true)
    t.strictSame(whole.usage, { input: 30, output: 12 })
    const half = watching()
    passed(half, bytes.subarray(0, -9), 20_000)
    t.equal(half.ended, false)
  }
})

/** Streams of completion chunks on their way: what passes, what is withheld, and that any cut states the same. */
import t, { type Test } from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OperationWatch } from '../../../kernel/contract/operation.js'
import { TokenCounter } from '../../../kernel/toolkit/format/token-estimate.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import create from '../../../plugins/operations/completions/index.js'
import { cuttings } from '../../conformance/kit.js'
import { sent } from './asking.js'

const completions = create()
const done = 'data: [DONE]\n\n'

const frame = (value: JsonObject) => `data: ${JSON.stringify(value)}\n\n`
const chunk = (text: string, more: JsonObject = {}) =>
  frame({
    id: 'cmpl-1',
    object: 'text_completion',
    created: 1_700_000_000,
    choices: [{ text, index: 0, logprobs: null, finish_reason: null, ...more }],
    model: 'm',
    usage: null,
  })
const usage = frame({
  id: 'cmpl-1',
  choices: [],
  usage: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 },
})
const error = frame({ error: { message: 'overloaded', type: 'overloaded_error' } })

function watching(more: JsonObject = {}): OperationWatch {
  const body = sent({ model: 'm', prompt: 'Once upon', stream: true, ...more })
  return completions.watch('text/event-stream', completions.named(body, 'm'))
}

function through(watch: OperationWatch, pieces: readonly Buffer[]): string {
  const passed = [...pieces.map((piece) => watch.push(piece)), watch.flush()]
  return Buffer.concat(passed).toString()
}

function seen({ started, ended, failure, usage, raw, estimatedTokens }: OperationWatch) {
  return { started, ended, failure, usage, raw, estimatedTokens }
}

/** Passes a stream whole and at every cut, and answers what came of it, which must be the same. */
function run(t: Test, text: string, more: JsonObject = {}) {
  const bytes = Buffer.from(text)
  const whole = watching(more)
  const passed = through(whole, [bytes])
  for (const { name, pieces } of cuttings(bytes)) {
    const watch = watching(more)
    const again = through(watch, pieces)
    // The second half of the last line end may come too late to matter.
    if (again !== passed && `${again}\n` !== passed) t.equal(again, passed, name)
    if (JSON.stringify(seen(watch)) !== JSON.stringify(seen(whole))) {
      t.strictSame(seen(watch), seen(whole), name)
    }
  }
  return { ...seen(whole), passed }
}

const counted = (...texts: readonly string[]) => {
  const counter = new TokenCounter()
  for (const text of texts) counter.add(text)
  return counter.estimatedTokens
}

t.test('a stream passes but for the usage nobody requested', async (t) => {
  const texts = ['', ' a "time" \\', '\n\tthere ', 'wäs 時 🙂', ' {text: "no"}']
  const chunks = texts.map((text) => chunk(text)).join('')
  const result = run(t, chunks + usage + done)
  t.equal(result.passed, chunks + done)
  t.strictSame(
    { ...result, passed: '' },
    {
      passed: '',
      started: true,
      ended: true,
      failure: undefined,
      usage: { input: 5, output: 4 },
      raw: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9 },
      estimatedTokens: counted(...texts),
    },
  )
})

t.test('who requested usage gets it', async (t) => {
  const text = chunk('hello') + usage + done
  t.equal(run(t, text, { stream_options: { include_usage: true } }).passed, text)
  t.equal(run(t, text, { stream_options: { include_usage: false } }).passed, chunk('hello') + done)
})

t.test('the very buffer passes where nothing is withheld', async (t) => {
  const watch = watching()
  const bytes = Buffer.from(chunk('hello') + chunk(' world'))
  t.equal(watch.push(bytes), bytes)
  t.notOk(watch.ended)
  t.equal(watch.estimatedTokens, counted('hello', ' world'))
})

t.test('usage beside text passes with it, and the later one stands', async (t) => {
  const first = frame({
    choices: [{ text: 'a' }],
    usage: { prompt_tokens: 5, completion_tokens: 1 },
  })
  const last = frame({ choices: [{ text: 'b', usage: { completion_tokens: 2 } }] })
  const result = run(t, first + last + done)
  t.equal(result.passed, first + last + done)
  t.strictSame(result.usage, { input: 5, output: 2 })
})

t.test('only the text of choices counts', async (t) => {
  const decoys = frame({
    text: 'not this',
    x: [{ text: 'nor this' }],
    choices: [
      { text: 'hello', logprobs: { text: 'nor that', tokens: ['text'], text_offset: [0] } },
    ],
    y: [{ text: 'nor here' }],
  })
  t.equal(run(t, decoys + decoys + done).estimatedTokens, counted('hello', 'hello'))
})

t.test('an error is withheld, wherever it stands', async (t) => {
  t.match(run(t, error), {
    passed: '',
    started: false,
    ended: false,
    failure: { status: 503, code: 'upstream_error' },
  })
  const late = run(t, chunk('hello') + error + chunk('more') + done)
  t.equal(late.passed, chunk('hello'))
  t.match(late, {
    started: true,
    ended: false,
    estimatedTokens: counted('hello'),
    failure: { status: 503 },
  })
  const named = run(t, `${chunk('hello')}event: error\ndata: {"message":"no","code":429}\n\n`)
  t.match(named, { passed: chunk('hello'), failure: { status: 429 } })
})

t.test('what is no chunk is a failure', async (t) => {
  t.match(run(t, 'data: <html>\n\n'), {
    passed: '',
    started: false,
    failure: { code: 'upstream_error' },
  })
  t.match(run(t, `${chunk('a')}data: oops\n\n`).failure, { code: 'upstream_error' })
})

t.test('without its terminator a stream never ends; half an event is dropped', async (t) => {
  const result = run(t, `${chunk('hello') + chunk(' world')}data: {"choi`)
  t.match(result, { ended: false, started: true, failure: undefined })
  t.equal(result.passed, chunk('hello') + chunk(' world'))
  t.match(run(t, `${chunk('a')}data: [DONE]`), { ended: true, passed: chunk('a') + done })
})

t.test('nothing passes behind the terminator', async (t) => {
  t.equal(run(t, chunk('a') + done + chunk('b')).passed, chunk('a') + done)
})

t.test('line ends, comments and a byte order mark change nothing', async (t) => {
  const text = chunk('hello') + chunk(' world') + usage + done
  const plain = run(t, text)
  const dialects = [
    text.replaceAll('\n', '\r\n'),
    text.replaceAll('\n', '\r'),
    `\uFEFF${text}`,
    `: hello\n\n${text.replaceAll(/^data:/gm, ': keep-alive\ndata:')}`,
    text.replaceAll('data: ', 'data:'),
  ]
  for (const dialect of dialects) {
    const { passed, ...result } = run(t, dialect)
    t.strictSame({ ...result, passed: plain.passed }, plain)
    t.notMatch(passed, 'prompt_tokens')
  }
})

t.test('an answer without text ends without having started', async (t) => {
  t.match(run(t, chunk('') + done), { started: false, ended: true, estimatedTokens: 0 })
})

t.test('what only repeats the prompt is no output', async (t) => {
  const echo = { echo: true, prompt: 'hello world' }
  const texts = ['hello world', ' and that is how it ends']
  const { estimatedTokens } = run(t, texts.map((text) => chunk(text)).join('') + done, echo)
  t.equal(estimatedTokens, counted(...texts) - counted('hello world'))
  t.equal(run(t, chunk('hello') + done, echo).estimatedTokens, 0)
})

t.test('an event larger than the gateway takes is a failure', async (t) => {
  const watch = watching()
  watch.push(Buffer.from('data: {"choices":[{"text":"'))
  const piece = Buffer.alloc(limits.eventBytesMax / 4, 'a')
  for (let run = 0; run < 5; run += 1) t.equal(watch.push(piece).length, 0)
  t.match(watch.failure, { code: 'upstream_too_large' })
})

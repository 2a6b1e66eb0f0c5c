import t from 'tap'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import create from '../../../plugins/operations/completions/index.js'
import { refusedField, sent, textOf } from './asking.js'

const completions = create()
const body = { model: 'm', prompt: 'Once upon' }

t.test('every form of prompt passes', async (t) => {
  for (const prompt of ['', 'a', ['a', 'b'], [1, 2], [[1], [2, 3]]]) {
    const text = JSON.stringify(prompt)
    t.equal(refusedField(completions, { model: 'm', prompt }), undefined, text)
  }
})

t.test('what is wrong is refused by the name of its field', async (t) => {
  const rows: readonly (readonly [field: string, value: Json])[] = [
    ['model', 5],
    ['prompt', null],
    ['prompt', []],
    ['prompt', 5],
    ['prompt', ['a', 1]],
    ['prompt', [[1], 'a']],
    ['max_tokens', -1],
    ['max_tokens', 100_000_001],
    ['n', 0],
    ['best_of', 1.5],
    ['temperature', 2.1],
    ['top_p', -0.1],
    ['presence_penalty', 3],
    ['frequency_penalty', -3],
    ['logprobs', true],
    ['logit_bias', { '50256': 'a' }],
    ['echo', 1],
    ['stop', [1]],
    ['stream', 'true'],
    ['stream_options', true],
    ['stream_options', { include_usage: 1 }],
    ['suffix', 5],
    ['seed', 0.5],
    ['user', 5],
  ]
  for (const [field, value] of rows) {
    const text = JSON.stringify({ [field]: value })
    t.equal(refusedField(completions, { ...body, [field]: value }), field, text)
  }
})

t.test('explicit zeros pass and go out as they came', async (t) => {
  const text =
    '{"model":"m","prompt":"","max_tokens":0,"temperature":0.0,"echo":false,"logprobs":0,"stop":null}'
  const request = sent(text)
  t.strictSame(completions.check(request), { model: 'm', stream: false, wantsUsage: false })
  t.equal(completions.named(request, 'm'), request)
  t.equal(textOf(completions.named(request, 'b')), text.replace('"m"', '"b"'))
})

t.test('a stream asks the upstream for usage, and keeps what else the client wants', async (t) => {
  const sendRequest = (stream_options?: JsonObject) =>
    completions.requestUsage!({ ...body, stream: true, ...(stream_options && { stream_options }) })
  t.strictSame(sendRequest().stream_options, { include_usage: true })
  t.strictSame(sendRequest({ other: 1 }).stream_options, { other: 1, include_usage: true })
  for (const include_usage of [true, false]) {
    const own = { include_usage, other: 1 }
    t.equal(sendRequest(own).stream_options, own, `[FMT-5] include_usage: ${include_usage}`)
  }
  const asks = sent({ ...body, stream: true, stream_options: { include_usage: true } })
  t.match(completions.check(asks), { stream: true, wantsUsage: true })
})

t.test('limits: every prompt is answered, and of best_of all are paid', async (t) => {
  const limits = (more: Readonly<Record<string, Json>>) =>
    completions.limits(sent({ ...body, ...more }))
  t.strictSame(limits({}), { choices: 1 })
  t.strictSame(limits({ max_tokens: 0 }), { choices: 1, maxOutput: 0 })
  t.strictSame(limits({ n: 2, best_of: 5, max_tokens: 7 }), { choices: 5, maxOutput: 7 })
  t.strictSame(limits({ n: 3, prompt: ['a', 'b'] }), { choices: 6 })
  t.strictSame(limits({ prompt: [1, 2, 3] }), { choices: 1 })
  t.strictSame(limits({ prompt: [[1], [2]] }), { choices: 2 })
})

t.test('the estimate is what is to be read', async (t) => {
  const estimatedTokens = (more: Readonly<Record<string, Json>>) =>
    completions.estimate(sent({ model: 'm', ...more })).input
  t.equal(estimatedTokens({ prompt: 'hello world' }), 2)
  t.equal(estimatedTokens({ prompt: 'hello world', suffix: 'hello world' }), 4)
  t.equal(estimatedTokens({ prompt: [5, 6, 7], n: 4 }), 3)
})

t.test('usage of a whole answer is disjoint', async (t) => {
  const read = (usage: Json, choices: Json = [{ text: 'hello world' }]) =>
    completions.readReply({ choices, usage }, sent(body))
  const result = {
    prompt_tokens: 10,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens: 6,
    completion_tokens_details: { reasoning_tokens: 2 },
  }
  t.strictSame(read(result), {
    usage: { cacheRead: 4, input: 6, output: 6, reasoning: 2 },
    raw: result,
    estimatedTokens: 2,
  })
  t.match(read({ prompt_tokens: 10, prompt_cache_hit_tokens: 3, completion_tokens: 0 }).usage, {
    cacheRead: 3,
    input: 7,
    output: 0,
  })
  t.match(read(null, [{ text: 'a', usage: { prompt_tokens: 1, completion_tokens: 2 } }]).usage, {
    input: 1,
    output: 2,
  })
  t.strictSame(read(null), { estimatedTokens: 2 }, 'the text is left to count')
})

t.test('what only repeats the prompt is no output', async (t) => {
  const choices = [{ text: 'hello world hello world' }, { text: 'hello world hello world' }]
  const echo = { model: 'm', prompt: 'hello world', echo: true, n: 2 }
  const { estimatedTokens } = completions.readReply({ choices }, sent(echo))
  t.equal(estimatedTokens, 4)
  t.equal(completions.readReply({ choices: [] }, sent(echo)).estimatedTokens, 0)
})

t.test('a 200 that is an error, or nothing of the kind, is a failure', async (t) => {
  t.match(completions.readReply({ error: { type: 'overloaded_error' } }, sent(body)), {
    failure: { status: 503 },
  })
  t.match(completions.readReply({ object: 'error', message: 'x', code: 400 }, sent(body)), {
    failure: { status: 400, blame: 'client' },
  })
  t.match(completions.readReply({ message: 'x' }, sent(body)), { failure: { blame: 'upstream' } })
})

t.test('JSON that is declared as something else is read all the same', async (t) => {
  const reply = JSON.stringify({ choices: [{ text: 'hi' }], usage: { prompt_tokens: 1 } })
  const bytes = Buffer.from(reply)
  const watch = completions.watch('text/plain', sent(body))
  t.equal(watch.push(bytes.subarray(0, 5)).length, 0)
  t.equal(watch.push(bytes.subarray(5)).length, 0)
  t.notOk(watch.started || watch.ended)
  t.equal(watch.flush().toString(), reply)
  t.match(watch, { ended: true, failure: undefined, usage: { input: 1 }, estimatedTokens: 1 })
})

t.test(
  'a page, or a stream nobody requested, is a failure before anything was passed',
  async (t) => {
    const types = ['text/html', 'text/event-stream; charset=utf-8']
    for (const type of types) {
      const watch = completions.watch(type, sent(body))
      t.equal(watch.push(Buffer.from('<html>no such path</html>')).length, 0)
      t.equal(watch.flush().length, 0)
      t.match(watch, { ended: false, usage: undefined, failure: { blame: 'upstream' } }, type)
    }
  },
)

import t from 'tap'
import type { Json } from '../../../kernel/contract/json.js'
import create from '../../../plugins/operations/embeddings/index.js'
import { refusedField, sent, textOf } from './asking.js'

const embeddings = create()
const body = { model: 'm', input: 'hello' }

t.test('every form of input passes: texts, tokens, and texts beside images', async (t) => {
  const inputs: readonly Json[] = [
    'hello',
    '',
    ['hello', 'world'],
    [1, 2, 3],
    [0],
    [[1, 2], [3]],
    [{ text: 'hello' }, { image: 'https://example.com/a.png' }],
    ['hello', { image: 'data:image/png;base64,AAAA' }],
  ]
  for (const input of inputs) {
    const text = JSON.stringify(input)
    t.equal(refusedField(embeddings, { model: 'm', input }), undefined, text)
  }
})

t.test('what is wrong is refused by the name of its field', async (t) => {
  const rows: readonly (readonly [field: string, value: Json])[] = [
    ['model', 1],
    ['model', ''],
    ['model', '../other'],
    ['input', null],
    ['input', []],
    ['input', 5],
    ['input', [1, 'a']],
    ['input', [1.5]],
    ['input', [-1]],
    ['input', [[]]],
    ['input', [[1], 2]],
    ['input', { text: 'hello' }],
    ['dimensions', -1],
    ['dimensions', 1.5],
    ['dimensions', '256'],
    ['encoding_format', 7],
    ['user', {}],
  ]
  for (const [field, value] of rows) {
    const text = JSON.stringify({ [field]: value })
    t.equal(refusedField(embeddings, { ...body, [field]: value }), field, text)
  }
  t.equal(refusedField(embeddings, { input: 'a' }), 'model')
  t.equal(refusedField(embeddings, { model: 'm' }), 'input')
})

t.test('an explicit 0 or null passes and goes out as it came', async (t) => {
  const text = '{"model":"m","input":"","dimensions":0,"user":null, "later": 1.0}'
  const wire = embeddings.named(sent(text), 'm')
  t.strictSame(embeddings.check(wire), { model: 'm', stream: false, wantsUsage: false })
  t.equal(textOf(wire), text)
})

t.test('the path names the model, and the outgoing body then does', async (t) => {
  const content = { model: 'ada', stream: false }
  const request = sent('{ "input" : [ 1.0 ] }')
  t.match(embeddings.check(request, content), { model: 'ada' })
  t.equal(textOf(embeddings.named(request, 'ada')), '{ "input" : [ 1.0 ],"model":"ada" }')
  t.match(embeddings.check(sent(body), content), { model: 'ada' }, 'before the body')
  t.equal(refusedField(embeddings, { input: 'a' }, { model: '', stream: false }), 'model')
})

t.test('a body that names the model already is the very same one', async (t) => {
  const request = sent(body)
  t.equal(embeddings.named(request, 'm'), request)
  t.match(textOf(embeddings.named(request, 'other')), '"model":"other"')
})

t.test(
  'the estimate counts texts by class, tokens one by one and images by a figure',
  async (t) => {
    const estimatedTokens = (input: Json) =>
      embeddings.estimate(sent({ model: 'm', input })).input ?? 0
    t.equal(estimatedTokens('hello world'), 2)
    t.equal(estimatedTokens(['hello world', 'hello world']), 4)
    t.equal(estimatedTokens([1, 2, 3]), 3)
    t.equal(estimatedTokens([[1, 2], [3]]), 3)
    t.ok(estimatedTokens([{ image: `data:image/png;base64,${'A'.repeat(100_000)}` }]) < 1000)
    t.ok(estimatedTokens(`data:image/png;base64,${'A'.repeat(100_000)}`) < 1000)
    t.strictSame(embeddings.limits(sent(body)), { maxOutput: 0 }, 'nothing is written')
  },
)

t.test('usage is what was read', async (t) => {
  const read = (usage?: Json) =>
    embeddings.readReply(
      { object: 'list', data: [], ...(usage !== undefined && { usage }) },
      sent(body),
    )
  t.strictSame(read({ prompt_tokens: 7, total_tokens: 9 }), {
    usage: { input: 7 },
    raw: { prompt_tokens: 7, total_tokens: 9 },
    estimatedTokens: 0,
  })
  t.match(read({ total_tokens: 9 }), { usage: { input: 9 } })
  t.match(read({ prompt_tokens: 0 }), { usage: { input: 0 } }, '0 is not missing')
  t.strictSame(
    read({ prompt_tokens: 10, prompt_tokens_details: { image_tokens: 4 } }).usage,
    { inputImage: 4, input: 6 },
    'images are a count of their own',
  )
  t.strictSame(read(), { usage: {}, estimatedTokens: 0 }, 'answered, and left to the estimate')
  t.strictSame(read({ prompt_tokens: 'many' }).usage, {})
})

t.test('a 200 that is an error, or nothing of the kind, is a failure', async (t) => {
  const read = (reply: object) =>
    embeddings.readReply(JSON.parse(JSON.stringify(reply)), sent(body))
  t.match(read({ error: { message: 'too long', type: 'invalid_request_error' } }), {
    estimatedTokens: 0,
    failure: { blame: 'client', status: 400, code: 'upstream_rejected' },
  })
  t.match(read({ error: 'overloaded' }), { failure: { blame: 'upstream', status: 502 } })
  t.match(read({ error: { code: 'insufficient_quota' } }), { failure: { blame: 'channel' } })
  t.match(read({ code: 1301, message: 'no' }), { failure: { blame: 'upstream' } })
  t.equal(read({ data: [], error: null }).failure, undefined)
})

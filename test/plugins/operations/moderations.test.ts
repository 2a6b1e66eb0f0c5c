import t from 'tap'
import type { Json } from '../../../kernel/contract/json.js'
import create from '../../../plugins/operations/moderations/index.js'
import { refusedField, sent, textOf } from './asking.js'

const moderations = create()

t.test('a request without a model asks for the usual one, and states so', async (t) => {
  for (const text of ['{"input": "hello"}', '{"model":null,"input": "hello"}']) {
    const request = sent(text)
    const { model } = moderations.check(request)
    t.equal(model, 'text-moderation-stable')
    const wire = moderations.named(request, model)
    t.strictSame(JSON.parse(textOf(wire)), { input: 'hello', model })
  }
  t.match(moderations.check(sent({ model: 'omni', input: 'hello' })), { model: 'omni' })
})

t.test('what is wrong is refused by the name of its field', async (t) => {
  const rows: readonly (readonly [field: string, value: Json])[] = [
    ['model', 5],
    ['model', ''],
    ['input', null],
    ['input', []],
    ['input', 5],
    ['input', [5]],
    ['input', [{ text: 'no type' }]],
    ['input', { type: 'text', text: 'alone' }],
  ]
  for (const [field, value] of rows) {
    const text = JSON.stringify({ [field]: value })
    t.equal(refusedField(moderations, { model: 'm', input: 'a', [field]: value }), field, text)
  }
})

t.test('texts, lists of texts and typed parts pass', async (t) => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
  for (const input of ['', 'hello', ['a', ''], [{ type: 'text', text: 'a' }, image]]) {
    t.equal(refusedField(moderations, { input }), undefined)
  }
  t.equal(moderations.estimate(sent({ input: 'hello world' })).input, 2)
  t.ok(moderations.estimate(sent({ input: [image] })).input! > 700, 'an image has its figure')
})

t.test('few upstreams count; where one does, that stands', async (t) => {
  const wire = sent({ model: 'm', input: 'hello' })
  t.strictSame(moderations.readReply({ results: [] }, wire), { usage: {}, estimatedTokens: 0 })
  const counted = { results: [], usage: { prompt_tokens: 3, total_tokens: 3 } }
  t.match(moderations.readReply(counted, wire), { usage: { input: 3 } })
  t.match(moderations.readReply({ error: { message: 'no' } }, wire), {
    failure: { code: 'upstream_error' },
  })
  t.match(moderations.readReply({ ok: true }, wire), { failure: { blame: 'upstream' } })
})

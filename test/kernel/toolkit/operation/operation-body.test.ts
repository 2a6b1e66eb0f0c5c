import t from 'tap'
import type { Body } from '../../../../kernel/contract/body.js'
import { bytesOf } from '../../../../kernel/toolkit/body/body.js'
import { estimateTokens } from '../../../../kernel/toolkit/format/token-estimate.js'
import {
  checkFields,
  integerFrom,
  numberFrom,
  requiredModel,
} from '../../../../kernel/toolkit/operation/checks.js'
import {
  areTokens,
  estimateTokensIn,
  jsonOf,
  modelNamed,
  withFields,
} from '../../../../kernel/toolkit/operation/operation-body.js'

const text = '{"a": 1.0, "model":"x"}'
const json = { kind: 'json', value: JSON.parse(text), bytes: Buffer.from(text) } as const
const file = { field: 'file', filename: 'a', mime: 'b', bytes: Buffer.from('c') }
const form: Body = { kind: 'form', fields: { model: 'x', n: '2' }, files: [file] }

t.test('fields of any body', async (t) => {
  t.equal(jsonOf(json), json.value)
  t.strictSame(jsonOf(form), { model: 'x', n: '2' })
  t.strictSame(jsonOf({ kind: 'none' }), {})
})

t.test(
  'a field changes and nothing else does; what has it already is the same object',
  async (t) => {
    t.equal(modelNamed(json, 'x'), json)
    t.equal(modelNamed(form, 'x'), form)
    const other = modelNamed(json, 'y')
    t.equal(other.kind === 'json' && bytesOf(other).toString(), '{"a": 1.0, "model":"y"}')
    t.strictSame(modelNamed(form, 'y'), { ...form, fields: { model: 'y', n: '2' } })
    t.strictSame(withFields({ kind: 'none' }, { model: 'y' }), { kind: 'none' })
    t.equal(json.value.model, 'x', 'the body it was made of stays')
  },
)

t.test('a model name is a string that could be one', async (t) => {
  for (const name of ['gpt-4o', 'BAAI/bge-m3', '通用', 'x'.repeat(256)]) {
    t.equal(requiredModel(name), name)
  }
  for (const name of [undefined, null, 5, '', 'a\nb', '../x', 'a?b', 'a//b', 'x'.repeat(257)]) {
    t.throws(() => requiredModel(name), { code: 'invalid_request', param: 'model', status: 400 })
  }
})

t.test('rules see only fields that are there', async (t) => {
  const rules = { n: integerFrom(0, 3), p: numberFrom(0, 1) }
  checkFields({ n: null, other: 'x' }, rules)
  checkFields({ n: 0, p: 0 }, rules)
  t.throws(() => checkFields({ n: 4 }, rules), {
    param: 'n',
    message: 'n must be a whole number from 0 to 3.',
  })
  t.throws(() => checkFields({ p: 2, n: 9 }, rules), { message: /^n must/ })
  t.throws(() => checkFields({ p: '0' }, rules), { message: /^p must/ })
})

t.test('tokens are whole numbers, at least one', async (t) => {
  t.ok(areTokens([0, 5]))
  for (const value of [[], [1.5], [-1], ['1'], 5, null]) t.notOk(areTokens(value))
})

t.test('units of anything a model is queried to read', async (t) => {
  t.equal(estimateTokensIn('hello world'), estimateTokens('hello world'))
  t.equal(estimateTokensIn(['hello', 'world']), estimateTokens('hello') + estimateTokens('world'))
  t.equal(estimateTokensIn([1, [2, 3]]), 3)
  t.equal(estimateTokensIn({ text: 'hello' }), estimateTokens('text') + estimateTokens('hello'))
  t.equal(estimateTokensIn(undefined), 0)
  t.equal(estimateTokensIn(null), 0)
  t.equal(estimateTokensIn(true), 1)
  t.equal(estimateTokensIn({ encrypted_content: 'x'.repeat(1000) }), 0)
  t.equal(
    estimateTokensIn({ image: 'x'.repeat(100_000) }),
    estimateTokensIn({ image_url: { url: 'short' } }),
  )
  t.equal(
    estimateTokensIn(`data:image/png;base64,${'x'.repeat(100_000)}`),
    estimateTokensIn({ image: '' }),
  )
  t.ok(estimateTokensIn('data: is what we need; base64 is not') < 20)
})

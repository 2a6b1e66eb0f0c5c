import t from 'tap'
import { Refusal } from '../../../../kernel/toolkit/errors/refusal.js'
import {
  checkFields,
  integerFrom,
  isText,
  requiredModel,
} from '../../../../kernel/toolkit/operation/checks.js'

const refused = (run: () => void): Partial<Refusal> => {
  try {
    run()
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, param: error.param }
  }
  return {}
}

t.test('the first field at fault is named, with the place it stands in', async (t) => {
  const rules = { a: isText, b: integerFrom(0, 9) }
  const check = (fields: object, place?: string) =>
    refused(() => checkFields(fields as Record<string, never>, rules, place))
  t.same(check({ a: 'x', b: 9, c: {} }), {})
  t.same(check({ a: null }), {}, 'null is not sent')
  t.same(check({ b: 10, a: 7 }), { code: 'invalid_request', param: 'a' })
  t.same(check({ b: 1.5 }, 'options.'), { code: 'invalid_request', param: 'options.b' })
})

t.test('a model name leads nowhere else (X2, X8)', async (t) => {
  for (const name of [
    'gpt-4o',
    'org/some:model',
    'é模型',
    'a.b',
    'x'.repeat(256),
    '🙂'.repeat(256),
  ]) {
    t.equal(requiredModel(name), name)
  }
  for (const name of [
    undefined,
    null,
    7,
    '',
    '.',
    'a/..',
    '/a',
    'a//b',
    'a%2e',
    'a\u200d',
    'x'.repeat(257),
  ]) {
    t.same(
      refused(() => requiredModel(name)),
      { code: 'invalid_request', param: 'model' },
    )
  }
})

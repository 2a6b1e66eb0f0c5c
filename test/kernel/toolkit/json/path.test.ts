/** Dotted paths: where they lead, what a change leaves alone, and what they never reach. */
import fc from 'fast-check'
import t from 'tap'
import type { Json, JsonObject } from '../../../../kernel/contract/json.js'
import { change, parsePath, valueAt, valuesAt } from '../../../../kernel/toolkit/json/path.js'

const body: JsonObject = {
  model: 'm',
  'a.b': { c: 1 },
  '*': 'star',
  list: [{ x: 1, y: [1, 2] }, { x: 2 }, { y: [3] }],
  bias: { 0: 'zero', '-1': 'minus' },
  nothing: null,
}

t.test('a path leads to members and elements', async (t) => {
  const rows: readonly (readonly [string, Json | undefined])[] = [
    ['model', 'm'],
    ['a\\.b.c', 1],
    ['a.b.c', undefined],
    ['\\*', 'star'],
    ['list.0.x', 1],
    ['list.-1.y.0', 3],
    ['list.-2.x', 2],
    ['list.3', undefined],
    ['list.-4', undefined],
    ['list.x', undefined],
    ['list.01', undefined],
    ['list.length', undefined],
    ['bias.0', 'zero'],
    ['bias.-1', 'minus'],
    ['model.length', undefined],
    ['model.0', undefined],
    ['nothing', null],
    ['nothing.x', undefined],
    ['toString', undefined],
    ['list.at', undefined],
  ]
  for (const [path, wanted] of rows) t.equal(valueAt(body, parsePath(path)), wanted, path)
})

t.test('a wildcard leads to every element, and to nothing where there is no array', async (t) => {
  t.same(valuesAt(body, parsePath('list.*.x')), [1, 2])
  t.same(valuesAt(body, parsePath('list.#.y.*')), [1, 2, 3])
  t.same(valuesAt(body, parsePath('bias.*')), [])
  t.same(valuesAt(body, parsePath('model')), ['m'])
})

t.test('a change touches what the path names', async (t) => {
  const rows: readonly (readonly [string, Json, unknown])[] = [
    ['model', 'n', { ...body, model: 'n' }],
    ['new', 0, { ...body, new: 0 }],
    ['new.deep.er', 0, { ...body, new: { deep: { er: 0 } } }],
    ['nothing.x', 0, { ...body, nothing: { x: 0 } }],
    ['bias.7', 1, { ...body, bias: { ...(body.bias as object), 7: 1 } }],
    ['new.0', 1, { ...body, new: { 0: 1 } }],
    ['list.1.x', 9, { ...body, list: [(body.list as Json[])[0], { x: 9 }, { y: [3] }] }],
    ['list.3', 9, { ...body, list: [...(body.list as Json[]), 9] }],
  ]
  for (const [path, value, wanted] of rows) {
    t.same(
      change(body, parsePath(path), () => value, 'make'),
      wanted,
      path,
    )
  }
})

t.test('a change that has nowhere to go leaves the very same object', async (t) => {
  const paths = ['model.x', 'model.0', 'list.4', 'list.-4', 'list.x', 'bias.*', 'new.*', 'bias.*.x']
  for (const path of paths)
    t.equal(
      change(body, parsePath(path), () => 1, 'make'),
      body,
      path,
    )
  const missing = ['new', 'new.x', 'list.3', 'list.*.z', 'nothing.x']
  for (const path of missing)
    t.equal(
      change(body, parsePath(path), () => 1, 'leave'),
      body,
      path,
    )
})

t.test('taking away closes the gap', async (t) => {
  const gone = (path: string) => change(body, parsePath(path), () => undefined, 'leave')
  t.notOk('model' in gone('model'))
  t.same(gone('list.1').list, [{ x: 1, y: [1, 2] }, { y: [3] }])
  t.same(gone('list.*.x').list, [{ y: [1, 2] }, {}, { y: [3] }])
  t.same(gone('list.*').list, [])
  t.equal(gone('list.7'), body)
})

t.test('what is not on the path stays the very same value', async (t) => {
  const next = change(body, parsePath('list.0.x'), () => 5, 'make')
  const [before, after] = [body.list, next.list] as [JsonObject[], JsonObject[]]
  t.equal(after[0]?.y, before[0]?.y)
  t.equal(after[1], before[1])
  t.equal(next.bias, body.bias)
  t.equal(before[0]?.x, 1)
})

t.test('paths that cannot be used are named by what is wrong', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['', 'is empty'],
    ['a..b', 'has an empty step'],
    ['.a', 'has an empty step'],
    ['a.', 'has an empty step'],
    ['__proto__.x', 'holds the key "__proto__", which is not allowed'],
    ['a.constructor', 'holds the key "constructor", which is not allowed'],
    ['a.prototype.b', 'holds the key "prototype", which is not allowed'],
    ['a.__pro\\to__', 'holds the key "__proto__", which is not allowed'],
    ['a'.repeat(513), 'is longer than 512 characters'],
    [Array.from({ length: 33 }, () => 'a').join('.'), 'has more than 32 steps'],
  ]
  for (const [path, message] of rows) t.throws(() => parsePath(path), { message }, message)
})

t.test('no path throws or changes its input, whatever the body (X5)', async (t) => {
  const step = fc.constantFrom('a', 'b', '0', '1', '-1', '*', '#', 'x\\.y', 'length', 'toString')
  const path = fc.array(step, { minLength: 1, maxLength: 5 }).map((steps) => steps.join('.'))
  const tree = fc.object({ key: fc.constantFrom('a', 'b', '0', '1', 'x.y'), maxDepth: 4 })
  const value = fc.option(fc.jsonValue(), { nil: undefined })
  fc.assert(
    fc.property(tree, path, value, fc.boolean(), (object, text, put, make) => {
      const input = JSON.parse(JSON.stringify(object)) as JsonObject
      const before = JSON.stringify(input)
      const edit = () => put as Json | undefined
      const next = change(input, parsePath(text), edit, make ? 'make' : 'leave')
      return (
        JSON.stringify(input) === before &&
        Object.getPrototypeOf(next) === Object.prototype &&
        JSON.stringify(JSON.parse(JSON.stringify(next))) === JSON.stringify(next)
      )
    }),
  )
  t.notOk('polluted' in {})
})

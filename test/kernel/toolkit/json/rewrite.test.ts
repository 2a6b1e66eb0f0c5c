/** A body changed deep inside: what nobody touched keeps its source text, digits beyond 2^53 included. */
import fc from 'fast-check'
import t from 'tap'
import type { Json, JsonObject } from '../../../../kernel/contract/json.js'
import { change, parsePath } from '../../../../kernel/toolkit/json/path.js'
import { deeplyRewritten } from '../../../../kernel/toolkit/json/rewrite.js'

const big = '9007199254740993'

function written(text: string, path: string, value: Json | undefined): string {
  const original = { value: JSON.parse(text) as JsonObject, bytes: Buffer.from(text) }
  const next = change(original.value, parsePath(path), () => value, 'make')
  return deeplyRewritten(next, original).toString()
}

t.test('big numbers survive a change beside them, at every depth (X6)', async (t) => {
  const rows: readonly (readonly [string, string, Json | undefined, string])[] = [
    [`{"m":{"id":${big},"a":1}}`, 'm.a', 2, `{"m":{"id":${big},"a":2}}`],
    [`{"m":{"id":${big},"a":1}}`, 'm.a', undefined, `{"m":{"id":${big}}}`],
    [`{"m":{"id":${big}}}`, 'm.a', [1], `{"m":{"id":${big},"a":[1]}}`],
    [
      `{"l":[${big},{"x":${big},"y":1},[${big}]]}`,
      'l.1.y',
      2,
      `{"l":[${big},{"x":${big},"y":2},[${big}]]}`,
    ],
    [`{"l":[1,${big}]}`, 'l.0', undefined, `{"l":[${big}]}`],
    [`{"l":[${big},1]}`, 'l.2', 7, `{"l":[${big},1,7]}`],
    [`{"l":[{"i":1},{"i":${big}}]}`, 'l.0', undefined, `{"l":[{"i":${big}}]}`],
    [`{"l":[{"i":${big}}]}`, 'l.1', { j: 1 }, `{"l":[{"i":${big}},{"j":1}]}`],
    [
      ` {\n "m" : { "id" : ${big} , "t" : "a\\"},{" , "a" : 1.50 } }`,
      'm.a',
      2,
      `{"m":{"id":${big},"t":"a\\"},{","a":2}}`,
    ],
    [`{"m":{"\\u0061":${big},"b":1}}`, 'm.b', 2, `{"m":{"a":${big},"b":2}}`],
    [`{"m":{"e":{},"l":[ ],"n":1e2,"b":1}}`, 'm.b', 2, `{"m":{"e":{},"l":[ ],"n":1e2,"b":2}}`],
    [`{"m":{"a":1}}`, 'm.a', undefined, '{"m":{}}'],
    [`{"m":[1]}`, 'm.0', undefined, '{"m":[]}'],
  ]
  for (const [text, path, value, wanted] of rows)
    t.equal(written(text, path, value), wanted, wanted)
})

t.test('several changes in one list: none is taken for another', async (t) => {
  const text = `{"l":[{"i":${big},"k":"a"},{"i":9007199254740992,"k":"b"},{"i":5,"k":"c"}]}`
  const original = { value: JSON.parse(text) as JsonObject, bytes: Buffer.from(text) }
  const shorter = change(original.value, parsePath('l.0'), () => undefined, 'leave')
  const next = change(shorter, parsePath('l.0.k'), () => 'z', 'leave')
  t.equal(
    deeplyRewritten(next, original).toString(),
    '{"l":[{"i":9007199254740992,"k":"z"},{"i":5,"k":"c"}]}',
  )
})

t.test('what is written means what the value means', async () => {
  const key = fc.constantFrom('a', 'b', '0', 'x"y', 'é')
  const tree = fc.object({
    key,
    maxDepth: 4,
    values: [fc.string(), fc.integer(), fc.constant(null), fc.boolean()],
  })
  const step = fc.constantFrom('a', 'b', '0', '-1', '*', 'é')
  const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join('.'))
  const put = fc.option(fc.jsonValue({ maxDepth: 2 }), { nil: undefined })
  const spaces = fc.constantFrom(0, 1, '\t')
  fc.assert(
    fc.property(
      tree,
      fc.array(fc.tuple(path, put), { maxLength: 3 }),
      spaces,
      (object, edits, space) => {
        const text = JSON.stringify(object, undefined, space)
        const original = { value: JSON.parse(text) as JsonObject, bytes: Buffer.from(text) }
        const next = edits.reduce(
          (value, [at, edit]) =>
            change(value, parsePath(at), () => edit as Json | undefined, 'make'),
          original.value,
        )
        const written = deeplyRewritten(next, original).toString()
        return JSON.stringify(JSON.parse(written)) === JSON.stringify(next)
      },
    ),
  )
})

/** Members changed in place: the result means what the change means, and every other byte stays. */
import fc from 'fast-check'
import t from 'tap'
import type { JsonObject } from '../../../../kernel/contract/json.js'
import { replaceRanges, rewritten } from '../../../../kernel/toolkit/json/ranges.js'

const replaced = (text: string, changes: Parameters<typeof replaceRanges>[1]) =>
  replaceRanges(Buffer.from(text), changes).toString()

t.test('a changed member takes the place of the old one, byte for byte otherwise', async (t) => {
  const rows: readonly (readonly [string, Parameters<typeof replaceRanges>[1], string])[] = [
    ['{"model":"a","n":1}', { model: 'b' }, '{"model":"b","n":1}'],
    [
      ' {\n "n" : 1.0e0 , "model" : "a" }\n',
      { model: 'b' },
      ' {\n "n" : 1.0e0 , "model" : "b" }\n',
    ],
    ['{"big":12345678901234567890,"a":1}', { a: 2 }, '{"big":12345678901234567890,"a":2}'],
    ['{"mod\\u0065l":"a"}', { model: 'b' }, '{"mod\\u0065l":"b"}'],
    [
      '{"a":"\\"}{","b":[{"b":1}],"c":null}',
      { c: { d: [] } },
      '{"a":"\\"}{","b":[{"b":1}],"c":{"d":[]}}',
    ],
    ['{}', { a: 1, b: 'x' }, '{"a":1,"b":"x"}'],
    ['{"a":1}', { b: 2 }, '{"a":1,"b":2}'],
    ['{ "a": 1 }', { b: 2 }, '{ "a": 1,"b":2 }'],
    ['{"a":1,"b":2,"c":3}', { a: undefined }, '{"b":2,"c":3}'],
    ['{"a":1,"b":2,"c":3}', { b: undefined }, '{"a":1,"c":3}'],
    ['{"a":1,"b":2,"c":3}', { c: undefined }, '{"a":1,"b":2}'],
    ['{"a":1}', { a: undefined }, '{}'],
    ['{"a":1}', { a: undefined, b: 2 }, '{"b":2}'],
    ['{"a":1,"b":2}', { a: undefined, b: undefined, c: 3 }, '{"c":3}'],
    ['{"inner":{"model":"a"}}', { model: 'b' }, '{"inner":{"model":"a"},"model":"b"}'],
  ]
  for (const [text, changes, wanted] of rows) t.equal(replaced(text, changes), wanted, text)
})

t.test('nothing to change is the very same buffer', async (t) => {
  const bytes = Buffer.from('{"a": 1}')
  t.equal(replaceRanges(bytes, {}), bytes)
  const value = { a: 1, deep: { b: [1] } }
  const original = { value, bytes: Buffer.from(JSON.stringify(value)) }
  t.equal(rewritten({ ...value }, original), original.bytes)
})

t.test('long strings with quotes and backslashes anywhere are passed over', async (t) => {
  for (const length of [40, 47, 48, 49, 50, 100, 5000]) {
    for (const end of ['\\\\', '\\"', '\\\\\\"', 'x']) {
      const text = `{"long":"${'y'.repeat(length)}${end}","model":"a"}`
      t.equal(JSON.parse(replaced(text, { model: 'b' })).model, 'b')
    }
  }
})

t.test('whatever the object and the change, the result parses to the changed object', async (t) => {
  const object = fc.dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), {
    maxKeys: 8,
  })
  fc.assert(
    fc.property(
      object,
      object,
      fc.array(fc.nat()),
      fc.constantFrom(0, 1, 2),
      (before, added, gone, indent) => {
        const value = withoutProto(before)
        const bytes = Buffer.from(JSON.stringify(value, null, indent))
        const next: JsonObject = { ...value, ...withoutProto(added) }
        const keys = Object.keys(value)
        const lost = new Set(gone.map((at) => keys[at % Math.max(keys.length, 1)]))
        const wanted = Object.fromEntries(Object.entries(next).filter(([key]) => !lost.has(key)))
        const got = JSON.parse(rewritten(wanted as JsonObject, { value, bytes }).toString())
        t.strictSame(got, JSON.parse(JSON.stringify(wanted)))
      },
    ),
    { numRuns: 500 },
  )
})

function withoutProto(value: object): JsonObject {
  return Object.fromEntries(
    Object.entries(value).filter(([key]) => key !== '__proto__'),
  ) as JsonObject
}

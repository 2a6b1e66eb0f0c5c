/** Bodies whose text and value could disagree, or that could do harm, are refused (S15, X5 to X7). */
import fc from 'fast-check'
import t from 'tap'
import { readJson } from '../../../../kernel/toolkit/json/json.js'
import { limits } from '../../../../kernel/toolkit/limits/limits.js'

const read = (text: string) => readJson(Buffer.from(text))

t.test('bodies that are refused, and why', async (t) => {
  const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
  const table: readonly (readonly [body: string | Buffer, code: string, message: RegExp])[] = [
    ['', 'invalid_json', /empty/],
    ['  ', 'invalid_json', /too early/],
    ['{"a":', 'invalid_json', /too early/],
    ['{"a":1,}', 'invalid_json', /character 7/],
    ['[1]', 'invalid_json', /not an object/],
    ['"x"', 'invalid_json', /not an object/],
    ['null', 'invalid_json', /not an object/],
    ['\ufeff{}', 'invalid_json', /unexpected/],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'invalid_json', /UTF-8/],
    ['{"a":NaN}', 'invalid_json', /unexpected/],
    ['{"max_tokens":1e400}', 'invalid_json', /too large/],
    ['{"a":[{"b":-1e999}]}', 'invalid_json', /too large/],
    ['{"max_tokens":1,"max_tokens":999999}', 'duplicate_key', /"max_tokens" twice/],
    ['{"a":{"b":[{"c":1,"d":2,"c":3}]}}', 'duplicate_key', /"c" twice/],
    ['{"model":"x","mod\\u0065l":"y"}', 'duplicate_key', /"model" twice/],
    ['{"a":"{\\"x\\":1}", "b" : 2,\n"b"\n: 3}', 'duplicate_key', /"b" twice/],
    ['{"__proto__":{"admin":true}}', 'forbidden_key', /__proto__/],
    ['{"a":[{"\\u005f_proto__":1}]}', 'forbidden_key', /__proto__/],
    [nested(limits.jsonDepthMax + 1), 'too_deep', /64 levels/],
    ['['.repeat(100_000), 'too_deep', /64 levels/],
  ]
  for (const [body, code, message] of table) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    t.throws(() => readJson(bytes), { code, message }, bytes.toString('utf8').slice(0, 40))
  }
  t.ok(read(nested(limits.jsonDepthMax)))
})

t.test('a refusal never repeats the body', async (t) => {
  try {
    read('{"key":"sk-secret-value" oops}')
    t.fail('was taken')
  } catch (error) {
    t.notMatch(String(error), /secret|oops/)
  }
})

t.test('what is no key does not count as one', async (t) => {
  for (const text of [
    '{}',
    '{"a":"x:y","b":"\\"c\\":1","c":"\\\\","d":":"}',
    '{"a":{"x":1},"b":{"x":1}}',
    '{"a":[{"x":1},{"x":2}],"x":[":",{"x":{}}]}',
    '{"1":1,"0":2,"constructor":{"prototype":1},"toString":3}',
    '{ "é\\u00e9" : -0.5e-3 , "汉":[true,false,null] }',
  ]) {
    t.equal(JSON.stringify(read(text)), JSON.stringify(JSON.parse(text)), text)
  }
})

t.test('every value that JSON can write is read as it stands', async (t) => {
  const body = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 8 }))
  fc.assert(
    fc.property(body, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      fc.pre(!text.includes('"__proto__"'))
      t.equal(JSON.stringify(read(text)), JSON.stringify(JSON.parse(text)))
    }),
    { numRuns: 300 },
  )
})

t.test('a key written twice is found wherever it stands', async (t) => {
  const key = fc.string({ minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(key, fc.nat(5), fc.jsonValue({ maxDepth: 2 }), (name, depth, value) => {
      fc.pre(name !== '__proto__' && !JSON.stringify(value).includes('__proto__'))
      const k = JSON.stringify(name)
      const twice = `{${k}:${JSON.stringify(value)},"other ${depth}":1,${k}:0}`
      const text = `${'{"n":['.repeat(depth)}${twice}${']}'.repeat(depth)}`
      t.throws(() => read(text), { code: 'duplicate_key' })
    }),
    { numRuns: 200 },
  )
})

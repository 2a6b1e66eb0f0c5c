/** Whatever a client sends, a document that could be read never throws, never changes its input, never grows wild. */
import fc from 'fast-check'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { context, rewriting } from './rewriting-kit.js'

const step = fc.constantFrom('a', 'b', 'messages', '0', '-1', '*', 'content', 'length', 'x\\.y')
const path = fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => steps.join('.'))
const single = path.map((text) => text.replaceAll('*', 'a'))
/** Documents with other keys are refused before anything is read of them. */
const json = fc
  .jsonValue({ maxDepth: 3 })
  .filter((value) => !/"(?:__proto__|constructor|prototype)":/.test(JSON.stringify(value)))
const condition = fc.record(
  {
    path,
    value: json,
    mode: fc.constantFrom('full', 'contains'),
    invert: fc.boolean(),
    pass_missing_key: fc.boolean(),
  },
  { requiredKeys: ['path', 'value'] },
)

const operation = fc.oneof(
  fc.record({
    mode: fc.constantFrom('set', 'prepend', 'append'),
    path,
    value: json,
    keep_origin: fc.boolean(),
  }),
  fc.record({ mode: fc.constantFrom('delete', 'trim_space', 'to_lower', 'to_upper'), path }),
  fc.record({ mode: fc.constantFrom('move', 'copy'), from: single, to: single }),
  fc.record({ mode: fc.constantFrom('trim_prefix', 'ensure_suffix'), path, value: fc.string() }),
  fc.record({
    mode: fc.constant('replace'),
    path,
    from: fc.string({ minLength: 1 }),
    to: fc.string(),
  }),
  fc.record({
    mode: fc.constant('regex_replace'),
    path,
    from: fc.constantFrom('.', 'a*', '(b)|c'),
    to: fc.constantFrom('', '$0$0', 'x'),
  }),
  fc.record({
    mode: fc.constant('prune_objects'),
    path,
    value: fc.constantFrom('a', { where: { a: 1 } }),
  }),
  fc.record({
    mode: fc.constant('sync_fields'),
    from: single.map((text) => `json:${text}`),
    to: fc.constant('header:x-a'),
  }),
  fc.record({ mode: fc.constant('pass_headers'), value: fc.constant('x-a,user-agent') }),
)
const documents = fc.record({
  operations: fc
    .array(fc.tuple(operation, fc.array(condition, { maxLength: 2 })), { maxLength: 6 })
    .map((list) => list.map(([one, conditions]) => ({ ...one, conditions }))),
})

const keys = fc.constantFrom(
  'a',
  'b',
  'messages',
  'content',
  'type',
  '__proto__',
  'constructor',
  'x.y',
  '0',
)
const bodies = fc.object({
  key: keys,
  maxDepth: 5,
  withBigInt: false,
  values: [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)],
})

t.test(
  'no body makes a document throw, and no document changes a body or a prototype',
  async (t) => {
    const names = JSON.stringify(Object.getOwnPropertyNames(Object.prototype))
    fc.assert(
      fc.property(documents, bodies, (document, object) => {
        const body = JSON.parse(JSON.stringify(object)) as JsonObject
        const before = JSON.stringify(body)
        const headers = { 'user-agent': 'x' }
        const override = rewriting.override(JSON.parse(JSON.stringify(document)))
        const done = override.apply(body, context({ headers, clientHeaders: { 'x-a': 'y' } }))
        return (
          !('failure' in done) &&
          JSON.stringify(body) === before &&
          Object.keys(headers).length === 1 &&
          Object.getPrototypeOf(done.wire) === Object.prototype
        )
      }),
      { numRuns: 400 },
    )
    t.equal(JSON.stringify(Object.getOwnPropertyNames(Object.prototype)), names)
  },
)

t.test('any document is either read or refused in a sentence', async () => {
  const words = fc.constantFrom(
    'set',
    'delete',
    'prune_objects',
    'return_error',
    'sync_fields',
    'set_header',
    'x',
  )
  const junk = fc.record(
    {
      mode: fc.oneof(words, json),
      path: json,
      value: json,
      from: json,
      to: json,
      conditions: json,
      logic: json,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.record({ operations: fc.array(junk, { maxLength: 3 }) }),
      json,
      (document, body) => {
        try {
          const read = rewriting.override(JSON.parse(JSON.stringify(document)))
          read.apply({ a: body } as JsonObject, context())
          return true
        } catch (error) {
          return /^(?:has|holds|is) [^\n]+$/.test((error as Error).message)
        }
      },
    ),
    { numRuns: 400 },
  )
})

t.test('deep bodies are no trouble', async (t) => {
  const deep = JSON.parse(`${'{"a":['.repeat(3000)}1${']}'.repeat(3000)}`) as JsonObject
  const operations = [
    { mode: 'prune_objects', value: 'x' },
    { mode: 'copy', from: 'a', to: 'b' },
    {
      mode: 'set',
      path: 'a.0.a',
      value: 1,
      conditions: [{ path: 'a.*.a', value: [] }],
      logic: 'AND',
    },
  ]
  const done = rewriting.override({ operations }).apply(deep, context())
  t.match(done, { audit: ['skip copy: the body would become too large'] })
  t.equal('wire' in done && done.wire, deep)
})

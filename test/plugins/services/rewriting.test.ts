/** The words of an override document: one row per thing a mode does, and what it leaves alone. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { apply, operate, rewriting } from './rewriting-kit.js'

type Row = readonly [name: string, operation: JsonObject, body: JsonObject, result: JsonObject]

const chat = (content: JsonObject[string]): JsonObject => ({
  messages: [{ role: 'user', content }],
})

const rows: Readonly<Record<string, readonly Row[]>> = {
  set: [
    ['a member', { path: 'n', value: 2 }, { n: 1 }, { n: 2 }],
    ['a new member deep inside', { path: 'a.b', value: 0 }, {}, { a: { b: 0 } }],
    ['null', { path: 'a', value: null }, { a: 1 }, { a: null }],
    ['false where nothing is', { path: 'a', value: false }, {}, { a: false }],
    ['nothing over what is there', { path: 'a', value: 2, keep_origin: true }, { a: 0 }, { a: 0 }],
    ['where nothing is', { path: 'a', value: 2, keep_origin: true }, {}, { a: 2 }],
    [
      'the last element',
      { path: 'l.-1.c', value: 'x' },
      { l: [{ c: 1 }, {}] },
      { l: [{ c: 1 }, { c: 'x' }] },
    ],
    [
      'every element',
      { path: 'l.*.c', value: 'x' },
      { l: [{ c: 1 }, {}] },
      { l: [{ c: 'x' }, { c: 'x' }] },
    ],
    ['a member with a dot', { path: 'a\\.b', value: 1 }, {}, { 'a.b': 1 }],
    [
      'a token by its number',
      { path: 'logit_bias.50256', value: -100 },
      {},
      { logit_bias: { 50256: -100 } },
    ],
    ['nothing into a text', { path: 'a.b', value: 1 }, { a: 'x' }, { a: 'x' }],
  ],
  delete: [
    ['a member', { path: 'a.b' }, { a: { b: 1, c: 2 } }, { a: { c: 2 } }],
    ['an element', { path: 'l.0' }, { l: [1, 2] }, { l: [2] }],
    [
      'a member of every element',
      { path: 'l.*.x' },
      { l: [{ x: 1 }, 7, { y: 1 }] },
      { l: [{}, 7, { y: 1 }] },
    ],
    ['nothing where nothing is', { path: 'z' }, { a: 1 }, { a: 1 }],
  ],
  move: [
    [
      'to another name',
      { from: 'max_tokens', to: 'max_completion_tokens' },
      { max_tokens: 0 },
      { max_completion_tokens: 0 },
    ],
    ['into itself', { from: 'a', to: 'a.b' }, { a: 1 }, { a: { b: 1 } }],
    ['nothing that is not there', { from: 'a', to: 'b' }, { b: 1 }, { b: 1 }],
    [
      'nothing over what is kept',
      { from: 'a', to: 'b', keep_origin: true },
      { a: 1, b: 2 },
      { a: 1, b: 2 },
    ],
    ['nothing that cannot arrive', { from: 'a', to: 'b.c' }, { a: 1, b: 'x' }, { a: 1, b: 'x' }],
  ],
  copy: [
    [
      'to another place',
      { from: 'user', to: 'metadata.user_id' },
      { user: 'u' },
      { user: 'u', metadata: { user_id: 'u' } },
    ],
    ['from an element', { from: 'l.-1', to: 'last' }, { l: [1, 2] }, { l: [1, 2], last: 2 }],
    [
      'nothing over what is kept',
      { from: 'a', to: 'b', keep_origin: true },
      { a: 1, b: 2 },
      { a: 1, b: 2 },
    ],
  ],
  prepend: [
    ['a text', { path: 'a', value: 'x' }, { a: 'y' }, { a: 'xy' }],
    ['a list', { path: 'a', value: [1] }, { a: [2] }, { a: [1, 2] }],
    ['one element', { path: 'a', value: 1 }, { a: [2] }, { a: [1, 2] }],
    ['an object', { path: 'a', value: { b: 1, c: 1 } }, { a: { b: 2 } }, { a: { b: 1, c: 1 } }],
    ['to nothing', { path: 'a', value: 'x' }, {}, { a: 'x' }],
    ['every text', { path: 'messages.*.content', value: '> ' }, chat('hi'), chat('> hi')],
  ],
  append: [
    ['a text', { path: 'a', value: 'x' }, { a: 'y' }, { a: 'yx' }],
    ['a list', { path: 'a', value: [1, [2]] }, { a: [0] }, { a: [0, 1, [2]] }],
    ['one element', { path: 'a', value: { b: 1 } }, { a: [2] }, { a: [2, { b: 1 }] }],
    ['an object', { path: 'a', value: { b: 1, c: 1 } }, { a: { b: 2 } }, { a: { b: 1, c: 1 } }],
    [
      'an object, keeping',
      { path: 'a', value: { b: 1, c: 1 }, keep_origin: true },
      { a: { b: 2 } },
      { a: { b: 2, c: 1 } },
    ],
    ['to null', { path: 'a', value: 'x' }, { a: null }, { a: 'x' }],
    ['nothing to a number', { path: 'a', value: 'x' }, { a: 1 }, { a: 1 }],
    ['nothing unlike', { path: 'a', value: { b: 1 } }, { a: 'x' }, { a: 'x' }],
  ],
  trim_prefix: [
    ['once', { path: 'model', value: 'x/' }, { model: 'x/x/m' }, { model: 'x/m' }],
    ['nothing else', { path: 'model', value: 'x/' }, { model: 'm' }, { model: 'm' }],
  ],
  trim_suffix: [
    ['once', { path: 'model', value: '-x' }, { model: 'm-x-x' }, { model: 'm-x' }],
    ['an empty one', { path: 'model', value: '' }, { model: 'm' }, { model: 'm' }],
  ],
  ensure_prefix: [
    ['where it lacks', { path: 'model', value: 'x/' }, { model: 'm' }, { model: 'x/m' }],
    ['not twice', { path: 'model', value: 'x/' }, { model: 'x/m' }, { model: 'x/m' }],
    ['not on numbers', { path: 'model', value: 'x/' }, { model: 1 }, { model: 1 }],
    ['not on nothing', { path: 'model', value: 'x/' }, {}, {}],
  ],
  ensure_suffix: [
    ['where it lacks', { path: 'model', value: '-x' }, { model: 'm' }, { model: 'm-x' }],
    ['not twice', { path: 'model', value: '-x' }, { model: 'm-x' }, { model: 'm-x' }],
  ],
  trim_space: [['both ends', { path: 'a' }, { a: ' \n x y\t' }, { a: 'x y' }]],
  to_lower: [['a text', { path: 'a' }, { a: 'ÄB' }, { a: 'äb' }]],
  to_upper: [['a text', { path: 'a' }, { a: 'äb' }, { a: 'ÄB' }]],
  replace: [
    ['every one', { path: 'a', from: '.', to: '$&' }, { a: 'x.y.z' }, { a: 'x$&y$&z' }],
    ['by nothing', { path: 'a', from: 'x' }, { a: 'axbx' }, { a: 'ab' }],
  ],
  regex_replace: [
    ['every match', { path: 'a', from: '\\d+', to: '#' }, { a: 'a1b22' }, { a: 'a#b#' }],
    [
      'with groups',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a name of a group.
      { path: 'a', from: '^(\\w+)-(?P<v>\\w+)$', to: '${v}/$1 $$1 $0' },
      { a: 'x-y' },
      { a: 'y/x $1 x-y' },
    ],
    [
      'a group that took no part',
      { path: 'a', from: '(x)|(y)', to: '[$1]' },
      { a: 'xy' },
      { a: '[x][]' },
    ],
    ['by nothing', { path: 'a', from: 'x' }, { a: 'axb' }, { a: 'ab' }],
    [
      'in every element',
      { path: 'l.*', from: 'a', to: 'b' },
      { l: ['a', 1, 'ca'] },
      { l: ['b', 1, 'cb'] },
    ],
  ],
  prune_objects: [
    [
      'by type, at any depth',
      { value: 'thinking' },
      { messages: [{ content: [{ type: 'thinking' }, { type: 'text' }] }] },
      { messages: [{ content: [{ type: 'text' }] }] },
    ],
    ['members too', { value: 'x' }, { a: { type: 'x' }, b: { c: { type: 'x' } } }, { b: {} }],
    [
      'below a path',
      { path: 'a', value: 'x' },
      { a: [{ type: 'x' }], b: [{ type: 'x' }] },
      { a: [], b: [{ type: 'x' }] },
    ],
    [
      'not the value of the path itself',
      { path: 'a', value: 'x' },
      { a: { type: 'x' } },
      { a: { type: 'x' } },
    ],
    [
      'by all that is named',
      { value: { type: 'image_url', where: { 'image_url.detail': 'high' } } },
      { l: [{ type: 'image_url', image_url: { detail: 'high' } }, { type: 'image_url' }] },
      { l: [{ type: 'image_url' }] },
    ],
    [
      'by conditions',
      { value: { conditions: [{ path: 'n', mode: 'gt', value: 1 }] } },
      { l: [{ n: 1 }, { n: 2 }] },
      { l: [{ n: 1 }] },
    ],
    [
      'one level only',
      { path: 'l', value: { type: 'x', recursive: false } },
      { l: [{ type: 'x' }, { m: [{ type: 'x' }] }] },
      { l: [{ m: [{ type: 'x' }] }] },
    ],
  ],
}

for (const [mode, table] of Object.entries(rows)) {
  t.test(`the mode ${mode}`, async (t) => {
    for (const [name, operation, body, result] of table) {
      const before = JSON.stringify(body)
      const { wire } = operate({ mode, ...operation }, body)
      t.same(wire, result, name)
      t.equal(JSON.stringify(wire), JSON.stringify(result), `${name}, in order`)
      t.equal(JSON.stringify(body), before, `${name}: the input stays`)
      if (JSON.stringify(result) === before) t.equal(wire, body, `${name}: the very same object`)
    }
  })
}

t.test('a document without operations replaces members', async (t) => {
  const body = { model: 'm', stream: true, metadata: { a: 1 } }
  const done = apply({ temperature: 0, metadata: { b: 2 }, 'a.b': 1 }, body)
  t.same(done, {
    wire: { model: 'm', stream: true, metadata: { b: 2 }, temperature: 0, 'a.b': 1 },
    headers: {},
    audit: [],
  })
  t.match(apply({ metadata: { a: 1 }, stream: true }, body), { wire: body })
})

t.test('members are replaced before the operations, and these come in order', async (t) => {
  const operations = [
    { mode: 'set', path: 'a', value: 'x' },
    { mode: 'append', path: 'a', value: 'y' },
    { mode: 'copy', from: 'a', to: 'b' },
    { mode: 'delete', path: 'c' },
  ]
  t.same(apply({ c: 1, a: 0, operations }, {}), {
    wire: { a: 'xy', b: 'xy' },
    headers: {},
    audit: [],
  })
})

t.test('a document that does nothing is empty', async (t) => {
  t.equal(rewriting.override({}).empty, true)
  t.equal(rewriting.override({ operations: [] }).empty, true)
  t.equal(rewriting.override({ operations: [{ mode: 'delete', path: 'a' }] }).empty, false)
  t.equal(rewriting.override({ a: 1 }).empty, false)
})

t.test('an error is answered in the place of the upstream', async (t) => {
  const answer = (value: JsonObject[string]) =>
    apply(
      {
        operations: [
          { mode: 'return_error', value },
          { mode: 'set', path: 'a', value: 1 },
        ],
      },
      {},
    )
  t.same(answer('Not today.'), {
    failure: {
      blame: 'client',
      status: 400,
      code: 'invalid_request',
      message: 'Not today.',
      type: 'invalid_request_error',
      clientStatus: 400,
      clientCode: 'invalid_request',
    },
    retry: false,
  })
  const terms = { message: 'Full.', status_code: 429, code: 'full', type: 'rate_limit_error' }
  t.match(answer({ ...terms, skip_retry: false }), {
    failure: {
      blame: 'channel',
      status: 429,
      clientStatus: 429,
      code: 'invalid_request',
      clientCode: 'full',
      type: 'rate_limit_error',
    },
    retry: true,
  })
  t.match(answer({ ...terms, skip_retry: true }), { failure: { blame: 'client' }, retry: false })
})

t.test('one fact in two places: it is copied to where it lacks', async (t) => {
  const sync = (from: string, to: string) => ({ mode: 'sync_fields', from, to })
  const key = sync('json:prompt_cache_key', 'header:session_id')
  t.match(operate(key, { prompt_cache_key: 'k' }), { headers: { session_id: 'k' } })
  t.match(operate(key, {}, { clientHeaders: { session_id: 's' } }), {
    wire: { prompt_cache_key: 's' },
    headers: {},
  })
  const both = operate(key, { prompt_cache_key: 'k' }, { clientHeaders: { session_id: 's' } })
  t.same(both.wire, { prompt_cache_key: 'k' })
  t.same(both.headers, {})
  t.same(operate(key, {}).wire, {})
  t.match(operate(sync('context:original_model', 'json:metadata.requested'), {}), {
    wire: { metadata: { requested: 'asked-for' } },
  })
  t.match(operate(sync('json:n', 'header:x-n'), { n: 3 }), { headers: { 'x-n': '3' } })
  t.same(operate(sync('json:n', 'header:x-n'), { n: { a: 1 } }).headers, {})
  t.same(operate(sync('json:n', 'context:model'), { n: 1 }).wire, { n: 1 })
})

t.test('changes to what matters are reported for the log, one line each', async (t) => {
  const operations = [
    { mode: 'set', path: 'model', value: 'n' },
    { mode: 'append', path: 'messages.*.content', value: '!' },
    { mode: 'set', path: 'temperature', value: 1 },
    { mode: 'set', path: 'speed', value: 'fast' },
    { mode: 'delete', path: 'service_tier' },
    { mode: 'move', from: 'prompt', to: 'input' },
    { mode: 'prune_objects', value: 'thinking' },
    { mode: 'set', path: 'model', value: 'n' },
  ]
  const body = { model: 'm', prompt: 'p', messages: [{ content: 'a' }, { type: 'thinking' }] }
  const done = apply({ system: 's', operations }, body)
  t.match(done, {
    audit: [
      'set system',
      'set model',
      'append messages.*.content',
      'set speed',
      'move prompt to input',
      'prune_objects',
    ],
  })
})

t.test('what would fill the memory or take too long is left undone, and reported', async (t) => {
  const doubling = Array.from({ length: 200 }, (_, at) => ({
    mode: 'copy',
    from: 'a',
    to: `a.x${at}`,
  }))
  const grown = operate(doubling, { a: { text: 'x'.repeat(1000) } })
  t.ok(JSON.stringify(grown.wire).length < 40 * 1024 * 1024)
  t.same(grown.audit, ['skip copy: the body would become too large'])

  const texts = Array.from({ length: 2000 }, () => 'a')
  const appended = operate(
    { mode: 'append', path: 'l.*', value: 'x'.repeat(100_000) },
    { l: texts },
  )
  t.ok(JSON.stringify(appended.wire).length < 20 * 1024 * 1024)
  t.same(appended.audit, ['skip append: the body would become too large'])

  const replaced = operate(
    { mode: 'replace', path: 'a', from: 'a', to: 'y'.repeat(1000) },
    { a: 'a'.repeat(1_000_000) },
  )
  t.equal(replaced.wire.a, 'a'.repeat(1_000_000))
  t.same(replaced.audit, ['skip replace: the body would become too large'])

  const long = { a: 'a'.repeat(70_000) }
  const matched = operate({ mode: 'regex_replace', path: 'a', from: 'a', to: 'b' }, long)
  t.equal(matched.wire, long)
  t.same(matched.audit, ['skip regex_replace: the text is too long'])

  const wide = operate(
    { mode: 'regex_replace', path: 'a', from: '(?:)', to: 'b'.repeat(1000) },
    { a: 'a'.repeat(5000) },
  )
  t.same(wide.audit, ['skip regex_replace: the text would become too long'])
})

t.test('matching is linear, and bounded over one call (X4)', async (t) => {
  const evil = { mode: 'regex_replace', path: 'l.*', from: '^((a+)+)+$', to: '' }
  const texts = Array.from({ length: 400 }, () => `${'a'.repeat(40_000)}b`)
  const done = operate(evil, { l: texts })
  t.same(done.audit, ['skip regex_replace: the text is too long'])
})

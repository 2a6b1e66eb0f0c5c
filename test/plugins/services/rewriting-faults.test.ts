/** Override documents that cannot be used: one sentence each, which names the operation and what is wrong in it. */
import t from 'tap'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import { faultOf, rewriting } from './rewriting-kit.js'

const read = (document: JsonObject) => faultOf(() => rewriting.override(document))

t.test('an operation that cannot be used', async (t) => {
  const rows: readonly (readonly [Json, string])[] = [
    [7, 'that is no object'],
    [{}, 'without a mode'],
    [{ mode: 5 }, 'whose mode is no text'],
    [{ mode: 'sett' }, 'with the mode "sett", which does not exist'],
    [{ mode: 'toString' }, 'with the mode "toString", which does not exist'],
    [{ mode: 'set', value: 1 }, 'without a path'],
    [{ mode: 'set', path: 5, value: 1 }, 'whose path is no text'],
    [{ mode: 'set', path: 'a' }, 'without a value'],
    [{ mode: 'set', path: 'a..b', value: 1 }, 'whose path has an empty step'],
    [
      { mode: 'set', path: 'a.__proto__.b', value: 1 },
      'whose path holds the key "__proto__", which is not allowed',
    ],
    [
      { mode: 'set', path: 'constructor', value: 1 },
      'whose path holds the key "constructor", which is not allowed',
    ],
    [
      { mode: 'set', path: 'a', value: 1, keep_origin: 'yes' },
      'whose keep_origin is neither true nor false',
    ],
    [
      { mode: 'set', path: 'a', value: 1, vlaue: 2 },
      'with the member "vlaue", which does not exist',
    ],
    [{ mode: 'move', to: 'a' }, 'without a from'],
    [{ mode: 'copy', from: 'a' }, 'without a to'],
    [
      { mode: 'copy', from: 'a.*', to: 'b' },
      'whose from has a wildcard, which this mode cannot use',
    ],
    [{ mode: 'trim_prefix', path: 'a', value: 1 }, 'whose value is no text'],
    [{ mode: 'replace', path: 'a', to: 'b' }, 'without a from'],
    [
      { mode: 'regex_replace', path: 'a', from: '(' },
      'whose pattern or replacement is no regular expression this gateway can use: missing closing )',
    ],
    [
      { mode: 'regex_replace', path: 'a', from: '(?=a)' },
      'whose pattern or replacement is no regular expression this gateway can use: invalid or unsupported Perl syntax',
    ],
    [
      { mode: 'regex_replace', path: 'a', from: 'a'.repeat(1025) },
      'whose pattern or replacement is longer than 1024 characters',
    ],
    [
      { mode: 'regex_replace', path: 'a', from: '(a{100}){9}' },
      'whose pattern or replacement repeats too much to be matched in good time',
    ],
    [
      { mode: 'regex_replace', path: 'a', from: '(a)', to: '$2' },
      'whose pattern or replacement names the group "2", which the pattern does not have',
    ],
    [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a name of a group.
      { mode: 'regex_replace', path: 'a', from: '(a)', to: '${b}' },
      'whose pattern or replacement names the group "b", which the pattern does not have',
    ],
    [{ mode: 'prune_objects', value: 5 }, 'whose value is no text'],
    [{ mode: 'prune_objects', value: {} }, 'whose value names no type, where or conditions'],
    [{ mode: 'prune_objects', value: { where: 5 } }, 'whose value.where is no object'],
    [
      { mode: 'prune_objects', value: { where: { 'a..b': 1 } } },
      'whose value.where has an empty step',
    ],
    [
      { mode: 'prune_objects', value: { kind: 'x' } },
      'whose value is an object with the member "kind", which does not exist',
    ],
    [{ mode: 'return_error' }, 'without a value'],
    [{ mode: 'return_error', value: '' }, 'without a message of at most 1024 characters'],
    [
      { mode: 'return_error', value: { message: 'a', status_code: 200 } },
      'whose value.status_code is no whole number from 400 to 599',
    ],
    [
      { mode: 'return_error', value: { message: 'a', status_code: '400' } },
      'whose value.status_code is no whole number from 400 to 599',
    ],
    [
      { mode: 'return_error', value: { message: 'a', code: 'a b' } },
      'whose value is an error whose code is not one word of letters, digits and _ : . -',
    ],
    [
      { mode: 'return_error', value: { message: 'a', retry: true } },
      'whose value is an error with the member "retry", which does not exist',
    ],
    [
      { mode: 'set_header', path: 'x y', value: 'a' },
      'whose path names a header that is no name of a header',
    ],
    [
      { mode: 'set_header', path: 'host', value: 'a' },
      'whose path names a header that is set by the gateway itself',
    ],
    [
      { mode: 'set_header', path: 'x-a', value: 'a\r\nb' },
      'that has a value that no header can carry',
    ],
    [
      { mode: 'set_header', path: 'x-a', value: '{api_key}' },
      'that has the placeholder {api_key}, which only header documents know',
    ],
    [{ mode: 'pass_headers', value: 5 }, 'whose value is no list of at most 100 names of headers'],
    [
      { mode: 'pass_headers', value: [5] },
      'whose value holds something that is no name of a header',
    ],
    [
      { mode: 'pass_headers', value: 'Authorization' },
      'that passes on "authorization", which stays between client and gateway',
    ],
    [
      { mode: 'pass_headers', value: ['x-forwarded-for'] },
      'that passes on "x-forwarded-for", which stays between client and gateway',
    ],
    [
      { mode: 'sync_fields', from: 'a', to: 'json:b' },
      'whose from begins with neither json:, header: nor context:',
    ],
    [{ mode: 'sync_fields', from: 'json:a', to: 'json:' }, 'whose to is empty'],
    [
      { mode: 'sync_fields', from: 'header:authorization', to: 'json:b' },
      'that takes the header "authorization", which is never read',
    ],
    [{ mode: 'delete', path: 'a', conditions: {} }, 'whose conditions are no list'],
    [{ mode: 'delete', path: 'a', conditions: [5] }, 'whose condition 1 is no object'],
    [
      { mode: 'delete', path: 'a', conditions: [], logic: 'XOR' },
      'whose logic is neither AND nor OR',
    ],
    [
      { mode: 'delete', path: 'a', conditions: [{ value: 1 }] },
      'and in it a condition 1 without a path',
    ],
    [
      { mode: 'delete', path: 'a', conditions: [{ path: 'a' }] },
      'and in it a condition 1 without a value',
    ],
    [
      { mode: 'delete', path: 'a', conditions: [{ path: 'a', mode: 'like', value: 1 }] },
      'and in it a condition 1 with the mode "like", which does not exist',
    ],
    [
      { mode: 'delete', path: 'a', conditions: [{ path: 'a', mode: 'gt', value: 'x' }] },
      'and in it a condition 1 whose value is no number',
    ],
    [
      { mode: 'delete', path: 'a', conditions: [{ path: 'a', value: 1, invert: 1 }] },
      'and in it a condition 1 whose invert is neither true nor false',
    ],
    [
      { mode: 'delete', path: 'a', conditions: [{ path: 'a', vale: 1 }] },
      'and in it a condition 1 with the member "vale", which does not exist',
    ],
  ]
  const fine = { mode: 'delete', path: 'a' }
  for (const [operation, message] of rows) {
    const wanted = `has an operation 2 ${message}`
    t.equal(read({ operations: [fine, operation] }), wanted, wanted)
  }
})

t.test('a document that cannot be used', async (t) => {
  const deep: Json = JSON.parse(`${'['.repeat(70)}1${']'.repeat(70)}`)
  const many = Array.from({ length: 201 }, () => ({ mode: 'delete', path: 'a' }))
  const conditions = Array.from({ length: 51 }, () => ({ path: 'a', value: 1 }))
  const rows: readonly (readonly [JsonObject, string])[] = [
    [{ operations: {} }, 'has operations that are no list'],
    [{ operations: 'set' }, 'has operations that are no list'],
    [{ operations: many }, 'has more than 200 operations'],
    [
      { operations: [{ mode: 'delete', path: 'a', conditions }] },
      'has an operation 1 with more than 50 conditions',
    ],
    [{ a: Number.POSITIVE_INFINITY }, 'holds a number that is too large'],
    [
      { operations: [{ mode: 'set', path: 'a', value: { b: Number.NaN } }] },
      'holds a number that is too large',
    ],
    [JSON.parse('{"__proto__":{"polluted":1}}'), 'holds the key "__proto__", which is not allowed'],
    [{ a: { constructor: 1 } }, 'holds the key "constructor", which is not allowed'],
    [{ a: deep }, 'is nested deeper than 64'],
    [{ a: 'x'.repeat(300_000) }, 'has more than 262144 characters'],
  ]
  for (const [document, message] of rows) t.equal(read(document), message, message)
  t.notOk('polluted' in {})
})

t.test('what editors write into every operation is no fault', async (t) => {
  const filled = {
    mode: 'set',
    path: 'a',
    value: null,
    keep_origin: false,
    from: '',
    to: '',
    conditions: [],
    logic: 'OR',
    description: 'why',
  }
  t.equal(
    read({
      operations: [filled, { ...filled, from: null, to: null, conditions: null, logic: null }],
    }),
    undefined,
  )
})

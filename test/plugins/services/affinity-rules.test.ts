/** The option of affinity rules: what is taken, and the one sentence that refuses anything else. */
import t from 'tap'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import { bodyPath, faultOfPath, textAt } from '../../../plugins/services/affinity/body-path.js'
import { readRules } from '../../../plugins/services/affinity/rules-text.js'

const sources = [{ type: 'user' }]
const plain = { name: 'cli', key_sources: sources }

/** The sentence that refuses the rules; undefined: they are taken. */
function fault(rules: unknown): string | undefined {
  try {
    readRules(typeof rules === 'string' ? rules : JSON.stringify(rules))
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.param}|${error.message}`
  }
}

const option = 'channel_affinity_setting.rules'
const many = <Item>(count: number, item: (at: number) => Item) =>
  Array.from({ length: count }, (_, at) => item(at))

t.test('a rule states no more than it must', async (t) => {
  const [rule] = readRules(JSON.stringify([plain]))
  t.strictSame(rule, {
    name: 'cli',
    enabled: true,
    models: [],
    paths: [],
    userAgents: [],
    sources: [{ kind: 'user' }],
    value: undefined,
    ttlSeconds: undefined,
    skipRetry: false,
    byGroup: false,
    byModel: false,
    byRule: false,
  })
})

t.test(
  'what a script of the family exports is taken, with null and empty for what is not set',
  async (t) => {
    const [rule] = readRules(
      JSON.stringify([
        {
          ...plain,
          model_regex: ['^gpt-'],
          path_regex: null,
          user_agent_include: null,
          value_regex: '',
          ttl_seconds: 0,
          skip_retry_on_failure: true,
          include_using_group: true,
          include_model_name: true,
          include_rule_name: true,
          key_sources: [
            { type: 'gjson', path: 'metadata.0.user_id', key: '' },
            { type: 'request_header', key: 'Session-Id', path: '' },
            { type: 'context_int', key: 'id' },
            { type: 'context_string', key: 'user_id' },
            { type: 'context_string', key: 'group' },
          ],
        },
      ]),
    )
    t.strictSame(rule?.sources, [
      { kind: 'body', path: ['metadata', '0', 'user_id'] },
      { kind: 'header', name: 'session-id' },
      { kind: 'user' },
      { kind: 'user' },
      { kind: 'group' },
    ])
    t.match(rule, { skipRetry: true, byGroup: true, byModel: true, byRule: true })
    t.equal(rule?.ttlSeconds, undefined)
    t.equal(rule?.value, undefined)
  },
)

const refused: readonly (readonly [string, unknown, string])[] = [
  ['no JSON', '[{', ' is not valid JSON.'],
  ['no list', '{}', ' must be a JSON array of rules.'],
  [
    'too many rules',
    many(65, (at) => ({ ...plain, name: `r${at}` })),
    ' must hold at most 64 rules.',
  ],
  ['no object', [plain, 7], ', rule 2: must be an object.'],
  ['no name', [{ key_sources: sources }], ', rule 1: name must be 1 to 64 printable characters.'],
  [
    'a control in the name',
    [{ ...plain, name: 'a\nb' }],
    ', rule 1: name must be 1 to 64 printable characters.',
  ],
  ['a name of another kind', [{ ...plain, name: 5 }], ', rule 1: name must be text.'],
  ['a name twice', [plain, plain], ', rule 2: name is that of an earlier rule.'],
  [
    'a member not offered',
    [{ ...plain, param_override_template: {} }],
    ', rule "cli": param_override_template is no member this gateway knows; leave it out.',
  ],
  [
    'a prototype',
    '[{"name":"cli","__proto__":{"key_sources":[{"type":"user"}]}}]',
    ', rule "cli": __proto__ is no member this gateway knows; leave it out.',
  ],
  [
    'enabled as text',
    [{ ...plain, enabled: 'yes' }],
    ', rule "cli": enabled must be true or false.',
  ],
  [
    'a pattern alone',
    [{ ...plain, model_regex: 'gpt' }],
    ', rule "cli": model_regex must be a list.',
  ],
  [
    'a number as pattern',
    [{ ...plain, path_regex: ['a', 1] }],
    ', rule "cli": path_regex[1] must be text.',
  ],
  [
    'a pattern that is none',
    [{ ...plain, model_regex: ['ok', '('] }],
    ', rule "cli": model_regex[1] is no regular expression this gateway can use: missing closing ).',
  ],
  [
    'too many patterns',
    [{ ...plain, model_regex: many(31, () => 'a') }],
    ', rule "cli": model_regex must have at most 30 entries.',
  ],
  [
    'an empty part of a user agent',
    [{ ...plain, user_agent_include: [''] }],
    ', rule "cli": user_agent_include[0] must have 1 to 256 characters.',
  ],
  [
    'a value pattern that is none',
    [{ ...plain, value_regex: '(?<=a)' }],
    ', rule "cli": value_regex is no regular expression this gateway can use: invalid named capture.',
  ],
  ['no sources', [{ name: 'cli' }], ', rule "cli": key_sources must say where the key stands.'],
  [
    'a source of an unknown type',
    [{ ...plain, key_sources: [{ type: 'cookie' }] }],
    ', rule "cli": key_sources[0].type must be one of gjson, request_header, user, context_int, context_string.',
  ],
  [
    'a source named like an inherited member',
    [{ ...plain, key_sources: [{ type: 'constructor' }] }],
    ', rule "cli": key_sources[0].type must be one of gjson, request_header, user, context_int, context_string.',
  ],
  [
    'a member of a source not offered',
    [{ ...plain, key_sources: [{ type: 'gjson', path: 'a', nested_path: 'b' }] }],
    ', rule "cli": key_sources[0].nested_path is no member this gateway knows; leave it out.',
  ],
  [
    'a header with a path',
    [{ ...plain, key_sources: [{ type: 'request_header', key: 'a', path: 'b' }] }],
    ', rule "cli": key_sources[0].path does not belong to the type request_header.',
  ],
  [
    'no header name',
    [{ ...plain, key_sources: [{ type: 'request_header', key: 'a b' }] }],
    ', rule "cli": key_sources[0].key must be the name of a header.',
  ],
  [
    'a context key not offered',
    [{ ...plain, key_sources: [{ type: 'context_int', key: 'token_id' }] }],
    ', rule "cli": key_sources[0].key must be one of id, user_id, group.',
  ],
  [
    'a path to a prototype',
    [{ ...plain, key_sources: [{ type: 'user' }, { type: 'gjson', path: 'a.__proto__.b' }] }],
    ', rule "cli": key_sources[1].path names a member that is not allowed.',
  ],
  [
    'a life without end',
    [{ ...plain, ttl_seconds: 2592001 }],
    ', rule "cli": ttl_seconds must be a whole number from 0 to 2592000.',
  ],
  [
    'half a second',
    [{ ...plain, ttl_seconds: 0.5 }],
    ', rule "cli": ttl_seconds must be a whole number from 0 to 2592000.',
  ],
]

t.test(
  '[ROUTE-16] rules that cannot be used are refused in one sentence that names rule and member',
  async (t) => {
    for (const [name, rules, rest] of refused) {
      t.equal(fault(rules), `${option}|${option}${rest}`, name)
    }
  },
)

t.test('paths take names and indexes, and nothing of a query language', async (t) => {
  const rows = [
    ['', /must name a member/],
    ['a..b', /names and indexes/],
    ['a.#.b', /names and indexes/],
    ['a|b', /names and indexes/],
    ['@this', /names and indexes/],
    ['a.*', /names and indexes/],
    ['constructor', /not allowed/],
    ['a.prototype', /not allowed/],
    [many(17, () => 'a').join('.'), /at most 16 steps/],
    ['a'.repeat(257), /at most 256 characters/],
  ] as const
  for (const [path, why] of rows) t.match(faultOfPath(path), why, path.slice(0, 30))
  for (const path of ['prompt_cache_key', 'metadata.user_id', 'messages.0.role', 'x-y.z 1']) {
    t.equal(faultOfPath(path), undefined, path)
  }
})

t.test('a body is read by its own members alone', async (t) => {
  let deep = '1'
  for (let depth = 0; depth < 5000; depth++) deep = `{"a":${deep}}`
  const rows = [
    ['{"a":{"b":"x"}}', 'a.b', 'x'],
    ['{"a":["x","y"]}', 'a.1', 'y'],
    ['{"a":{"1":"x"}}', 'a.1', 'x'],
    ['{"a":12.5}', 'a', '12.5'],
    ['{"a":["x"]}', 'a.length', undefined],
    ['{"a":["x"]}', 'a.-1', undefined],
    ['{"a":["x"]}', 'a.01', undefined],
    ['{"a":["x"]}', 'a.1', undefined],
    ['{"a":"text"}', 'a.0', undefined],
    ['{"a":"text"}', 'a.length', undefined],
    ['{"a":null}', 'a.b', undefined],
    ['{"a":true}', 'a', undefined],
    ['{"a":{}}', 'a', undefined],
    ['{"__proto__":{"a":"x"}}', 'a', undefined],
    ['{}', 'toString', undefined],
    ['{}', 'toString.name', undefined],
    [deep, many(16, () => 'a').join('.'), undefined],
  ] as const
  for (const [body, path, text] of rows) {
    t.equal(textAt(JSON.parse(body), bodyPath(path)), text, `${path} in ${body.slice(0, 40)}`)
  }
  t.equal(textAt(Object.create({ a: 'inherited' }), ['a']), undefined, 'an inherited member')
})

/** Headers an operator sets, by document and by operations, and which of the client's never go on (S13). */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OverrideContext } from '../../../plugins/services/rewriting/index.js'
import { faultOf, operate, rewriting } from './rewriting-kit.js'

const clientHeaders: OverrideContext['clientHeaders'] = {
  host: 'gateway.example',
  connection: 'keep-alive, X-Hop',
  'x-hop': '1',
  'content-type': 'application/json',
  'content-length': '12',
  'transfer-encoding': 'chunked',
  'accept-encoding': 'gzip',
  te: 'trailers',
  upgrade: 'h2c',
  expect: '100-continue',
  authorization: 'Bearer sk-client',
  'x-api-key': 'sk-client',
  'api-key': 'sk-client',
  'x-goog-api-key': 'sk-client',
  'mj-api-secret': 'sk-client',
  'sec-websocket-protocol': 'openai-insecure-api-key.sk-client',
  cookie: 'session=1',
  'proxy-authorization': 'Basic x',
  'proxy-connection': 'close',
  'x-forwarded-for': '10.0.0.1',
  'x-real-ip': '10.0.0.1',
  forwarded: 'for=10.0.0.1',
  via: '1.1 x',
  origin: 'https://console.example',
  'user-agent': 'cli/1.0',
  'x-session-id': 's-1',
  'x-list': ['a', 'b'],
  'x-bad': 'caf\u0153',
  'anthropic-beta': 'one',
}

const made = (document: JsonObject, key = 'upstream-key') =>
  rewriting.headers(document).apply({ key, clientHeaders })

t.test('names and values, with placeholders', async (t) => {
  t.same(
    made({
      'X-Plain': ' text {not} a {place} ',
      'X-Count': 3,
      Authorization: 'Key {api_key}/{api_key}',
      'X-From': 'by {client_header:User-Agent}; {client_header:x-list}',
      'X-Absent': 'x {client_header:x-none}',
      'Anthropic-Beta': null,
    }),
    {
      'x-plain': 'text {not} a {place}',
      'x-count': '3',
      authorization: 'Key upstream-key/upstream-key',
      'x-from': 'by cli/1.0; a, b',
      'anthropic-beta': null,
    },
  )
  t.equal(rewriting.headers({}).empty, true)
  t.equal(rewriting.headers({ '*': true }).empty, false)
})

t.test('a value that cannot be sent leaves its header out', async (t) => {
  t.same(made({ 'x-key': '{api_key}' }, 'a\r\nx-evil: 1'), {})
  t.same(made({ 'x-key': '{api_key}' }, 'ключ'), {})
  t.same(made({ 'x-copy': '{client_header:x-bad}' }), {})
  t.same(made({ 'x-key': '{api_key}' }, 'k'.repeat(9000)), {})
  t.same(made({ 'x-key': '{api_key}' }, '$&'), { 'x-key': '$&' })
})

const passing = {
  'user-agent': 'cli/1.0',
  'x-session-id': 's-1',
  'x-list': 'a, b',
  'anthropic-beta': 'one',
}

t.test('rules pass what matches, and never what is between client and gateway (S13)', async (t) => {
  t.same(made({ '*': true }), passing)
  t.same(made({ '*': '' }), passing)
  t.same(made({ 're:.': true }), passing)
  t.same(made({ 're:^X-': true }), { 'x-session-id': 's-1', 'x-list': 'a, b' })
  t.same(made({ 'regex:session|beta$': '' }), { 'x-session-id': 's-1', 'anthropic-beta': 'one' })
  t.same(made({ '*': true, 'User-Agent': 'ours', 'x-list': null }), {
    ...passing,
    'user-agent': 'ours',
    'x-list': null,
  })
})

t.test('a client cannot reach a prototype by a header', async (t) => {
  const hostile = JSON.parse('{"__proto__":"x","constructor":"y","x-a":"1"}')
  const headers = rewriting.headers({ '*': true }).apply({ key: 'k', clientHeaders: hostile })
  t.same(headers, { 'x-a': '1' })
  t.equal(Object.getPrototypeOf(headers), Object.prototype)
})

t.test('header documents that cannot be used are named by what is wrong', async (t) => {
  const rows: readonly (readonly [JsonObject, string])[] = [
    [{ 'x y': 'a' }, 'has the header "x y", which is no name of a header'],
    [{ '': 'a' }, 'has the header "", which is no name of a header'],
    [{ Host: 'a' }, 'has the header "Host", which is set by the gateway itself'],
    [
      { 'Content-Length': '1' },
      'has the header "Content-Length", which is set by the gateway itself',
    ],
    [{ 'Content-Type': 'a' }, 'has the header "Content-Type", which is set by the gateway itself'],
    [{ Connection: 'a' }, 'has the header "Connection", which is set by the gateway itself'],
    [
      { 'Proxy-Authorization': 'a' },
      'has the header "Proxy-Authorization", which is set by the gateway itself',
    ],
    [{ 'X-A': '1', 'x-a': '2' }, 'has the header "x-a" twice'],
    [{ 'x-a': true }, 'has the header "x-a", whose value must be a text'],
    [{ 'x-a': {} }, 'has the header "x-a", whose value must be a text'],
    [{ 'x-a': 'a\nb' }, 'has the header "x-a", which has a value that no header can carry'],
    [{ 'x-a': 'ключ' }, 'has the header "x-a", which has a value that no header can carry'],
    [
      { 'x-a': '{client_header:}' },
      'has the header "x-a", which has a placeholder that names no header',
    ],
    [
      { 'x-a': '{client_header:Authorization}' },
      'has the header "x-a", which takes the client\'s header "authorization", which is never read',
    ],
    [{ '*': false }, 'has the rule "*", whose value must be true or ""'],
    [{ '*': 'yes' }, 'has the rule "*", whose value must be true or ""'],
    [{ 're:': true }, 'has the rule "re:", whose pattern is empty'],
    [
      { 're:(': true },
      'has the rule "re:(", whose pattern is no regular expression this gateway can use: missing closing )',
    ],
    [
      { 're:a{1000}': true },
      'has the rule "re:a{1000}", whose pattern repeats too much to be matched in good time',
    ],
    [{ 'x-a': Number.POSITIVE_INFINITY }, 'holds a number that is too large'],
    [JSON.parse('{"__proto__":"a"}'), 'holds the key "__proto__", which is not allowed'],
    [
      Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, 'a'])),
      'has more than 100 headers',
    ],
  ]
  for (const [document, message] of rows) {
    t.equal(
      faultOf(() => rewriting.headers(document)),
      message,
      message,
    )
  }
})

t.test('operations set, take, copy and pass headers', async (t) => {
  const headers = { 'x-set': 'v', authorization: 'Bearer upstream' }
  const rows: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ['set', { mode: 'set_header', path: 'X-A', value: 'a' }, { ...headers, 'x-a': 'a' }],
    [
      'set by placeholder',
      { mode: 'set_header', path: 'x-a', value: '{client_header:x-session-id}' },
      { ...headers, 'x-a': 's-1' },
    ],
    [
      'set by one that is absent',
      { mode: 'set_header', path: 'x-a', value: '{client_header:x-none}' },
      headers,
    ],
    ['set over', { mode: 'set_header', path: 'X-Set', value: 'w' }, { ...headers, 'x-set': 'w' }],
    ['set and keep', { mode: 'set_header', path: 'x-set', value: 'w', keep_origin: true }, headers],
    ['delete', { mode: 'delete_header', path: 'x-set' }, { ...headers, 'x-set': null }],
    [
      'copy one that is set',
      { mode: 'copy_header', from: 'x-set', to: 'x-b' },
      { ...headers, 'x-b': 'v' },
    ],
    [
      'copy one of the client',
      { mode: 'copy_header', from: 'User-Agent', to: 'x-b' },
      { ...headers, 'x-b': 'cli/1.0' },
    ],
    ['copy none', { mode: 'copy_header', from: 'x-none', to: 'x-b' }, headers],
    ['copy no key of the client', { mode: 'copy_header', from: 'x-api-key', to: 'x-b' }, headers],
    [
      'move',
      { mode: 'move_header', from: 'authorization', to: 'x-key' },
      { 'x-set': 'v', authorization: null, 'x-key': 'Bearer upstream' },
    ],
    [
      'move one of the client',
      { mode: 'move_header', from: 'x-session-id', to: 'x-b' },
      { ...headers, 'x-b': 's-1' },
    ],
    [
      'pass a list',
      { mode: 'pass_headers', value: ['User-Agent', 'x-none'] },
      { ...headers, 'user-agent': 'cli/1.0' },
    ],
    [
      'pass a text',
      { mode: 'pass_headers', value: 'x-list, anthropic-beta' },
      { ...headers, 'x-list': 'a, b', 'anthropic-beta': 'one' },
    ],
    ['pass nothing named in Connection', { mode: 'pass_headers', value: 'x-hop' }, headers],
    ['pass nothing that cannot be sent', { mode: 'pass_headers', value: 'x-bad' }, headers],
  ]
  for (const [name, operation, wanted] of rows) {
    const done = operate(operation, {}, { headers, clientHeaders })
    t.same(done.headers, wanted, name)
    t.same(headers, { 'x-set': 'v', authorization: 'Bearer upstream' }, `${name}: the input stays`)
  }
  const kept = { mode: 'pass_headers', value: 'user-agent', keep_origin: true }
  t.same(operate(kept, {}, { headers: { 'user-agent': 'ours' }, clientHeaders }).headers, {
    'user-agent': 'ours',
  })
})

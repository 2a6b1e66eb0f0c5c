/** Conditions: what they look at, how they compare, and what a missing key means. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { OverrideContext } from '../../../plugins/services/rewriting/index.js'
import { operate } from './rewriting-kit.js'

const body = {
  model: 'gpt-5',
  n: 2,
  count: '7',
  stop: ['a', { b: 1 }],
  metadata: { a: { b: 1 }, none: null },
  messages: [{ role: 'system' }, { role: 'user' }],
}

function holds(
  conditions: readonly JsonObject[],
  logic?: string,
  over?: Partial<OverrideContext>,
  wire: JsonObject = body,
): boolean {
  const operation = { mode: 'set', path: 'done', value: true, conditions, ...(logic && { logic }) }
  return operate(operation, wire, over).wire.done === true
}

t.test('how a value is compared', async (t) => {
  const rows: readonly (readonly [string, JsonObject, boolean])[] = [
    ['full', { path: 'model', mode: 'full', value: 'gpt-5' }, true],
    ['full is the mode of none', { path: 'model', value: 'gpt-5' }, true],
    ['full of another type', { path: 'n', mode: 'full', value: '2' }, false],
    ['full of an object', { path: 'metadata.a', mode: 'full', value: { b: 1 } }, true],
    ['full of null', { path: 'metadata.none', mode: 'full', value: null }, true],
    ['prefix', { path: 'model', mode: 'prefix', value: 'gpt-' }, true],
    ['prefix of a number', { path: 'n', mode: 'prefix', value: '2' }, false],
    ['suffix', { path: 'model', mode: 'suffix', value: '-5' }, true],
    ['contains', { path: 'model', mode: 'contains', value: 't-' }, true],
    ['contains an element', { path: 'stop', mode: 'contains', value: { b: 1 } }, true],
    ['contains no part of an element', { path: 'stop', mode: 'contains', value: 'b' }, false],
    ['gt', { path: 'n', mode: 'gt', value: 1 }, true],
    ['gt of the same', { path: 'n', mode: 'gt', value: 2 }, false],
    ['gte', { path: 'n', mode: 'gte', value: 2 }, true],
    ['lt', { path: 'n', mode: 'lt', value: 2 }, false],
    ['lte', { path: 'n', mode: 'lte', value: 2 }, true],
    ['a text that is a number', { path: 'count', mode: 'gt', value: '6' }, true],
    ['a text that is none', { path: 'model', mode: 'gt', value: 0 }, false],
    ['a wildcard: some element', { path: 'messages.*.role', value: 'user' }, true],
    ['a wildcard: none', { path: 'messages.*.role', value: 'tool' }, false],
    ['inverted', { path: 'model', value: 'x', invert: true }, true],
    ['inverted, and it holds', { path: 'model', value: 'gpt-5', invert: true }, false],
    ['missing', { path: 'nope', value: 1 }, false],
    ['missing and inverted', { path: 'nope', value: 1, invert: true }, false],
    ['missing, and that passes', { path: 'nope', value: 1, pass_missing_key: true }, true],
    [
      'there, though a missing one would pass',
      { path: 'n', value: 1, pass_missing_key: true },
      false,
    ],
  ]
  for (const [name, condition, wanted] of rows) t.equal(holds([condition]), wanted, name)
})

t.test('one suffices unless all are requested', async (t) => {
  const yes = { path: 'n', value: 2 }
  const no = { path: 'n', value: 3 }
  t.equal(holds([no, yes]), true)
  t.equal(holds([no, yes], 'OR'), true)
  t.equal(holds([no, yes], 'AND'), false)
  t.equal(holds([yes, yes], 'and'), true)
  t.equal(holds([no, no]), false)
  t.equal(holds([]), true)
})

t.test('the context: names around the call', async (t) => {
  const lastFailure = {
    blame: 'upstream',
    status: 429,
    code: 'upstream_error',
    message: 'told',
    upstreamMessage: 'overloaded, really',
    type: 'rate_limit_error',
  } as const
  const over: Partial<OverrideContext> = {
    retryIndex: 2,
    lastFailure,
    clientHeaders: { 'user-agent': 'cli/1', authorization: 'Bearer sk-1', 'x-list': ['a', 'b'] },
    headers: { 'x-set': 'v', 'x-gone': null },
  }
  const rows: readonly (readonly [string, JsonObject[string]])[] = [
    ['model', 'mapped-to'],
    ['upstream_model', 'mapped-to'],
    ['original_model', 'asked-for'],
    ['request_path', '/v1/chat/completions'],
    ['is_retry', true],
    ['retry_index', 2],
    ['last_error.status_code', 429],
    ['last_error.message', 'overloaded, really'],
    ['last_error.code', 'upstream_error'],
    ['last_error.type', 'rate_limit_error'],
    ['request_headers.User-Agent', 'cli/1'],
    ['request_headers.x-list', 'a, b'],
    ['header_override.X-Set', 'v'],
  ]
  for (const [path, value] of rows) t.equal(holds([{ path, value }], 'OR', over, {}), true, path)
  const missing = [
    'header_override.x-gone',
    'request_headers.authorization',
    'request_headers',
    'last_error',
  ]
  for (const path of [...missing, 'last_error.status', 'x.model']) {
    t.equal(holds([{ path, value: 1, pass_missing_key: true }], 'OR', over, {}), true, path)
  }
})

t.test('the model is that of the body, where it has one', async (t) => {
  t.equal(holds([{ path: 'model', value: 'gpt-5' }]), true)
  t.equal(holds([{ path: 'model', value: 'mapped-to' }], 'OR', {}, {}), true)
})

t.test(
  'a client cannot pretend: the names of the context are not read from its body',
  async (t) => {
    const wire = { is_retry: true, request_headers: { 'user-agent': 'cli' }, original_model: 'x' }
    t.equal(holds([{ path: 'is_retry', value: true }], 'OR', {}, wire), false)
    t.equal(holds([{ path: 'request_headers.user-agent', value: 'cli' }], 'OR', {}, wire), false)
    t.equal(holds([{ path: 'original_model', value: 'x' }], 'OR', {}, wire), false)
  },
)

t.test('before any failure there is no last error', async (t) => {
  t.equal(holds([{ path: 'last_error.code', value: 'x', pass_missing_key: true }]), true)
  t.equal(holds([{ path: 'is_retry', value: false }]), true)
})

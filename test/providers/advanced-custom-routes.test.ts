/** What an operator may write into a route document, and how the first fault is reported. */
import t from 'tap'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import { linearPattern } from '../../providers/advanced-custom/linear-pattern.js'
import { faultOfRoutes } from '../../providers/advanced-custom/routes.js'

const sound: JsonObject = { incoming_path: '/v1/chat/completions', upstream_path: '/v1/chat' }

t.test('sound documents have no fault, in any of their spellings', async (t) => {
  const documents: Json[] = [
    [],
    [sound],
    { routes: [sound] },
    { advanced_routes: [sound] },
    [{ ...sound, converter: '', models: [], auth: null }],
    [{ ...sound, models: ['a/b', 're:^gpt-(4o|5)(-mini)?$'], auth: { type: 'none' } }],
    [{ incoming_path: '/v1/models/{model}:streamGenerateContent', upstream_path: '/x?a=1' }],
  ]
  for (const document of documents) t.equal(faultOfRoutes(document), undefined)
})

t.test('the first fault is named by its place', async (t) => {
  const rows: [Json | undefined, RegExp][] = [
    [undefined, /must be a list/],
    ['[]', /must be a list/],
    [{ routes: {} }, /must be a list/],
    [Array.from({ length: 101 }, () => sound), /at most 100/],
    [[sound, 7], /routes\[1\] must be an object/],
    [[{ ...sound, incoming_path: '/v1/chat' }], /routes\[0\]\.incoming_path/],
    [[{ ...sound, upstream_path: 'v1/chat' }], /\.upstream_path/],
    [[{ ...sound, upstream_path: '/a/../b' }], /\.upstream_path/],
    [[{ ...sound, upstream_path: '/a#b' }], /\.upstream_path/],
    [[{ ...sound, upstream_path: '/{other}' }], /\.upstream_path/],
    [[{ ...sound, converter: 'chat->x' }], /\.converter/],
    [[{ ...sound, converter: 'chat->messages->chat' }], /\.converter/],
    [[{ ...sound, converter: 'messages->chat' }], /does not begin with/],
    [[{ ...sound, converter: 4 }], /\.converter/],
    [[{ ...sound, incoming_path: '/v1/rerank', converter: 'chat->messages' }], /must be none/],
    [[{ ...sound, models: 'm' }], /\.models must be a list/],
    [[{ ...sound, models: ['m', ''] }], /\.models\[1\] is empty/],
    [[{ ...sound, models: [3] }], /\.models\[0\] must be a text/],
    [[{ ...sound, models: ['re:(a'] }], /\.models\[0\] is not taken at character 3/],
    [[{ ...sound, models: [`re:${'a'.repeat(200)}`] }], /longer than 200/],
    [[{ ...sound, auth: 'bearer' }], /\.auth must be an object/],
    [[{ ...sound, auth: { type: 'basic' } }], /\.auth\.type/],
    [[{ ...sound, auth: { type: 'header', name: 'a b' } }], /\.auth\.name/],
    [[{ ...sound, auth: { type: 'header', name: 'Host' } }], /\.auth\.name/],
    [[{ ...sound, auth: { type: 'query', name: 'k', value: 'a\nb' } }], /\.auth\.value/],
  ]
  for (const [document, fault] of rows) t.match(faultOfRoutes(document), fault)
})

t.test('patterns match whole names', async (t) => {
  const rows: [pattern: string, matching: string[], other: string[]][] = [
    ['gpt-4o', ['gpt-4o'], ['gpt-4o-mini', 'xgpt-4o', '']],
    ['gpt-.*', ['gpt-', 'gpt-5.1'], ['gpt']],
    ['gpt-(4o|5(-mini)?)', ['gpt-4o', 'gpt-5', 'gpt-5-mini'], ['gpt-', 'gpt-4o-mini']],
    ['(?:a|b)+c?', ['a', 'abab', 'bc'], ['', 'c', 'abca']],
    ['o\\d+(-\\w+)*', ['o1', 'o3-mini', 'o4-mini-high'], ['o', 'o1-', 'ox']],
    ['[a-c0-2.-]+', ['a.b-2'], ['d', '3']],
    ['[^a-z]x', ['1x', 'Ax'], ['ax']],
    ['a\\.b|', ['a.b', ''], ['axb']],
    ['(a*)*b', ['b', 'aab'], ['a']],
    ['qwen/.+:free', ['qwen/q3:free'], ['qwen/:free']],
  ]
  for (const [pattern, matching, other] of rows) {
    const matches = linearPattern(pattern)
    for (const name of matching) t.ok(matches(name), `${pattern} takes "${name}"`)
    for (const name of other) t.notOk(matches(name), `${pattern} does not take "${name}"`)
  }
})

t.test('what a pattern cannot be is stated', async (t) => {
  for (const pattern of ['*a', 'a**', '(a', 'a)', '[', '[]', 'a{2}', '\\', '\\b', 'a^b', '(?=a)']) {
    t.throws(() => linearPattern(pattern), SyntaxError, pattern)
  }
})

t.test('no pattern takes long, whatever the name', async (t) => {
  const slow = ['(a+)+x', '(a|a)*x', 'a?'.repeat(60) + 'a'.repeat(60), '(.*)(.*)(.*)(.*)(.*)x']
  for (const pattern of slow) {
    const matches = linearPattern(pattern)
    t.equal(matches('a'.repeat(256)), false)
  }
})

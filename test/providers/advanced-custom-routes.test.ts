/** What an operator may write into a route document, and how its faults are reported. */
import t from 'tap'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import { faultOfSettings, readDocument } from '../../providers/advanced-custom/document.js'
import { ModelPatterns } from '../../providers/advanced-custom/model-pattern.js'

const sound: JsonObject = { incoming_path: '/v1/chat/completions', upstream_path: '/v1/chat' }
const faultOf = (routes: Json | undefined) => faultOfSettings({ routes })

t.test('sound documents have no fault, in any of their spellings', async (t) => {
  const documents: Json[] = [
    [],
    [sound],
    { routes: [sound] },
    { advanced_routes: [sound] },
    [{ ...sound, converter: '', models: [], auth: null }],
    [{ ...sound, converter: null, models: null }],
    [{ ...sound, models: ['a/b', 're:^gpt-(4o|5)(-mini)?$'], auth: { type: 'none' } }],
    [{ incoming_path: '/v1/models/{model}:streamGenerateContent', upstream_path: '/x?a=1' }],
    [{ ...sound, upstream_path: 'https://other.example/v1/{model}/chat?a={model}' }],
    [{ ...sound, upstream_path: 'http://10.0.0.7:8000/v1/chat' }],
    [{ ...sound, upstream_path: 'https://[2001:db8::1]:8443/v1' }],
    [{ ...sound, upstream_path: 'HTTPS://other.example' }],
    [{ incoming_path: '/v1/rerank', upstream_path: '/r', converter: 'jina_rerank_to_sglang' }],
  ]
  for (const document of documents) t.equal(faultOf(document), undefined, JSON.stringify(document))
})

t.test('each path this gateway serves may be the beginning of a route', async (t) => {
  const paths = [
    ...['/v1/chat/completions', '/pg/chat/completions', '/v1/messages', '/v1/responses'],
    ...['/v1/completions', '/v1/embeddings', '/v1/engines/{model}/embeddings'],
    ...['/v1/images/generations', '/pg/images/generations', '/v1/images/edits', '/v1/edits'],
    ...['/v1/audio/speech', '/v1/audio/transcriptions', '/v1/audio/translations'],
    ...['/v1/rerank', '/v1/moderations', '/v1/responses/compact', '/v1/alpha/search'],
    ...['/v1/realtime', '/v1/models', '/v1/dashboard/billing/credit_grants'],
    ...['v1', 'v1beta'].flatMap((version) =>
      ['generateContent', 'streamGenerateContent', 'embedContent', 'batchEmbedContents'].map(
        (verb) => `/${version}/models/{model}:${verb}`,
      ),
    ),
  ]
  for (const incoming_path of paths) t.equal(faultOf([{ ...sound, incoming_path }]), undefined)
})

t.test('a path that no route can serve is reported, and why', async (t) => {
  const rows = {
    'is no path this gateway serves': ['/v1/chat', '/v1/files', '/v1/messages/', '', '/rerank'],
    'is answered by this gateway itself and takes no route': [
      '/v1/messages/count_tokens',
      '/v1beta/models/{model}:countTokens',
    ],
    'is a path of media tasks, which routes cannot serve': [
      ...['/v1/videos', '/v1/video/generations', '/mj/submit/imagine', '/mj-fast/mj/submit/blend'],
      ...['/suno/submit/music', '/kling/v1/videos/text2video', '/jimeng', '/pg/video/generations'],
    ],
  }
  for (const [why, paths] of Object.entries(rows)) {
    for (const incoming_path of paths) {
      const fault = faultOf([sound, { ...sound, incoming_path }])
      t.equal(fault, `routes[1].incoming_path ${why}.`, incoming_path)
    }
  }
})

t.test('a fault is named by its place', async (t) => {
  const rows: [Json | undefined, RegExp][] = [
    [undefined, /^routes must be a list of routes\.$/],
    ['[]', /must be a list/],
    [{ routes: {} }, /must be a list/],
    [Array.from({ length: 101 }, () => sound), /^routes must be at most 100\.$/],
    [[sound, 7], /^routes\[1\] must be an object\.$/],
    [[{ ...sound, incoming_path: 7 }], /^routes\[0\]\.incoming_path must be a text\.$/],
    [[{ ...sound, upstream_path: null }], /\.upstream_path must be a text/],
    [[{ ...sound, upstream_path: 'v1/chat' }], /\.upstream_path is no path/],
    [[{ ...sound, upstream_path: '/a/../b' }], /\.upstream_path is no path/],
    [[{ ...sound, upstream_path: '/a#b' }], /\.upstream_path is no path/],
    [[{ ...sound, upstream_path: '/{other}' }], /\.upstream_path is no path/],
    [[{ ...sound, upstream_path: 'https://h.example/../b' }], /\.upstream_path is no path/],
    [[{ ...sound, upstream_path: 'https://h.example/a#b' }], /\.upstream_path is no path/],
    [[{ ...sound, upstream_path: 'https://' }], /\.upstream_path names no host/],
    [[{ ...sound, upstream_path: 'https://{model}.example/v1' }], /\.upstream_path names no host/],
    [[{ ...sound, upstream_path: 'https://u:p@h.example/v1' }], /\.upstream_path names no host/],
    [[{ ...sound, upstream_path: 'https://h.example:99999/v1' }], /\.upstream_path names no host/],
    [[{ ...sound, upstream_path: 'https://h.example\\@evil.example' }], /names no host/],
    [[{ ...sound, upstream_path: 'ftp://h.example/v1' }], /\.upstream_path is no path/],
    [[{ ...sound, converter: 'chat->x' }], /\.converter is none/],
    [[{ ...sound, converter: 'chat->messages->chat' }], /\.converter is none/],
    [[{ ...sound, converter: 'toString->chat' }], /\.converter is none/],
    [[{ ...sound, converter: 'messages->chat' }], /does not begin with/],
    [[{ ...sound, converter: 'openai_responses_to_openai_chat_completions' }], /does not begin/],
    [[{ ...sound, converter: 'jina_rerank_to_sglang' }], /must be none/],
    [[{ ...sound, converter: 4 }], /\.converter/],
    [[{ ...sound, incoming_path: '/v1/rerank', converter: 'chat->messages' }], /must be none/],
    [[{ ...sound, incoming_path: '/v1/models', converter: 'chat->messages' }], /must be none/],
    [[{ ...sound, models: 'm' }], /\.models must be a list/],
    [[{ ...sound, models: Array.from({ length: 1001 }, () => 'm') }], /\.models must be at most/],
    [[{ ...sound, models: ['m', ''] }], /\.models\[1\] is empty/],
    [[{ ...sound, models: [3] }], /\.models\[0\] must be a text/],
    [[{ ...sound, models: ['re:(a'] }], /\.models\[0\] is no regular expression of Go: missing/],
    [[{ ...sound, models: [`re:${'a'.repeat(1025)}`] }], /longer than 1024/],
    [[{ ...sound, auth: 'bearer' }], /\.auth must be an object/],
    [[{ ...sound, auth: { type: 'basic' } }], /\.auth\.type/],
    [[{ ...sound, auth: { type: 'header', name: 'a b' } }], /\.auth\.name/],
    [[{ ...sound, auth: { type: 'header', name: 'Host' } }], /\.auth\.name/],
    [[{ ...sound, auth: { type: 'query', name: 'k', value: 'a\nb' } }], /\.auth\.value/],
  ]
  for (const [document, fault] of rows) t.match(faultOf(document), fault, JSON.stringify(document))
})

t.test('several faults are one sentence, a few by name and the others by number', async (t) => {
  const bad = (upstream_path: string) => ({ ...sound, upstream_path })
  t.equal(
    faultOf([bad('x'), sound, bad('y')]),
    'routes[0].upstream_path is no path; routes[2].upstream_path is no path.',
  )
  t.match(faultOf(Array.from({ length: 9 }, () => bad('x'))), /\[2\][^;]*; and 6 more\.$/)
})

t.test('routes with a fault do not serve, the others do', async (t) => {
  const routes: Json[] = [{ ...sound, converter: 'x' }, sound, 7, { ...sound, models: ['re:('] }]
  const read = readDocument({ routes })
  t.equal(read.routes.length, 1)
  t.same(
    read.faults.map((fault) => fault.slice(0, 3)),
    ['[0]', '[2]', '[3]'],
  )
  const many = readDocument({ routes: Array.from({ length: 101 }, () => sound) })
  t.equal(many.routes.length, 100)
})

t.test('routes of new-api are named as they are there', async (t) => {
  const advanced_custom = { advanced_routes: [sound, 7] }
  t.equal(faultOfSettings({ advanced_custom }), 'advanced_routes[1] must be an object.')
  t.equal(
    faultOfSettings({ advanced_custom, routes: { routes: [] } })?.slice(0, 15),
    'advanced_routes',
  )
  t.equal(faultOfSettings({ advanced_custom, routes: { routes: [sound] } }), undefined)
  t.match(faultOfSettings({ advanced_custom: 'x' }), /^advanced_routes must be a list/)
})

t.test('patterns are those of Go: found anywhere in the name', async (t) => {
  const rows: [pattern: string, matching: string[], other: string[]][] = [
    ['gpt-4o', ['gpt-4o', 'gpt-4o-mini', 'xgpt-4o'], ['gpt-4', '']],
    ['^gpt-', ['gpt-', 'gpt-5.1'], ['gpt', 'my-gpt-5']],
    ['^gpt-(4o|5(-mini)?)$', ['gpt-4o', 'gpt-5', 'gpt-5-mini'], ['gpt-', 'gpt-4o-mini']],
    ['^o\\d{1,2}$', ['o1', 'o33'], ['o', 'o333']],
    ['(?i)^CLAUDE', ['claude-sonnet-5', 'Claude'], ['my-claude']],
    ['^(?P<family>qwen)[[:digit:]]', ['qwen3'], ['qwen-3']],
    ['^(?<family>qwen)', ['qwen3'], ['xqwen']],
    ['\\bmini\\b', ['gpt-5-mini', 'mini'], ['gemini-3']],
    ['^\\pL+$', ['modèle', '模型'], ['gpt-5']],
    ['^[^a-z]x', ['1x', 'Ax'], ['ax']],
    ['^(?:a|b)+c??$', ['a', 'abab', 'bc'], ['c', 'abca']],
    ['\\Qa.b\\E\\z', ['xa.b'], ['axb', 'a.bc']],
    ['', ['anything', ''], []],
  ]
  for (const [pattern, matching, other] of rows) {
    const matches = new ModelPatterns().testOf([`re:${pattern}`])
    for (const name of matching) t.ok(matches(name), `${pattern} takes "${name}"`)
    for (const name of other) t.notOk(matches(name), `${pattern} does not take "${name}"`)
  }
})

t.test('what Go has no word for is refused', async (t) => {
  for (const pattern of [
    '*a',
    'a**',
    '(a',
    'a)',
    '[',
    '[]',
    '\\',
    '(?=a)',
    '(?<=a)b',
    '(a)\\1',
    'a{1001}',
  ]) {
    const read = () => new ModelPatterns().testOf([`re:${pattern}`])
    t.throws(read, { message: /^\[0\] is no regular expression of Go/ }, pattern)
  }
})

t.test('no pattern takes long, whatever the name, nor do all of a document', async (t) => {
  const slow = [
    '(a+)+x',
    '(a|a)*x',
    `${'a?'.repeat(60)}${'a'.repeat(60)}x`,
    '(.*)(.*)(.*)(.*)(.*)x',
  ]
  const matches = new ModelPatterns().testOf(slow.map((pattern) => `re:${pattern}`))
  const begun = performance.now()
  t.equal(matches('a'.repeat(256)), false)
  t.ok(performance.now() - begun < 500)
  const large = /repeats too much to be matched in good time/
  t.throws(() => new ModelPatterns().testOf(['re:(?:a?){600}']), large)
  const patterns = new ModelPatterns()
  const some = Array.from({ length: 30 }, () => 're:(?:a?){200}')
  patterns.testOf(some)
  t.throws(() => patterns.testOf(some), large, 'what came before counts')
})

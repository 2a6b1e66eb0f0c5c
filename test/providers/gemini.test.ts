/** The Gemini provider: where chat goes, what is added to it, whose fault a refusal is. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import create from '../../providers/gemini/index.js'
import { adapterOf } from '../conformance/provider.js'
import { channelOf, context, json, kitWith, manifestOf } from './provider-kit.js'

const manifest = manifestOf('gemini')
const channel = channelOf(manifest)
const home = 'https://generativelanguage.googleapis.com/v1beta/models'
const value: JsonObject = { contents: [{ parts: [{ text: 'Hello' }] }] }

interface Terms {
  readonly model?: string
  readonly stream?: boolean
  readonly wire?: Body
  readonly settings?: JsonObject
}

function addressed({ model = 'gemini-3-flash', stream, wire = json(value), settings }: Terms) {
  const adapter = adapterOf(create(kitWith(manifest, settings)), 'chat')
  return adapter.address(wire, channel, { key: 'k' }, context(model, { stream: stream === true }))
}

function bodyOf(terms: Terms): JsonObject | undefined {
  const { body } = addressed(terms)
  return body === undefined ? undefined : JSON.parse(String(body))
}

t.test('a call names verb and model in the address and the key in its header', async (t) => {
  const { method, url, headers } = addressed({})
  t.strictSame([method, url], ['POST', `${home}/gemini-3-flash:generateContent`])
  t.strictSame(headers, {
    'content-type': 'application/json',
    accept: 'application/json',
    'x-goog-api-key': 'k',
  })
  t.equal(addressed({ stream: true }).url, `${home}/gemini-3-flash:streamGenerateContent?alt=sse`)
  t.equal(addressed({ model: 'models/m' }).url, `${home}/m:generateContent`)
})

t.test('a base URL with any version is the same base, and the setting decides', async (t) => {
  const adapter = adapterOf(create(kitWith(manifest)), 'chat')
  const url = (baseUrl: string, settings: JsonObject = {}) => {
    const place = channelOf(manifest, settings, baseUrl)
    return adapter.address(json(value), place, { key: 'k' }, context('m')).url
  }
  for (const end of ['', '/', '/v1', '/v1beta', '/v1alpha/']) {
    t.equal(url(`https://h.example/g${end}`), 'https://h.example/g/v1beta/models/m:generateContent')
  }
  t.match(url('https://h.example', { api_version: 'v1alpha' }), '/v1alpha/models/m:')
})

t.test('a model that would lead elsewhere is refused', async (t) => {
  const hostile = ['a/../b', '..', '.', 'a?key=x', 'a#b', '%2e%2e', 'a\\b', 'models/', 'models/a/b']
  for (const model of hostile) {
    t.throws(() => addressed({ model }), { code: 'invalid_request' }, model)
  }
  t.equal(addressed({ model: 'a:b' }).url, `${home}/a%3Ab:generateContent`)
})

t.test(
  'thresholds go with what the gateway writes, not with a client of this format',
  async (t) => {
    const threshold = (settings?: JsonObject, model?: string) => {
      const results = bodyOf({ settings, model })?.safetySettings as JsonObject[] | undefined
      return results && [...new Set(results.map((one) => one.threshold)), results.length]
    }
    t.strictSame(threshold(), ['OFF', 4])
    const table = { safety_settings: { default: 'BLOCK_NONE', 'gemini-2.0-flash': '' } }
    t.strictSame(threshold(table), ['BLOCK_NONE', 4])
    t.equal(threshold(table, 'gemini-2.0-flash'), undefined)
    t.equal(threshold({ safety_settings: { default: 'NONSENSE' } }), undefined)
    const bytes = Buffer.from(JSON.stringify(value))
    t.equal(bodyOf({ wire: { kind: 'json', value, bytes } }), undefined, 'bytes of a client')
    const changed = { ...value, labels: {} }
    const wire: Body = { kind: 'json', value: changed, original: { value, bytes } }
    t.equal(bodyOf({ wire }), undefined, 'bytes of a client with an override')
    for (const field of ['safetySettings', 'safety_settings']) {
      t.equal(bodyOf({ wire: json({ ...value, [field]: [] }) }), undefined, field)
    }
  },
)

function thinking(model: string, config?: JsonObject) {
  const sent = { ...value, safetySettings: [], ...(config && { generationConfig: config }) }
  const { url } = addressed({ model, wire: json(sent) })
  const written = bodyOf({ model, wire: json(sent) })
  const result = (written ?? sent) as { generationConfig?: JsonObject }
  return [url.slice(home.length + 1), result.generationConfig]
}

t.test('a name states how to think', async (t) => {
  const rows: [string, string, JsonObject | undefined][] = [
    ['gemini-2.5-flash', 'gemini-2.5-flash', undefined],
    [
      'gemini-2.5-flash-thinking',
      'gemini-2.5-flash',
      { thinkingBudget: -1, includeThoughts: true },
    ],
    ['gemini-2.5-pro-thinking-128', 'gemini-2.5-pro', budget(128)],
    [
      'gemini-2.5-flash-thinking-0',
      'gemini-2.5-flash',
      { thinkingBudget: 0, includeThoughts: false },
    ],
    ['gemini-2.5-flash-nothinking', 'gemini-2.5-flash', { thinkingBudget: 0 }],
    ['gemini-2.5-pro-nothinking', 'gemini-2.5-pro', { thinkingBudget: 128 }],
    ['gemini-3-pro-thinking', 'gemini-3-pro', { includeThoughts: true }],
    ['gemini-3-pro-nothinking', 'gemini-3-pro', { thinkingLevel: 'LOW' }],
    ['gemini-3-flash-nothinking', 'gemini-3-flash', { thinkingLevel: 'MINIMAL' }],
    ['gemini-3-pro-thinking-2048', 'gemini-3-pro', budget(2048)],
    ['gemini-2.0-flash-thinking-exp-1219', 'gemini-2.0-flash-thinking-exp-1219', undefined],
  ]
  for (const [name, model, thinkingConfig] of rows) {
    const config = thinkingConfig && { thinkingConfig }
    t.strictSame(thinking(name), [`${model}:generateContent`, config], name)
  }
})

function budget(thinkingBudget: number): JsonObject {
  return { thinkingBudget, includeThoughts: true }
}

t.test('what the request states itself of thinking stays, as does everything else', async (t) => {
  const own = { temperature: 0, thinkingConfig: { thinkingBudget: 5 } }
  t.strictSame(thinking('gemini-2.5-flash-thinking', own)[1], own)
  t.strictSame(thinking('gemini-2.5-flash-nothinking', { temperature: 0 })[1], {
    temperature: 0,
    thinkingConfig: { thinkingBudget: 0 },
  })
  const snake = json({ ...value, safetySettings: [], generation_config: { top_k: 3 } })
  t.strictSame(bodyOf({ model: 'gemini-2.5-flash-nothinking', wire: snake })?.generation_config, {
    top_k: 3,
    thinkingConfig: { thinkingBudget: 0 },
  })
  const off = { thinking_suffixes: false }
  t.match(addressed({ model: 'a-thinking', settings: off }).url, '/a-thinking:generateContent')
})

t.test('numbers of a client keep every digit when its name adds a configuration', async (t) => {
  const text = '{"contents":[],"generationConfig":{},"labels":{"n":9007199254740993}}'
  const wire: Body = { kind: 'json', value: JSON.parse(text), bytes: Buffer.from(text) }
  const { body } = addressed({ model: 'gemini-2.5-flash-nothinking', wire })
  t.match(String(body), '"labels":{"n":9007199254740993}')
  t.match(String(body), '"thinkingBudget":0')
})

const fixture = (name: string) =>
  readFileSync(new URL(`../fixtures/gemini/${name}.json`, import.meta.url))
const { fail } = adapterOf(create(kitWith(manifest)), 'chat')

t.test('[ERR-2] a bad key is the channel’s fault and not reported', async (t) => {
  const failure = fail(400, {}, fixture('bad-key'))
  t.match(failure, { blame: 'channel', status: 400, code: 'upstream_error' })
  t.notMatch(failure.message, /key/i)
})

t.test('[FMT-17] a refused field is reported by its name', async (t) => {
  t.match(fail(400, {}, fixture('bad-field')), {
    blame: 'client',
    code: 'upstream_rejected',
    type: 'INVALID_ARGUMENT',
    param: 'generation_config.temperature',
    message: /Invalid value/,
  })
})

t.test('a spent quota states how long to stay away', async (t) => {
  const body = fixture('exhausted')
  t.match(fail(429, {}, body), { blame: 'channel', status: 429, retryAfterMs: 37_500 })
  t.match(fail(429, { 'retry-after': '2' }, body), { retryAfterMs: 2000 })
  const list = Buffer.from(`[${body.toString('utf8')}]`)
  t.match(fail(429, {}, list), { retryAfterMs: 37_500 }, 'as a stream refuses')
})

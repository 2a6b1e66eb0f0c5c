/** Upstreams out of the table: every row is addressed and fails alike, and no word of the key ever comes back. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { Manifest } from '../../kernel/contract/manifest.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import { readManifest } from '../../kernel/registry/manifest.js'
import { channelTypeNumber } from '../../kernel/toolkit/provider/index.js'
import create from '../../providers/chat-compatible/index.js'
import { adapterOf } from '../conformance/provider.js'

const chat = adapterOf(create(), 'chat')
const manifest = JSON.parse(
  readFileSync(new URL('../../providers/chat-compatible/manifest.json', import.meta.url), 'utf8'),
) as Manifest
const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: false }
const wire = { kind: 'json', value: { model: 'm' } } as const
const key = 'sk-0123456789abcdefSECRET'

const provider = create()

/** What a channel of this type serves, as `operation address`, sorted. */
function served(type: number, baseUrl: string): string[] {
  const channel = Object.freeze({ id: 1, type, baseUrl, settings: {} })
  return Object.entries(provider.operations)
    .flatMap(([operation, adapters]) =>
      [adapters].flat().flatMap((adapter) => {
        if (adapter.serves?.(channel, 'm') === false) return []
        return [`${operation} ${(adapter as Adapter).address(wire, channel, { key }, context).url}`]
      }),
    )
    .sort()
}

const own = 'https://own.example/v1'
const api = {
  cerebras: 'https://api.cerebras.ai/v1',
  fireworks: 'https://api.fireworks.ai/inference/v1',
  groq: 'https://api.groq.com/openai/v1',
  huawei: 'https://api.modelarts-maas.com',
  stepfun: 'https://api.stepfun.com/v1',
  together: 'https://api.together.ai/v1',
} as const
const texts = ['chat', 'completions', 'embeddings']
const sounds = ['speech', 'transcriptions', 'translations']

const paths: Readonly<Record<string, string>> = {
  chat: '/chat/completions',
  images: '/images/generations',
  edits: '/images/edits',
  ...Object.fromEntries(sounds.map((name) => [name, `/audio/${name}`])),
}

/** `operation address`, as `served` returns them. */
const at = (base: string, names: readonly string[]) =>
  names.map((name) => {
    const operation = ['messages', 'responses'].includes(name) ? 'chat' : name
    return `${operation} ${base}${paths[name] ?? `/${name}`}`
  })

const gateway = [
  ...texts,
  'messages',
  'responses',
  'images',
  'edits',
  'rerank',
  'moderations',
  ...sounds,
]

const ofBaidu = [
  ...at('https://qianfan.baidubce.com/v2', [...texts, 'responses', 'images', 'rerank']),
  'chat https://qianfan.baidubce.com/anthropic/v1/messages',
]

const expected: Readonly<Record<string, readonly string[]>> = {
  ai360: at('https://api.360.cn/v1', ['chat', 'embeddings']),
  iflytek: at('https://spark-api-open.xf-yun.com/v1', ['chat']),
  fastgpt: at('https://fastgpt.run/api/openapi/v1', ['chat']),
  tencent: at('https://tokenhub.tencentmaas.com/v1', ['chat', 'messages', 'embeddings']),
  lingyiwanwu: at('https://api.lingyiwanwu.com/v1', ['chat']),
  mokaai: at('https://api.moka.ai/v1', ['embeddings']),
  baidu: ofBaidu,
  'baidu-v2': ofBaidu,
  submodel: at('https://llm.submodel.ai/v1', ['chat']),
  'new-api': [...at(own, gateway), 'chat https://own.example/v1beta/models/m:generateContent'],
  vllm: at(own, [...texts, 'messages', 'responses', 'rerank', 'transcriptions', 'translations']),
  sglang: at(own, texts),
  cerebras: at(api.cerebras, ['chat', 'completions']),
  fireworks: at(api.fireworks, [...texts, 'messages', 'responses', 'rerank']),
  groq: at(api.groq, ['chat', 'responses', ...sounds]),
  'huawei-maas': [
    ...at(`${api.huawei}/openai/v1`, ['chat']),
    ...at(`${api.huawei}/anthropic/v1`, ['messages']),
    ...at(`${api.huawei}/v1`, ['embeddings']),
  ],
  huggingface: at('https://router.huggingface.co/v1', ['chat', 'messages', 'responses']),
  litellm: at(own, gateway),
  'llama-cpp': at('http://localhost:8080/v1', [...texts, 'messages', 'responses', 'rerank']),
  'lm-studio': at('http://localhost:1234/v1', [...texts, 'messages', 'responses']),
  mimo: [
    ...at('https://api.xiaomimimo.com/v1', ['chat', 'responses']),
    'chat https://api.xiaomimimo.com/anthropic/v1/messages',
  ],
  modelscope: at('https://api-inference.modelscope.cn/v1', ['chat', 'messages']),
  nvidia: at('https://integrate.api.nvidia.com/v1', texts),
  stepfun: at(api.stepfun, ['chat', 'messages', 'images', 'speech', 'transcriptions']),
  together: at(api.together, [...texts, 'images', 'rerank', ...sounds]),
}

t.test('every row serves what its service has, at an address of its own', async (t) => {
  const rows = readManifest(JSON.stringify(manifest), 'manifest.json').channelTypes.map(
    ({ id, name, baseUrl }) => [name, served(id, baseUrl || 'https://own.example')] as const,
  )
  const sorted = Object.entries(expected).map(([name, list]) => [name, list.toSorted()])
  t.strictSame(Object.fromEntries(rows), Object.fromEntries(sorted))
})

t.test('a call carries the key, and the application only where one is set', async (t) => {
  const headersOf = (settings: JsonObject) => {
    const channel = { id: 1, type: 46, baseUrl: 'https://h.example', settings }
    return chat.address(wire, channel, { key }, context).headers
  }
  t.equal(headersOf({}).authorization, `Bearer ${key}`)
  t.notOk('appid' in headersOf({}))
  t.notOk('appid' in headersOf({ appid: ' ' }))
  t.equal(headersOf({ appid: ' app-1 ' }).appid, 'app-1')
})

t.test('Baidu: a key may name its application; one of the retired version goes nowhere', (t) => {
  const v2 = 'bce-v3/ALTAK-aBcDeFgH/614fb0123456789'
  const { models } = create()
  for (const type of [15, 46]) {
    const sent = (given: string, settings: JsonObject = {}) => {
      const channel = { id: 1, type, baseUrl: 'https://h.example', settings }
      const { headers } = chat.address(wire, channel, { key: given }, context)
      const listing = models!.request(channel, { key: given }, { now: 0 })
      t.equal(listing.headers.authorization, headers.authorization)
      return [headers.authorization, headers.appid]
    }
    t.strictSame(sent(v2), [`Bearer ${v2}`, undefined])
    t.strictSame(sent(`${v2} | app-7 `), [`Bearer ${v2}`, 'app-7'])
    t.strictSame(sent(`${v2}|app-7`, { appid: 'app-8' }), [`Bearer ${v2}`, 'app-8'])
    for (const old of ['Va5yQRHlA4Fq5eR3LT0vuXV4|0rDSjzQ20XUj5itV6WRtznPQSzr5pVw2', `${v2}|a|b`]) {
      t.throws(() => sent(old), { code: 'channel:invalid_key' })
    }
  }
  t.end()
})

const typeOf = (name: string) => channelTypeNumber(`chat-compatible/${name}`)

t.test(
  'a server of one\u2019s own needs no key, and what stands for none is not sent',
  async (t) => {
    for (const type of [62, 63, typeOf('llama-cpp'), typeOf('lm-studio'), typeOf('litellm')]) {
      const channel = { id: 1, type, baseUrl: 'http://h.example', settings: {} }
      const headersFor = (given: string) =>
        chat.address(wire, channel, { key: given }, context).headers
      for (const none of ['', ' ', '-'])
        t.notOk('authorization' in headersFor(none), `${type} ${none}`)
      t.equal(headersFor(key).authorization, `Bearer ${key}`)
    }
    const channel = { id: 1, type: 53, baseUrl: 'https://h.example', settings: {} }
    t.equal(chat.address(wire, channel, { key: '-' }, context).headers.authorization, 'Bearer -')
  },
)

t.test('a key of iFlytek in three parts is sent as its service takes it', async (t) => {
  const channel = { id: 1, type: 18, baseUrl: 'https://h.example', settings: {} }
  const sent = (given: string) =>
    chat.address(wire, channel, { key: given }, context).headers.authorization
  t.equal(sent('app|secret|key'), 'Bearer key:secret')
  t.equal(sent('password'), 'Bearer password')
  t.equal(sent('a|b|c|d'), 'Bearer a|b|c|d')
})

t.test('what Groq refuses is left out and named', async (t) => {
  const channel = { id: 1, type: typeOf('groq'), baseUrl: 'https://h.example', settings: {} }
  const messages = [{ role: 'user', name: 'ada', content: 'Hello' }]
  const asked = { model: 'm', messages, logprobs: true, logit_bias: { 1: 2 } }
  t.strictSame(chat.refuses?.(asked, channel, 'm'), ['logprobs', 'logit_bias', 'messages.name'])
  t.strictSame(chat.adjust?.(asked, channel).messages, [{ role: 'user', content: 'Hello' }])
  const plain = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
  t.strictSame(chat.refuses?.(plain, channel, 'm'), [])
  t.equal(chat.adjust?.(plain, channel), plain)
  const other = { ...channel, type: 53 }
  t.strictSame(chat.refuses?.(asked, other, 'm'), [])
  t.equal(chat.adjust?.(asked, other), asked)
})

t.test('models are read from an object, and from the bare list of Together', async (t) => {
  const channel = { id: 1, type: typeOf('together'), baseUrl: 'https://h.example', settings: {} }
  const { models } = provider
  t.equal(models?.request(channel, { key }, { now: 0 }).url, 'https://h.example/v1/models')
  const read = (status: number, body: unknown) =>
    models?.read({ status, headers: {}, body: Buffer.from(JSON.stringify(body)) })
  const names = { value: ['openai/gpt-oss-120b', 'meta/llama'] }
  const list = [{ id: 'openai/gpt-oss-120b', object: 'model' }, { id: 'meta/llama' }]
  t.strictSame(read(200, list), names)
  t.strictSame(read(200, { data: list }), names)
  t.hasProp(read(401, [{ id: 'a' }]) ?? {}, 'failure')
})

t.test('a generative request names its model in the address, one segment of it', async (t) => {
  const generative = [provider.operations.chat].flat().find((one) => one?.format === 'generative')!
  const channel = { id: 1, type: 60, baseUrl: 'https://h.example/v1', settings: {} }
  const urlOf = (model: string, stream: boolean) =>
    (generative as Adapter).address(wire, channel, { key }, { ...context, model, stream }).url
  t.equal(urlOf('gemini-3', false), 'https://h.example/v1beta/models/gemini-3:generateContent')
  t.match(urlOf('gemini-3', true), /:streamGenerateContent\?alt=sse$/)
  t.throws(() => urlOf('../x', false), { code: 'invalid_request' })
})

t.test('a base URL with a slash or a version is the same base', async (t) => {
  for (const baseUrl of [
    'https://h.example/x',
    'https://h.example/x/',
    'https://h.example/x/v1',
    'https://h.example/x/v1/',
  ]) {
    const channel = { id: 1, type: 53, baseUrl, settings: {} }
    t.equal(
      chat.address(wire, channel, { key }, context).url,
      'https://h.example/x/v1/chat/completions',
    )
  }
})

t.test('[ERR-2] every refusal is classified and reveals nothing it should not', async (t) => {
  const bodies = [
    JSON.stringify({
      error: { message: `Authentication Fails, your api key: ${key} is invalid`, code: 1 },
    }),
    JSON.stringify({ message: `see https://h.example/?key=${key}` }),
    '<html><body>Bad Gateway</body></html>',
    '{"error":',
    '',
  ]
  const blames: Readonly<Record<number, string>> = {
    400: 'client',
    401: 'channel',
    402: 'channel',
    403: 'channel',
    404: 'channel',
    408: 'client',
    409: 'channel',
    413: 'client',
    422: 'client',
    429: 'channel',
    500: 'upstream',
    503: 'upstream',
    529: 'upstream',
  }
  for (const [status, blame] of Object.entries(blames)) {
    for (const body of bodies) {
      const failure = chat.fail(Number(status), { 'retry-after': '7' }, Buffer.from(body))
      t.match(failure, { blame, status: Number(status), retryAfterMs: 7000 })
      t.notMatch(failure.message, /SECRET|h\.example|html|Bad Gateway/)
      t.ok(failure.message.length > 10 && failure.message.length < 600)
    }
  }
})

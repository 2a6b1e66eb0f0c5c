/** VolcEngine: models, applications and the coding plan have their places; a vector of pictures is one vector. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Json, JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import type { Adapter } from '../../kernel/contract/provider.js'
import { mayReach } from '../../kernel/toolkit/service/reach.js'
import create from '../../providers/volcengine/index.js'
import { adapterOf } from '../conformance/provider.js'

const provider = create()
const host = 'https://ark.cn-beijing.volces.com'
const at = (baseUrl: string) => ({ id: 1, type: 45, baseUrl, settings: {} })

interface RequestOptions {
  readonly base: string
  readonly operation: OperationName
  readonly format?: Adapter['format']
  readonly model?: string
}

function url({ base, operation, format, model = 'm' }: RequestOptions): string {
  const context = { now: 0, forwarded: { headers: {} }, model, stream: false }
  const adapter = adapterOf(provider, operation, format)
  return adapter.address({ kind: 'none' }, at(base), { key: 'k' }, context).url
}

t.test('a host and a base out of the documentation are the same place', async (t) => {
  for (const base of [host, `${host}/api/v3`, `${host}/api/v3/`]) {
    t.equal(url({ base, operation: 'chat' }), `${host}/api/v3/chat/completions`)
    t.equal(url({ base, operation: 'chat', format: 'responses' }), `${host}/api/v3/responses`)
    t.equal(url({ base, operation: 'embeddings' }), `${host}/api/v3/embeddings`)
    t.equal(url({ base, operation: 'images' }), `${host}/api/v3/images/generations`)
    t.equal(
      url({ base, operation: 'embeddings', format: 'own' }),
      `${host}/api/v3/embeddings/multimodal`,
    )
  }
})

t.test('an application is called at a path of its own', async (t) => {
  const model = 'bot-20261121-x'
  t.equal(url({ base: host, operation: 'chat', model }), `${host}/api/v3/bots/chat/completions`)
  const responses = adapterOf(provider, 'chat', 'responses')
  t.equal(responses.serves?.(at(host), model), false)
  t.equal(responses.serves?.(at(host), 'ep-2026'), true)
})

t.test('the coding plan is chat, messages and embeddings at another path', async (t) => {
  for (const base of ['doubao-coding-plan', `${host}/api/coding`, `${host}/api/coding/v3`]) {
    t.equal(url({ base, operation: 'chat' }), `${host}/api/coding/v3/chat/completions`)
    t.equal(url({ base, operation: 'chat', format: 'messages' }), `${host}/api/coding/v1/messages`)
    t.equal(url({ base, operation: 'embeddings' }), `${host}/api/coding/v3/embeddings`)
    t.ok(mayReach(url({ base, operation: 'chat' }), base, ['ark.cn-beijing.volces.com']))
    t.equal(adapterOf(provider, 'chat', 'messages').serves?.(at(base), 'm'), true)
    t.equal(adapterOf(provider, 'chat', 'responses').serves?.(at(base), 'm'), false)
    t.equal(adapterOf(provider, 'images').serves?.(at(base), 'm'), false)
  }
  t.equal(adapterOf(provider, 'chat', 'messages').serves?.(at(host), 'm'), false)
  t.equal(adapterOf(provider, 'images').serves?.(at(host), 'm'), true)
})

t.test('a model that reads pictures is recognised by its name', async (t) => {
  const serves = (format: Adapter['format'], model: string) =>
    adapterOf(provider, 'embeddings', format).serves?.(at(host), model)
  t.equal(serves('same', 'doubao-embedding-large-text'), true)
  t.equal(serves('own', 'doubao-embedding-large-text'), false)
  t.equal(serves('same', 'doubao-embedding-vision-250615'), false)
  t.equal(serves('own', 'doubao-embedding-vision-250615'), true)
})

const vision = adapterOf(provider, 'embeddings', 'own')

function shaped(input: Json): JsonObject {
  const fields = { model: 'm', input, dimensions: 0 }
  const body = vision.shape!({ kind: 'json', value: fields }, at(host), 'm')
  return body.kind === 'json' ? body.value : {}
}

t.test('one text or the parts of one thing are requested', async (t) => {
  const parts = [
    { type: 'text', text: '' },
    { type: 'image_url', image_url: { url: 'x' } },
  ]
  t.strictSame(shaped('Hi'), { model: 'm', input: [{ type: 'text', text: 'Hi' }], dimensions: 0 })
  t.strictSame(shaped(['Hi']).input, [{ type: 'text', text: 'Hi' }])
  t.strictSame(shaped(parts).input, parts)
})

t.test('what would become one vector of several is refused by name', async (t) => {
  for (const input of [['a', 'b'], [1, 2], [[1], [2]], []]) {
    t.throws(() => shaped(input), { code: 'not_expressible' })
  }
})

t.test('the one vector is answered as a list', async (t) => {
  const body = readFileSync(new URL('../fixtures/volcengine/vision.json', import.meta.url))
  const answered = (bytes: Buffer) =>
    vision.answer!({ status: 200, headers: {}, body: bytes }, { kind: 'none' }, 'm')
  t.strictSame(answered(body), {
    json: {
      object: 'list',
      data: [{ embedding: [-0.0098, 0.0102, 0.5], object: 'embedding', index: 0 }],
      model: 'doubao-embedding-vision-250615',
      usage: {
        prompt_tokens: 528,
        prompt_tokens_details: { image_tokens: 500, text_tokens: 28 },
        total_tokens: 528,
      },
    },
  })
  t.match(answered(Buffer.from('<html>')), { failure: { blame: 'upstream' } })
  t.match(answered(Buffer.from('{"error":{"code":"UnsupportedModel"}}')), {
    failure: { blame: 'channel' },
  })
})

/** VolcEngine: models, applications and the coding plan have their places; a vector of pictures is one vector; sizes by model. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Body } from '../../kernel/contract/body.js'
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
  t.equal(adapterOf(provider, 'images').serves?.(at(host), 'm'), true)
})

t.test('messages are for the models the service names', async (t) => {
  const { serves } = adapterOf(provider, 'chat', 'messages')
  for (const model of ['doubao-seed-2-0-lite-260215', 'doubao-seed-code', 'seed-1-8-251228']) {
    t.equal(serves?.(at(host), model), true, model)
  }
  for (const model of ['m', 'ep-2026', 'doubao-1-5-pro-32k-250115', 'bot-seed-2-0']) {
    t.equal(serves?.(at(host), model), false, model)
  }
  for (const base of [host, `${host}/api/v3`, `${host}/api/compatible`]) {
    const called = url({ base, operation: 'chat', format: 'messages' })
    t.equal(called, `${host}/api/compatible/v1/messages`)
  }
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
  for (const input of [['a', 1], [1, 2], [[1], [2]], []]) {
    t.throws(() => shaped(input), { code: 'not_expressible' })
  }
})

t.test('several texts have a call each', async (t) => {
  const wire = vision.shape!(
    { kind: 'json', value: { model: 'm', input: ['a', 'b'] } },
    at(host),
    'm',
  )
  const parts = vision.split!(wire, 'm').map((body) => body.kind === 'json' && body.value)
  t.strictSame(parts, [
    { model: 'm', input: [{ type: 'text', text: 'a' }] },
    { model: 'm', input: [{ type: 'text', text: 'b' }] },
  ])
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

const lite = 'doubao-seedream-5-0-260128'
const pro = 'doubao-seedream-5-0-pro-260628'
const older = 'doubao-seedream-3-0-t2i-250415'
const editor = 'doubao-seededit-3-0-i2i-250628'

function drawn(model: string, fields: JsonObject): JsonObject {
  const context = { now: 0, forwarded: { headers: {} }, model, stream: false }
  const body: Body = { kind: 'json', value: { model, prompt: 'A house', ...fields } }
  const call = adapterOf(provider, 'images').address(body, at(host), { key: 'k' }, context)
  return JSON.parse(String(call.body))
}

t.test('several pictures are a series', async (t) => {
  t.strictSame(drawn(lite, { n: 3, size: '2048x2048', response_format: 'b64_json' }), {
    ...{ model: lite, prompt: 'A house', size: '2048x2048', response_format: 'b64_json' },
    sequential_image_generation: 'auto',
    sequential_image_generation_options: { max_images: 3 },
  })
  t.strictSame(drawn(older, { n: 1 }), { model: older, prompt: 'A house' })
  const image = ['https://a.example/1.png', 'https://a.example/2.png']
  t.match(drawn(lite, { n: 13, image }), { image })
  const series = { sequential_image_generation: 'auto' }
  const { adjust } = adapterOf(provider, 'images')
  t.equal(adjust!({ ...series }, at(host)).n, 15)
  const options = { sequential_image_generation_options: { max_images: 4 } }
  t.equal(adjust!({ ...series, ...options }, at(host)).n, 4)
  t.equal(adjust!({ n: 2 }, at(host)).n, 2)
})

t.test('what a model cannot make is refused by name', async (t) => {
  const taken: readonly (readonly [string, string])[] = [
    ...([
      [lite, '2048x2048'],
      [lite, '4K'],
      [pro, '1024x1024'],
      [pro, '1.5K'],
    ] as const),
    ...([
      [older, '1024x1024'],
      [older, 'auto'],
      [editor, 'adaptive'],
      ['ep-1', '64x64'],
    ] as const),
  ]
  for (const [model, size] of taken)
    t.doesNotThrow(() => drawn(model, { size }), `${model} ${size}`)
  const refused: readonly (readonly [string, string, Json])[] = [
    ...([
      [lite, 'size', '1024x1024'],
      [lite, 'size', '1K'],
      [pro, 'size', '4K'],
    ] as const),
    ...([
      [older, 'size', '4096x4096'],
      [older, 'size', '2K'],
      [lite, 'size', '9000x500'],
    ] as const),
    ...([
      [editor, 'size', '1024x1024'],
      [pro, 'n', 2],
      [lite, 'n', 16],
    ] as const),
    ...([
      [older, 'stream', true],
      [lite, 'output_format', 'webp'],
    ] as const),
    [older, 'image', 'https://a.example/1.png'],
  ]
  for (const [model, param, value] of refused) {
    const expected = { code: 'not_expressible', param }
    t.throws(() => drawn(model, { [param]: value }), expected, `${model} ${param}`)
  }
})

t.test('what a model has no word for is told', async (t) => {
  const { refuses } = adapterOf(provider, 'images')
  const wishes = { quality: 'high', background: 'opaque', output_format: 'png' }
  const lost = (model: string) => [...refuses!({ model, ...wishes }, at(host), model)].sort()
  t.strictSame(lost(pro), ['quality'])
  t.strictSame(lost(lite), ['background', 'quality'])
  t.strictSame(lost(older), ['background', 'output_format', 'quality'])
  t.strictSame(lost('ep-1'), ['quality'])
})

t.test('edits are for models that begin with a picture', async (t) => {
  const { serves } = adapterOf(provider, 'edits')
  t.equal(serves?.(at(host), editor), true)
  t.equal(serves?.(at(host), lite), true)
  t.equal(serves?.(at(host), 'ep-1'), true)
  t.equal(serves?.(at(host), older), false)
  t.equal(serves?.(at(`${host}/api/coding`), lite), false)
})

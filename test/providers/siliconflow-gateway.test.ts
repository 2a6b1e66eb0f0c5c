/** SiliconFlow's pictures through the whole gateway: a size where one is required, none where none is taken. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json } from '../kit/upstream.js'
import { strictly, type VendorRule } from '../kit/vendor.js'

const source = 'docs.siliconflow.cn/api-reference/images/images-generations'
const read = '2026-11-27'
const isEdit = (model: unknown) => /qwen-image-edit/i.test(String(model))

const rules: readonly VendorRule[] = [
  {
    rule: 'image_size is required',
    source,
    read,
    broken: ({ json: body }) => !isEdit(body?.model) && body?.image_size === undefined,
  },
  {
    rule: 'image_size is not supported by this model',
    source,
    read,
    broken: ({ json: body }) => isEdit(body?.model) && body?.image_size !== undefined,
  },
]

const models = ['Kwai-Kolors/Kolors', 'Qwen/Qwen-Image', 'Qwen/Qwen-Image-Edit-2509']
const { upstream, url, key, admin } = await scriptedGateway(t, {
  channel: { type: 40, models: models.join() },
})
await admin.option('ModelPrice', Object.fromEntries(models.map((name) => [name, 0.01])))
t.teardown(upstream.takes('fields of this vendor'))

const asked = (body: object) => {
  upstream.script(strictly(rules, json(200, { images: [{ url: 'https://s.example/a.png' }] })))
  return fetch(`${url}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'A house', ...body }),
  })
}

t.test('[FMT-17] a request without a size gets the usual one of its model', async (t) => {
  for (const [model, image_size] of [
    [models[0], '1024x1024'],
    [models[1], '1328x1328'],
  ] as const) {
    const answer = await asked({ model })
    t.match(await answer.json(), { data: [{ url: 'https://s.example/a.png' }] })
    t.equal(upstream.requests.at(-1)?.json?.image_size, image_size)
  }
})

t.test('a model that takes no size gets none, and the client is told', async (t) => {
  const answer = await asked({ model: models[2], size: '1024x1024', image: 'https://s.example/b' })
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('x-waybill-lost'), 'image_size')
})

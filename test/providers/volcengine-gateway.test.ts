/** Ark through the whole gateway: edits become JSON, pictures are a series and charged one by one, texts have a vector each. */
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json, type Recorded } from '../kit/upstream.js'
import { isRecord, listIn, strictly, type VendorRule } from '../kit/vendor.js'
import { png } from '../plugins/operations/media/samples.js'

const painter = 'doubao-seedream-4-5-251128'
const eye = 'doubao-embedding-vision-250615'
const writer = 'doubao-seed-2-0-lite-260215'
const models = [painter, eye, writer]
const gateway = await scriptedGateway(t, { channel: { type: 45, models: models.join(',') } })
const { upstream, url, key, admin } = gateway
await admin.option('ModelRatio', { [eye]: 1, [writer]: 1 })
await admin.option('ModelPrice', { [painter]: 0.01 })
const authorization = `Bearer ${key}`

const bodyOf = ({ json: sent }: Recorded) => (isRecord(sent) ? sent : {})
const source = 'https://www.volcengine.com/docs/82379/1541523'
const read = '2026-11-27'
const known = [
  ...['model', 'prompt', 'image', 'size', 'seed', 'sequential_image_generation', 'stream'],
  ...['sequential_image_generation_options', 'response_format', 'watermark'],
]
const pictureRules: readonly VendorRule[] = [
  {
    rule: 'a field of another service is none of this one',
    ...{ source, read },
    broken: (request) => Object.keys(bodyOf(request)).some((name) => !known.includes(name)),
  },
  {
    rule: 'size must be 2K, 4K or at least 3686400 pixels',
    ...{ source, read },
    broken: (request) => {
      const { size = '2K' } = bodyOf(request)
      const [width, height] = String(size).split('x').map(Number)
      return !['2K', '4K'].includes(String(size)) && !(width! * height! >= 3_686_400)
    },
  },
  {
    rule: 'image must be an address or a data URL, or a list of them',
    ...{ source, read },
    broken: (request) =>
      [bodyOf(request).image ?? []]
        .flat()
        .some((image) => !/^(https?:\/\/|data:image\/[a-z]+;base64,.)/.test(String(image))),
  },
]
const vectorRules: readonly VendorRule[] = [
  {
    rule: 'input is a list of typed parts',
    source: 'https://www.volcengine.com/docs/82379/1523520',
    read,
    broken: (request) => {
      const parts = listIn(bodyOf(request), 'input')
      return parts.length !== 1 || parts.some(({ type }) => type !== 'text')
    },
  },
]

const drawn = (count: number) =>
  json(200, {
    ...{ model: painter, created: 1 },
    data: Array.from({ length: count }, (_, index) => ({ url: `https://a.example/${index}.png` })),
    usage: { generated_images: count, output_tokens: count * 16384, total_tokens: count * 16384 },
  })

function post(path: string, body: object | FormData): Promise<Response> {
  const isForm = body instanceof FormData
  return fetch(url + path, {
    method: 'POST',
    headers: {
      ...{ authorization, 'anthropic-version': '2023-06-01' },
      ...(!isForm && { 'content-type': 'application/json' }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
}

t.test('[SVC-3] pictures asked for by number are a series, each charged', async (t) => {
  upstream.script(strictly(pictureRules, drawn(3)))
  const answer = await post('/v1/images/generations', {
    ...{ model: painter, prompt: 'A house', n: 3, size: '2048x2048', quality: 'hd' },
  })
  t.equal(answer.status, 200)
  t.equal(answer.headers.get('x-waybill-lost'), 'quality')
  const { data } = (await answer.json()) as { readonly data: readonly object[] }
  t.equal(data.length, 3)
  t.match((await gateway.logs())[0], { quota: 15_000 })

  const refused = await post('/v1/images/generations', {
    ...{ model: painter, prompt: 'A house', size: '1024x1024' },
  })
  t.equal(refused.status, 400)
  t.match(await refused.json(), { error: { param: 'size' } })
})

t.test('[FMT-11] the pictures of an edit stand in the JSON', async (t) => {
  upstream.script(strictly(pictureRules, drawn(1)))
  const form = new FormData()
  form.set('model', painter)
  form.set('prompt', 'Red')
  form.append('image[]', new Blob([new Uint8Array(png(2, 3))], { type: 'image/png' }), 'one.png')
  form.append('image[]', new Blob([new Uint8Array(png(4, 5))], { type: 'image/png' }), 'two.png')
  const answer = await post('/v1/images/edits', form)
  t.equal(answer.status, 200)
  const asked = upstream.requests.at(-1)!
  t.equal(asked.path, '/api/v3/images/generations')
  const image = [png(2, 3), png(4, 5)].map(
    (bytes) => `data:image/png;base64,${bytes.toString('base64')}`,
  )
  t.strictSame(asked.json, { model: painter, prompt: 'Red', image })
  t.match((await gateway.logs())[0], { quota: 5000 })
})

t.test('[SVC-3] several texts have a vector each', async (t) => {
  const vector = (value: number) =>
    json(200, {
      ...{ object: 'list', model: eye, data: { embedding: [value], object: 'embedding' } },
      usage: { prompt_tokens: 2, total_tokens: 2 },
    })
  upstream.script(strictly(vectorRules, vector(1)), strictly(vectorRules, vector(2)))
  const answer = await post('/v1/embeddings', { model: eye, input: ['one', 'two'] })
  const { data } = (await answer.json()) as { readonly data: readonly { index: number }[] }
  t.strictSame(
    data.map(({ index }) => index),
    [0, 1],
  )
  t.match((await gateway.logs())[0], { prompt_tokens: 4, quota: 4 })
})

t.test('[SVC-3] messages are native at the usual base', async (t) => {
  upstream.script(
    json(200, {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: writer },
      ...{ content: [{ type: 'text', text: 'Hi' }], stop_reason: 'end_turn', stop_sequence: null },
      usage: { input_tokens: 10, output_tokens: 2 },
    }),
  )
  const answer = await post('/v1/messages', {
    ...{ model: writer, max_tokens: 10, messages: [{ role: 'user', content: 'Hello' }] },
  })
  t.match(await answer.json(), { content: [{ type: 'text', text: 'Hi' }] })
  t.equal(upstream.requests.at(-1)!.path, '/api/compatible/v1/messages')
  t.match((await gateway.logs())[0], { prompt_tokens: 10, completion_tokens: 2 })
})

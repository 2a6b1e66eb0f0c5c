/** OpenRouter's pictures through the whole gateway: one endpoint for pictures and edits, in words of its own. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { scriptedGateway } from '../kit/scripted-gateway.js'
import { json } from '../kit/upstream.js'
import { strictly, type VendorRule } from '../kit/vendor.js'

const members = new Set(
  'aspect_ratio background input_references model n output_compression output_format prompt provider quality resolution seed size stream'.split(
    ' ',
  ),
)

const knownMembers: VendorRule = {
  rule: 'Unrecognized key in the image generation request',
  source: 'github.com/OpenRouterTeam/typescript-sdk (src/models/imagegenerationrequest.ts)',
  read: '2026-11-27',
  broken: ({ path, json: body }) =>
    path !== '/v1/images' || Object.keys(body ?? {}).some((name) => !members.has(name)),
}

const model = 'bytedance-seed/seedream-4.5'
const gateway = await scriptedGateway(t, { channel: { type: 20, models: model } })
const { upstream, url, key, admin } = gateway
await admin.option('ModelRatio', { [model]: 1 })
const authorization = `Bearer ${key}`
const png = readFileSync(new URL('../fixtures/xai/pixel.png', import.meta.url))
const usage = { prompt_tokens: 9, completion_tokens: 100, total_tokens: 109, cost: 0.04 }
const reply = { created: 0, data: [{ b64_json: png.toString('base64') }], usage }
const sent = () => upstream.requests.at(-1)

t.beforeEach(() => upstream.script(strictly([knownMembers], json(200, reply))))

const asked = (over: object) =>
  fetch(`${url}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ model, prompt: 'A house', ...over }),
  })

t.test(
  'a picture is asked for in the words of the service, and what it lacks is reported',
  async (t) => {
    const answer = await asked({
      n: 1,
      size: '1024x1024',
      quality: 'hd',
      user: 'u',
      style: 'vivid',
    })
    t.match(await answer.json(), {
      data: [{ b64_json: png.toString('base64') }],
      usage: { input_tokens: 9, output_tokens: 100 },
    })
    t.equal(answer.headers.get('x-waybill-lost'), 'user, style')
    t.strictSame(sent()?.json, {
      ...{ model, prompt: 'A house', n: 1, size: '1024x1024', quality: 'high' },
    })
  },
)

t.test('a client that wants an address gets one that holds the picture', async (t) => {
  const answer = await asked({ response_format: 'url' })
  t.match(await answer.json(), { data: [{ url: /^data:image\/png;base64,/ }] })
})

t.test('an edit refers to what was uploaded', async (t) => {
  const form = new FormData()
  form.set('model', model)
  form.set('prompt', 'Red')
  form.set('image', new Blob([new Uint8Array(png)], { type: 'image/png' }), 'a.png')
  const path = `${url}/v1/images/edits`
  const answer = await fetch(path, { method: 'POST', headers: { authorization }, body: form })
  t.equal(answer.status, 200)
  const reference = { url: `data:image/png;base64,${png.toString('base64')}` }
  t.strictSame(sent()?.json, {
    ...{ model, prompt: 'Red' },
    input_references: [{ type: 'image_url', image_url: reference }],
  })
})

t.test('[FMT-9] masks and streams are refused by name', async (t) => {
  const answer = await asked({ stream: true })
  t.equal(answer.status, 400)
  t.match(await answer.text(), 'stream')
})

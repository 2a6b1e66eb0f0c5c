/** Replicate: where a prediction is made and of what, and when its answer is none. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import create from '../../providers/replicate/index.js'
import { adapterOf } from '../conformance/provider.js'
import { model, scriptedGateway } from '../kit/scripted-gateway.js'
import { json } from '../kit/upstream.js'

const images = adapterOf(create(), 'images')
const channel = { id: 1, type: 56, baseUrl: 'https://api.replicate.com', settings: {} }
const official = 'black-forest-labs/flux-schnell'

function input(value: object, name = official) {
  const shaped = images.shape!({ kind: 'json', value: { model: name, ...value } }, channel, name)
  return shaped.kind === 'json' ? shaped.value : {}
}

function recorded(name: string): Buffer {
  return readFileSync(new URL(`../fixtures/replicate/${name}.json`, import.meta.url))
}

function answered(body: Buffer) {
  const whole = { status: 201, headers: {}, body }
  return images.answer!(whole, { kind: 'json', value: {} }, official)
}

t.test('official models have an address, others a version, and both are waited for', async (t) => {
  const at = (name: string) =>
    images.address(
      { kind: 'none' },
      channel,
      { key: 'k' },
      {
        now: 0,
        forwarded: { headers: {} },
        model: name,
        stream: false,
      },
    )
  const { url, headers } = at(official)
  t.equal(url, 'https://api.replicate.com/v1/models/black-forest-labs/flux-schnell/predictions')
  t.match(headers, { authorization: 'Bearer k', prefer: 'wait=60', 'cancel-after': '60s' })
  t.notOk('version' in input({ prompt: 'x' }))
  for (const name of ['someone/model:5c7d5d', '5c7d5dc6dd8b']) {
    t.equal(at(name).url, 'https://api.replicate.com/v1/predictions')
    t.equal(input({ prompt: 'x' }, name).version, name)
  }
  t.throws(() => at('a/..'), { code: 'invalid_request' })
})

t.test('the words image models share are translated, their own pass', async (t) => {
  t.strictSame(input({ prompt: 'A cat', n: 1, size: 'auto', quality: 'high', user: 'u' }), {
    input: { prompt: 'A cat' },
  })
  t.strictSame(
    input({
      prompt: 'A cat',
      n: 3,
      size: '1792x1024',
      output_format: 'jpeg',
      seed: 0,
      go_fast: false,
      input: { guidance: 3.5, seed: 7 },
    }),
    {
      input: {
        prompt: 'A cat',
        num_outputs: 3,
        aspect_ratio: '16:9',
        output_format: 'jpg',
        seed: 7,
        go_fast: false,
        guidance: 3.5,
      },
    },
  )
  const ratios = ['1024x1024', '1536x1024', '1024x1536', '1024x1792', '3:4'].map(
    (size) => (input({ prompt: 'x', size }).input as { aspect_ratio: string }).aspect_ratio,
  )
  t.strictSame(ratios, ['1:1', '3:2', '2:3', '9:16', '3:4'])
})

t.test('what a prediction cannot be is refused by its field', async (t) => {
  for (const [field, value] of [
    ['stream', true],
    ['response_format', 'b64_json'],
    ['size', 'huge'],
    ['size', '0x0'],
  ] as const) {
    t.throws(() => input({ prompt: 'x', [field]: value }), {
      code: 'not_expressible',
      param: field,
    })
  }
})

t.test(
  '[ERR-2] an unfinished or failed prediction is a failure that tells nothing it should not',
  async (t) => {
    t.match(answered(recorded('processing')), {
      failure: { blame: 'upstream', status: 504, code: 'upstream_timeout' },
    })
    t.match(answered(recorded('flagged')), { failure: { blame: 'client', message: /NSFW/ } })
    const failed = answered(recorded('failed'))
    t.match(failed, { failure: { blame: 'upstream', status: 500 } })
    t.notMatch(JSON.stringify(failed), /10\.0\.0\.7|CUDA/)
    for (const body of ['{}', '<html>', '{"status":"succeeded","output":null}']) {
      t.match(answered(Buffer.from(body)), { failure: { blame: 'upstream' } }, body)
    }
  },
)

t.test('one picture, and pictures that come as their bytes', async (t) => {
  const readResult = (output: unknown) =>
    answered(Buffer.from(JSON.stringify({ status: 'succeeded', output })))
  t.match(readResult('https://x.example/a.png'), {
    json: { data: [{ url: 'https://x.example/a.png' }] },
  })
  t.match(readResult(['data:image/png;base64,AA==']), { json: { data: [{ b64_json: 'AA==' }] } })
  t.match(readResult({ image: 'https://x.example/a.png' }), {
    json: { data: [{ url: 'https://x.example/a.png' }] },
  })
})

const gateway = await scriptedGateway(t, {
  channel: { type: 56, model_mapping: JSON.stringify({ [model]: official }) },
})

t.test('a client of images gets addresses and pays by the picture', async (t) => {
  await gateway.admin.option('ModelPrice', { [model]: 0.01 })
  gateway.upstream.script(json(201, JSON.parse(recorded('succeeded').toString())))
  const before = await gateway.balance()
  const answer = await fetch(`${gateway.url}/v1/images/generations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, prompt: 'A cat', n: 2 }),
  })
  t.match(await answer.json(), { data: [{ url: /out-0/ }, { url: /out-1/ }] })
  t.equal(before - (await gateway.balance()), 10_000n, 'two pictures at 0.01 USD')
  t.match(gateway.upstream.requests[0], {
    path: `/v1/models/${official}/predictions`,
    json: { input: { prompt: 'A cat', num_outputs: 2 } },
  })
})

/** Replicate: where a prediction is made and of what, what it asks for is counted, and what became of it is read. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { TaskAdapter } from '../../kernel/contract/task.js'
import create from '../../providers/replicate/index.js'
import { png } from '../plugins/operations/media/samples.js'

const { operations } = create()
const images = operations.images as TaskAdapter
const edits = operations.edits as TaskAdapter
const channel = { id: 1, type: 56, baseUrl: 'https://api.replicate.com', settings: {} }
const official = 'black-forest-labs/flux-schnell'
const kontext = 'black-forest-labs/flux-kontext-pro'
const seedream = 'bytedance/seedream-4'
const gpt = 'openai/gpt-image-1.5'

function wire(value: JsonObject, model = official, adapter = images): JsonObject {
  const shaped = adapter.shape({ kind: 'json', value: { model, ...value } }, channel, model)
  return shaped.kind === 'json' ? shaped.value : {}
}

const input = (value: JsonObject, model?: string) => wire(value, model).input as JsonObject

function recorded(name: string) {
  const body = readFileSync(new URL(`../fixtures/replicate/${name}.json`, import.meta.url))
  return { status: 201, headers: {}, body }
}

const submitted = (name: string) => images.submitted(recorded(name), { kind: 'none' }, official)

t.test('official models have an address, others a version', async (t) => {
  const context = { now: 0, forwarded: { headers: {} }, stream: false }
  const at = (model: string) =>
    images.address({ kind: 'none' }, channel, { key: 'k' }, { ...context, model })
  const { url, headers } = at(official)
  t.equal(url, 'https://api.replicate.com/v1/models/black-forest-labs/flux-schnell/predictions')
  t.match(headers, { authorization: 'Bearer k', prefer: 'wait=5', 'cancel-after': undefined })
  t.notOk('version' in wire({ prompt: 'x' }))
  for (const name of ['someone/model:5c7d5d', '5c7d5dc6dd8b']) {
    t.equal(at(name).url, 'https://api.replicate.com/v1/predictions')
    t.equal(wire({ prompt: 'x' }, name).version, name)
  }
  t.throws(() => at('a/..'), { code: 'invalid_request' })
})

t.test('the words image models share are translated, their own pass', async (t) => {
  t.strictSame(
    wire({ prompt: 'A cat', n: 1, size: 'auto', style: null, response_format: 'b64_json' }),
    { input: { prompt: 'A cat' } },
  )
  const own = { seed: 0, go_fast: false, input: { guidance: 3.5, seed: 7 } }
  t.strictSame(input({ prompt: 'A cat', n: 3, size: '1792x1024', output_format: 'jpeg', ...own }), {
    ...{ prompt: 'A cat', num_outputs: 3, aspect_ratio: '16:9', output_format: 'jpg' },
    ...{ seed: 7, go_fast: false, guidance: 3.5 },
  })
  const ratios = ['1024x1024', '1536x1024', '1024x1536', '1024x1792', '3:4'].map(
    (size) => input({ prompt: 'x', size }).aspect_ratio,
  )
  t.strictSame(ratios, ['1:1', '3:2', '2:3', '9:16', '3:4'])
})

t.test('[FMT-17] what a model has no word for is told, and none of it is sent', async (t) => {
  const lost = (model: string) => {
    const asked = wire({ prompt: 'x', quality: 'high', user: 'u', output_format: 'png' }, model)
    return images.refuses!(asked, channel, model)
  }
  t.strictSame(lost(official), ['quality', 'user'])
  t.strictSame(lost(gpt), ['user'])
  t.match(input({ prompt: 'x', quality: 'high', output_format: 'jpeg' }, gpt), {
    ...{ quality: 'high', output_format: 'jpeg' },
  })
})

t.test('several are asked for in the word of the model, and counted in any', async (t) => {
  const counted = (value: JsonObject, model = official) =>
    images.quantities({ kind: 'json', value: wire(value, model) }, model, { kind: 'none' })
  t.strictSame(input({ prompt: 'x', n: 3 }, seedream), {
    ...{ prompt: 'x', max_images: 3, sequential_image_generation: 'auto' },
  })
  t.strictSame(input({ prompt: 'x', n: 3 }, gpt), { prompt: 'x', number_of_images: 3 })
  t.strictSame(counted({ prompt: 'x' }), { counts: { piece: 1 }, dimensions: {} })
  for (const model of [official, seedream, gpt]) {
    t.strictSame(counted({ prompt: 'x', n: 3 }, model).counts, { piece: 3 })
  }
  t.strictSame(counted({ prompt: 'x', input: { num_outputs: 4 } }).counts, { piece: 4 })
})

t.test('what a prediction cannot be is refused by its field', async (t) => {
  for (const [model, field, value] of [
    [official, 'stream', true],
    [official, 'size', 'huge'],
    [official, 'size', '0x0'],
    [kontext, 'n', 2],
  ] as const) {
    t.throws(() => wire({ prompt: 'x', [field]: value }, model), {
      ...{ code: 'not_expressible', param: field },
    })
  }
})

t.test('[FMT-11] the pictures of an edit go by the name the model has for them', async (t) => {
  const file = (bytes: Buffer) => ({
    field: 'image[]',
    filename: 'a.png',
    mime: 'image/png',
    bytes,
  })
  const files = [file(png(2, 3)), file(png(4, 5))]
  const form = (model: string, count: number): Body => ({
    ...{ kind: 'form', fields: { model, prompt: 'Red', n: '1' }, files: files.slice(0, count) },
  })
  const address = (bytes: Buffer) => `data:image/png;base64,${bytes.toString('base64')}`
  const shaped = (model: string, count: number) => edits.shape(form(model, count), channel, model)
  t.match(shaped(kontext, 1), {
    kind: 'json',
    value: { input: { prompt: 'Red', input_image: address(png(2, 3)) } },
  })
  t.match(shaped(seedream, 2), {
    value: { input: { image_input: [address(png(2, 3)), address(png(4, 5))] } },
  })
  t.throws(() => shaped(kontext, 2), { code: 'not_expressible', param: 'image' })
  const image = 'https://a.example/1.png'
  t.strictSame(wire({ prompt: 'Red', image }, seedream, edits), {
    input: { prompt: 'Red', image_input: [image] },
  })
  const masked = { prompt: 'Red', image, mask: image }
  t.throws(() => wire(masked, seedream, edits), { code: 'not_expressible', param: 'mask' })
  t.equal(edits.serves!(channel, kontext), true)
  t.equal(edits.serves!(channel, official), false)
  t.equal(input({ prompt: 'x', image }).image, image, "a model's own word where it is no edit")
})

t.test('[ERR-2] a failure tells nothing it should not', async (t) => {
  t.match(submitted('processing'), {
    ref: 'ufawqhfynnddngldkgtslldrkq',
    progress: { state: 'running' },
  })
  t.match(submitted('flagged'), { failure: { blame: 'client', message: /NSFW/ } })
  const failed = submitted('failed')
  t.match(failed, { progress: { state: 'failed', again: true, reason: undefined } })
  t.notMatch(JSON.stringify(failed), /10\.0\.0\.7|CUDA/)
  for (const body of ['{}', '<html>', '{"status":"succeeded"}']) {
    const answer = { ...recorded('failed'), body: Buffer.from(body) }
    t.match(images.submitted(answer, { kind: 'none' }, official), {
      failure: { blame: 'upstream' },
    })
  }
})

t.test('one picture, several, and pictures that come as their bytes', async (t) => {
  const ref = 'p1'
  const task = { ref, action: 'generate', model: official, keep: {} }
  const made = (output: unknown) => {
    const body = Buffer.from(JSON.stringify({ id: ref, status: 'succeeded', output }))
    const [progress] = images.poll.read({ ...recorded('failed'), body }, [task], channel) as never[]
    return { progress, answer: images.folded!(progress!, { kind: 'none' }) }
  }
  const url = 'https://x.example/a.png'
  t.match(made(url).answer, { json: { data: [{ url }] } })
  t.match(made({ image: url }).answer, { json: { data: [{ url }] } })
  t.match(made([url, url]).progress, { made: { counts: { piece: 2 } } })
  t.match(made(['data:image/png;base64,AA==']).answer, { json: { data: [{ b64_json: 'AA==' }] } })
  for (const output of [null, [], 5, 'file:///x', [{}]]) {
    t.match(made(output).answer, { failure: { blame: 'upstream' } })
  }
})

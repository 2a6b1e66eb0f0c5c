/** Pictures by InvokeModel: sizes and numbers each model has, pictures out of pictures, and pictures that were held back. */
import t from 'tap'
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import { adapterFor, channelWith, servingAll } from './bedrock-adapters.js'

const titan = 'amazon.titan-image-generator-v2:0'
const canvas = 'amazon.nova-canvas-v1:0'
const core = 'stability.stable-image-core-v1:1'
const ultra = 'stability.stable-image-ultra-v1:1'
const sd = 'stability.sd3-5-large-v1:0'
const png = 'data:image/png;base64,iVBO'

function shaped(model: string, fields: JsonObject, operation: 'images' | 'edits' = 'images') {
  return shapedBody(
    model,
    { kind: 'json', value: { model, prompt: 'A house', ...fields } },
    operation,
  )
}

function shapedBody(model: string, body: Body, operation: 'images' | 'edits') {
  const adapter = adapterFor(model, operation)
  const made = adapter.shape!(body, channelWith(), model)
  if (made.kind !== 'json') throw new Error('no JSON')
  const lost = adapter.refuses!(made.value, channelWith(), model)
  const kept = Object.entries(made.value).filter(([name]) => !lost.includes(name))
  return { sent: Object.fromEntries(kept), lost }
}

t.test('a picture is asked for in the words of its model', async (t) => {
  const words = { text: 'A house' }
  t.same(shaped(canvas, {}).sent, { taskType: 'TEXT_IMAGE', textToImageParams: words })
  const fine = { n: 3, size: '1280x720', quality: 'hd', seed: 0, negative_prompt: 'rain' }
  t.same(shaped(canvas, fine).sent, {
    taskType: 'TEXT_IMAGE',
    textToImageParams: { ...words, negativeText: 'rain' },
    imageGenerationConfig: {
      ...{ width: 1280, height: 720, numberOfImages: 3, quality: 'premium', seed: 0 },
    },
  })
  t.match(shaped(titan, { size: '1152x768', quality: 'low' }).sent, {
    imageGenerationConfig: { width: 1152, height: 768, quality: 'standard' },
  })
  t.same(shaped(core, { size: '1024x1536', output_format: 'jpeg' }).sent, {
    ...{ prompt: 'A house', aspect_ratio: '2:3', output_format: 'jpeg' },
  })
  t.match(shaped(ultra, { size: '1792x1024' }).sent, { aspect_ratio: '16:9' })
  t.match(shaped(sd, { size: '21:9', n: 1 }).sent, { aspect_ratio: '21:9' })
  t.same(servingAll('amazon.nova-lite-v1:0', 'images'), [])
})

t.test(
  '[FMT-9] what a model does not make is refused by name, what is cosmetic is reported',
  async (t) => {
    const rows: [string, JsonObject, string][] = [
      [titan, { size: '1024x1536' }, 'size'],
      [canvas, { size: '1000x1000' }, 'size'],
      [canvas, { size: '4096x4096' }, 'size'],
      [canvas, { size: '320x1600' }, 'size'],
      [core, { size: '1000x600' }, 'size'],
      [core, { size: 'large' }, 'size'],
      [canvas, { n: 6 }, 'n'],
      [ultra, { n: 2 }, 'n'],
      [canvas, { stream: true }, 'stream'],
      [canvas, { output_format: 'webp' }, 'output_format'],
      [ultra, { output_format: 'webp' }, 'output_format'],
      [canvas, { background: 'transparent' }, 'background'],
    ]
    for (const [model, fields, param] of rows) {
      t.throws(() => shaped(model, fields), { code: 'not_expressible', param }, `${model} ${param}`)
    }
    const cosmetic = { style: 'vivid', user: 'u', moderation: 'low', quality: 'high', size: 'auto' }
    t.same(shaped(core, cosmetic), {
      sent: { prompt: 'A house' },
      lost: ['style', 'user', 'moderation', 'quality'],
    })
    t.same(shaped(canvas, cosmetic).lost, ['style', 'user', 'moderation'])
  },
)

t.test('pictures out of pictures', async (t) => {
  const file = { field: 'image[]', filename: 'a.png', mime: 'image/png', bytes: Buffer.from('ab') }
  const form: Body = {
    kind: 'form',
    fields: { model: canvas, prompt: 'A house', n: '2' },
    files: [file, file],
  }
  t.same(shapedBody(canvas, form, 'edits').sent, {
    taskType: 'IMAGE_VARIATION',
    imageVariationParams: { images: ['YWI=', 'YWI='], text: 'A house' },
    imageGenerationConfig: { numberOfImages: 2 },
  })
  t.same(shaped(titan, { image: png, mask_prompt: 'the door' }, 'edits').sent, {
    taskType: 'INPAINTING',
    inPaintingParams: { image: 'iVBO', maskPrompt: 'the door', text: 'A house' },
  })
  t.same(shaped(sd, { images: [{ image_url: png }] }, 'edits').sent, {
    ...{ prompt: 'A house', mode: 'image-to-image', image: 'iVBO', strength: 0.5 },
  })
  t.same(shaped(ultra, { image: png, strength: 0.2 }, 'edits').sent, {
    ...{ prompt: 'A house', image: 'iVBO', strength: 0.2 },
  })
  t.same(servingAll(core, 'edits'), [], 'this one is shown nothing')
  const rows: [string, JsonObject, string][] = [
    [canvas, { image: png, mask: png }, 'mask'],
    [canvas, { image: 'https://x.example/i.png' }, 'image'],
    [ultra, { images: [png, png] }, 'images'],
    [ultra, { image: png, size: '1024x1024' }, 'size'],
  ]
  for (const [model, fields, param] of rows) {
    const refused = () => shaped(model, fields, 'edits')
    t.throws(refused, { code: 'not_expressible', param }, `${model} ${param}`)
  }
  const mask = { ...file, field: 'mask' }
  const masked = () => shapedBody(canvas, { ...form, files: [file, mask] }, 'edits')
  t.throws(masked, { code: 'not_expressible', param: 'mask' })
})

t.test('a picture that was held back is the client’s error, a broken answer is not', async (t) => {
  const answered = (body: JsonObject, requested: JsonObject = {}) =>
    adapterFor(canvas, 'images').answer!(
      { status: 200, headers: {}, body: Buffer.from(JSON.stringify(body)) },
      { kind: 'json', value: requested },
      canvas,
    )
  t.same(answered({ images: ['iVBO', 'AAAA'] }), {
    json: { data: [{ b64_json: 'iVBO' }, { b64_json: 'AAAA' }] },
  })
  const some = { images: ['iVBO'], error: 'Some of the generated images have been blocked.' }
  t.match(answered(some), { json: { data: [{ b64_json: 'iVBO' }] } }, 'what came is delivered')
  t.match(answered({ images: ['iVBO'] }, { response_format: 'url' }), {
    json: { data: [{ url: 'data:image/png;base64,iVBO' }] },
  })
  const blocked = { blame: 'client', status: 400 }
  const all = 'All of the generated images have been blocked by our content filters.'
  t.match(answered({ images: [], error: all }), { failure: { ...blocked, message: all } })
  t.match(answered({ finish_reasons: ['Filter reason: prompt'] }), { failure: blocked })
  const moderated = { status: 'Request Moderated', details: { 'Moderation Reasons': ['Faces'] } }
  t.match(answered(moderated), { failure: { ...blocked, message: /Faces/ } })
  for (const body of [{ finish_reasons: ['Inference error'] }, {}, { images: [null] }]) {
    t.match(answered(body), { failure: { blame: 'upstream' } }, JSON.stringify(body))
  }
})

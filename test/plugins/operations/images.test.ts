/** Image generation: fields, tokens, the pieces a fixed price is due for, and what an answer states of its cost. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import create from '../../../plugins/operations/images/index.js'
import { json, played, refusedField, sse } from './media/asking.js'

const images = create()
const ask = (over: JsonObject = {}) => json({ model: 'gpt-image-1', prompt: 'a cat', ...over })

t.test('a request is checked field by field', async (t) => {
  t.same(images.check(ask()), { model: 'gpt-image-1', stream: false, wantsUsage: true })
  t.equal(images.check(ask({ stream: true })).stream, true)
  t.equal(images.check(json({ prompt: 'a cat' })).model, 'dall-e', 'the family falls back to it')
  t.equal(refusedField(images, ask({ quality: null, n: null })), undefined, 'null is not sent')
  const wrong: Readonly<Record<string, JsonObject>> = {
    model: { model: 7 },
    prompt: { prompt: undefined },
    n: { n: 0 },
    size: { size: 1024 },
    quality: { quality: true },
    stream: { stream: 'true' },
    partial_images: { partial_images: 1.5 },
    output_compression: { output_compression: 101 },
  }
  for (const [field, over] of Object.entries(wrong)) t.equal(refusedField(images, ask(over)), field)
  t.equal(refusedField(images, ask({ prompt: '' })), 'prompt')
  t.equal(refusedField(images, ask({ n: 129 })), 'n')
})

t.test('the model is named where it was not', async (t) => {
  const body = json({ prompt: 'a cat', n: 2 })
  t.match(images.named(body, 'dall-e'), { value: { model: 'dall-e', prompt: 'a cat', n: 2 } })
  const same = ask()
  t.equal(images.named(same, 'gpt-image-1'), same)
})

t.test('a hold covers the pictures requested, by size and quality', async (t) => {
  const tokens = (over: JsonObject) => images.estimate(ask(over)).outputImage
  t.equal(tokens({ size: '1024x1024', quality: 'low' }), 272)
  t.equal(tokens({ size: '1024x1536', quality: 'medium' }), 1584)
  t.equal(tokens({ size: '1536x1024', quality: 'high' }), 6208)
  t.equal(tokens({ size: '1024x1024', quality: 'low', n: 3 }), 816)
  t.equal(tokens({}), 6240, 'what the upstream may choose counts as the dearest')
  t.equal(tokens({ size: '1024x1024', quality: 'low', partial_images: 2 }), 472)
  t.match(images.estimate(ask()), { input: 2, output: 0, quantity: 1 })
})

t.test('a fixed price is due for each picture, by the list prices of DALL·E', async (t) => {
  const quantity = (over: JsonObject) => images.estimate(ask(over)).quantity
  const dallE3 = { model: 'dall-e-3' }
  t.equal(quantity({ ...dallE3, size: '1024x1024' }), 1)
  t.equal(quantity({ ...dallE3, size: '1024x1792' }), 2)
  t.equal(quantity({ ...dallE3, size: '1024x1024', quality: 'hd' }), 2)
  t.equal(quantity({ ...dallE3, size: '1792x1024', quality: 'hd' }), 3)
  t.equal(quantity({ model: 'dall-e-2', size: '1024x1024', n: 4 }), 4)
  t.equal(quantity({ model: 'dall-e-2', size: '512x512' }), 0.9)
  t.equal(quantity({ model: 'dall-e', size: '256x256', n: 5 }), 4)
  t.equal(quantity({ model: 'flux-pro', size: '512x512', quality: 'hd', n: 2 }), 2)
})

const picture = { b64_json: 'aGk=' }

t.test('the count of the upstream is taken, each token once', async (t) => {
  const usage = {
    input_tokens: 350,
    input_tokens_details: { text_tokens: 50, image_tokens: 300 },
    output_tokens: 4160,
    total_tokens: 4510,
  }
  t.match(images.readReply({ created: 1, data: [picture, picture], usage }, ask({ n: 2 })), {
    usage: { input: 50, inputImage: 300, output: 0, outputImage: 4160, quantity: 2 },
    raw: usage,
    estimatedTokens: 0,
    failure: undefined,
  })
  const detailed = {
    prompt_tokens: 90,
    prompt_tokens_details: { image_tokens: 60, cached_tokens: 10 },
    completion_tokens: 200,
    completion_tokens_details: { text_tokens: 20, image_tokens: 180 },
  }
  t.same(images.readReply({ data: [picture], usage: detailed }, ask()).usage, {
    cacheRead: 10,
    inputImage: 60,
    input: 20,
    output: 20,
    outputImage: 180,
    quantity: 1,
  })
})

t.test('where nothing is counted, the pictures that came are', async (t) => {
  const request = ask({ model: 'dall-e-3', size: '1024x1792', quality: 'hd', n: 3 })
  const failed = { error: { message: 'blocked' } }
  t.same(images.readReply({ created: 1, data: [picture, failed, { url: 'x' }] }, request).usage, {
    output: 0,
    outputImage: 2 * 6240,
    quantity: 6,
  })
  const nothing = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }
  const low = ask({ size: '1024x1024', quality: 'low' })
  t.match(images.readReply({ data: [picture], usage: nothing }, low).usage, { outputImage: 272 })
  t.match(images.readReply({ data: [] }, low).usage, { outputImage: 0, quantity: 0 })
  const flood = Array.from({ length: 10_000 }, () => picture)
  t.match(
    images.readReply({ data: flood }, low).usage,
    { outputImage: 272, quantity: 1 },
    'no more than was requested (M21)',
  )
})

t.test('a 200 without pictures is a failure (M14)', async (t) => {
  t.match(images.readReply({ error: { message: 'no', code: 'rate_limit_exceeded' } }, ask()), {
    failure: { blame: 'channel', status: 429 },
  })
  t.match(images.readReply({ message: 'what?' }, ask()), { failure: { blame: 'upstream' } })
})

const usage = { input_tokens: 12, output_tokens: 372, total_tokens: 384 }
const partial = sse({
  type: 'image_generation.partial_image',
  b64_json: 'A'.repeat(900),
  partial_image_index: 0,
})
const completed = (more: JsonObject) =>
  sse({ type: 'image_generation.completed', b64_json: 'B'.repeat(900), ...more })

t.test('a stream passes as it is and is counted by its completed pictures', async (t) => {
  const stream = `: hello\n\nevent: image_generation.partial_image\n${partial}${completed({ usage })}`
  for (const step of [1, 64, 100_000]) {
    const { out, watch } = played(images.watch('text/event-stream', ask()), stream, step)
    t.equal(out.toString(), stream)
    t.match(watch, { started: true, ended: true, failure: undefined, raw: usage, binary: false })
    t.match(watch.usage, { input: 12, outputImage: 372, quantity: 1 })
  }
  const two = played(
    images.watch('text/event-stream', ask({ n: 2 })),
    completed({ usage }) + completed({ usage }),
  )
  t.match(two.watch.usage, { input: 24, outputImage: 744, quantity: 2 })
  const uncounted = played(
    images.watch('text/event-stream', ask({ quality: 'low', size: '1024x1024' })),
    completed({}),
  )
  t.match(uncounted.watch.usage, { outputImage: 272, quantity: 1 })
  const done = played(images.watch('text/event-stream', ask()), `${completed({})}data: [DONE]\n\n`)
  t.equal(done.watch.ended, true)
  t.match(done.out.toString(), '[DONE]')
})

t.test('a picture of megabytes passes in pieces and its usage is found (S4)', async (t) => {
  const large = { type: 'image_generation.completed', b64_json: 'C'.repeat(3_000_000) }
  for (const event of [
    { ...large, usage },
    { type: large.type, usage, b64_json: large.b64_json },
  ]) {
    const watch = images.watch('text/event-stream', ask())
    const stream = Buffer.from(sse(event))
    const first = watch.push(stream.subarray(0, 200_000))
    t.ok(first.length > 100_000, 'it is not held back until it is whole')
    const { out } = played(watch, stream.subarray(200_000), 65_536)
    t.ok(Buffer.concat([first, out]).equals(stream))
    t.match(watch, { ended: true, usage: { input: 12, outputImage: 372, quantity: 1 } })
  }
})

t.test(
  'a stream that breaks off is no answer, and what was begun is billed as queried',
  async (t) => {
    const { watch } = played(images.watch('text/event-stream', ask()), partial)
    t.match(watch, { started: true, ended: false })
    t.same(watch.usage, {}, 'to be completed from the estimate')
    const before = played(images.watch('text/event-stream', ask()), ': hello\n\n')
    t.match(before.watch, { started: false, ended: false, usage: undefined })
  },
)

t.test('an error inside a stream is withheld and reported as a failure (M14)', async (t) => {
  const error = sse({ type: 'error', error: { message: 'overloaded', type: 'server_error' } })
  const { out, watch } = played(images.watch('text/event-stream', ask()), partial + error)
  t.equal(out.toString(), partial)
  t.match(watch.failure, { blame: 'upstream' })
  const garbled = played(images.watch('text/event-stream', ask()), 'data: <html>\n\n')
  t.match(garbled.watch, { started: false, failure: { blame: 'upstream' } })
})

t.test('JSON declared as something else is read all the same', async (t) => {
  const body = JSON.stringify({ data: [picture], usage })
  const { out, watch } = played(images.watch('text/plain', ask()), body)
  t.equal(out.toString(), body)
  t.match(watch, { ended: true, usage: { input: 12, outputImage: 372 } })
  t.match(played(images.watch('text/html', ask()), '<html>').watch.failure, { blame: 'upstream' })
})

/** OpenAI's Videos API: what is submitted and in which form, how tasks are read, and what they are billed by. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Progress, TaskAdapter, TaskContext, TaskRef } from '../../../kernel/contract/task.js'
import { formBytes } from '../../../kernel/toolkit/body/index.js'
import create from '../../../plugins/tasks/sora/index.js'
import { type StrictSora, strictSora } from '../../kit/tasks/sora.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'

const adapter = create().operations.video as TaskAdapter
const channel = { id: 1, type: 55, baseUrl: 'https://api.openai.com', settings: {} }
const key = { key: ' sk-test ' }
const context = { now: 0, forwarded: { headers: {} }, model: 'sora-2', stream: false }
const picture = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`

function recorded(name: string): JsonObject {
  const file = new URL(`../../fixtures/tasks/sora/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function shaped(value: JsonObject, given?: TaskContext, model = 'sora-2') {
  return adapter.shape({ kind: 'json', value: { model, ...value } }, channel, model, given)
}

function sent(upstream: StrictSora, value: JsonObject, given?: TaskContext, model?: string) {
  const wire = shaped(value, given, model)
  const request = adapter.address(wire, channel, key, context)
  if (wire.kind !== 'form') {
    const body = request.body ?? JSON.stringify(wire.kind === 'json' ? wire.value : null)
    return { wire, reply: sentTo(upstream, { ...request, body }) }
  }
  const { bytes, type } = formBytes(wire)
  const headers = { ...request.headers, 'content-type': type }
  return { wire, reply: sentTo(upstream, { ...request, headers, body: bytes }) }
}

function submit(...args: Parameters<typeof sent>): TaskRef {
  const { reply, wire } = sent(...args)
  const found = adapter.submitted(reply, wire, 'sora-2')
  if ('failure' in found) throw new Error(String(reply.body))
  return { ref: found.ref, action: 'generate', model: 'sora-2', keep: found.keep ?? {} }
}

function polled(upstream: StrictSora, task: TaskRef): Progress {
  const reply = sentTo(upstream, adapter.poll.request([task], channel, key, { now: 0 }))
  const found = adapter.poll.read(reply, [task], channel)
  if ('failure' in found) throw new Error(String(reply.body))
  return found[0]!
}

function read(answer: unknown, ref: string) {
  const task = { ref, action: 'generate', model: 'sora-2', keep: {} }
  return adapter.poll.read(replied(answer), [task], channel)
}

function counted(value: JsonObject, given?: TaskContext, model = 'sora-2') {
  return adapter.quantities(shaped(value, given, model), model, { kind: 'none' })
}

t.test('a clip is made of a text, watched, and fetched with the key', async (t) => {
  const upstream = strictSora()
  const task = submit(upstream, { prompt: 'A cat', seconds: 8, size: '1280x720' })
  t.strictSame(upstream.last.body, {
    model: 'sora-2',
    prompt: 'A cat',
    seconds: '8',
    size: '1280x720',
  })
  t.match(polled(upstream, task), { ref: task.ref, state: 'queued', word: 'queued', percent: 0 })
  upstream.change(task.ref, { status: 'in_progress', progress: 33 })
  t.match(polled(upstream, task), { state: 'running', percent: 33, createdAt: 1_758_941_485_000 })
  upstream.finish(task.ref)
  const done = polled(upstream, task)
  t.match(done, {
    state: 'succeeded',
    percent: 100,
    updatedAt: 1_758_941_690_000,
    made: {
      counts: { second: 8, piece: 1 },
      dimensions: { size: '1280x720', resolution: '720p' },
    },
  })
  const [clip] = done.results!
  t.match(clip, { type: 'video', keyed: true, meta: { seconds: 8, size: '1280x720' } })
  const request = adapter.content!(task, clip!, channel, key, { now: 0 })
  t.equal(request.url, `https://api.openai.com/v1/videos/${task.ref}/content`)
  t.equal(String(sentTo(upstream, request).body), 'mp4')
  upstream.fail(task.ref, 'It was blocked.')
  t.match(polled(upstream, task), { state: 'failed', reason: 'It was blocked.' })
})

t.test('a picture is sent as a file where it is bytes, and by its address otherwise', async (t) => {
  const upstream = strictSora()
  submit(upstream, {
    prompt: 'A cat',
    image: picture,
    seconds: '12',
    metadata: { size: '1280x720' },
  })
  t.match(upstream.last, {
    body: { model: 'sora-2', prompt: 'A cat', seconds: '12', size: '1280x720' },
    file: 'a picture',
  })
  const url = 'https://x.example/a.png'
  submit(upstream, { prompt: 'A cat', input_reference: url })
  t.strictSame(upstream.last.body.input_reference, { image_url: url })
  t.notOk(upstream.last.file)
})

t.test('a remix goes to the clip it goes on from, for its length and size', async (t) => {
  const upstream = strictSora()
  const first = submit(upstream, { prompt: 'A cat', seconds: '12', size: '1792x1024' })
  t.strictSame(first.keep, { seconds: 12, size: '1792x1024' })
  upstream.finish(first.ref)
  const origin = { ...first, results: [] }
  const request = { action: 'remix', prompt: 'A dog' }
  t.match(counted(request, { origin }), {
    counts: { second: 12, piece: 1 },
    dimensions: { size: '1792x1024' },
  })
  const { reply, wire } = sent(upstream, request, { origin })
  t.match(upstream.last, { path: `/v1/videos/${first.ref}/remix`, body: { prompt: 'A dog' } })
  t.match(adapter.submitted(reply, wire, 'sora-2'), {
    ref: 'video_2',
    made: { counts: { second: 12 } },
  })
  t.throws(() => shaped(request), { code: 'invalid_request', param: 'action' })
  t.throws(() => shaped({ action: 'remix', image: picture }, { origin }), {
    code: 'invalid_request',
    param: 'prompt',
  })
  t.throws(() => shaped({ ...request, image: picture }, { origin }), {
    code: 'invalid_request',
    param: 'images',
  })
  const odd = { ...origin, ref: '../models' }
  t.match(adapter.address(shaped(request, { origin: odd }), channel, key, context), {
    url: 'https://api.openai.com/v1/videos/..%2Fmodels/remix',
  })
})

t.test('what cannot be expressed is refused by its name', async (t) => {
  const prompt = 'A cat'
  for (const [value, param, model] of [
    [{ n: 2 }, 'n'],
    [{ images: [picture, picture] }, 'images'],
    [{ image_tail: picture }, 'image_tail'],
    [{ video: 'https://x.example/a.mp4' }, 'video'],
    [{ audio_url: 'https://x.example/a.mp3' }, 'audio_url'],
    [{ audio: false }, 'audio'],
    [{ seconds: 5 }, 'seconds'],
    [{ size: '100x100' }, 'size'],
    [{ resolution: '480p' }, 'resolution'],
    [{ aspect_ratio: '1:1' }, 'aspect_ratio'],
    [{ size: '1920x1080' }, 'size', 'sora-2'],
    [{ seconds: 5 }, 'seconds', 'sora-2-2025-10-06'],
  ] as const) {
    t.throws(
      () => shaped({ prompt, ...value }, {}, model),
      { code: 'invalid_request', param },
      param,
    )
  }
  t.doesNotThrow(() => shaped({ prompt, size: '1920x1080' }, {}, 'sora-2-pro'))
  t.doesNotThrow(() => shaped({ prompt, seconds: 5, size: '1080p' }, {}, 'another-model'))
})

t.test('what was left out is counted as the service fills it in', async (t) => {
  const prompt = 'A cat'
  t.strictSame(counted({ prompt }), {
    counts: { second: 4, piece: 1 },
    dimensions: { size: '720x1280', resolution: '720p' },
  })
  t.match(counted({ prompt, seconds: '20' }), { counts: { second: 20 } })
  t.match(counted({ prompt, duration: 12 }), { counts: { second: 12 } })
  t.match(counted({ prompt, aspect_ratio: '16:9' }), { dimensions: { size: '1280x720' } })
  t.match(counted({ prompt, resolution: '1080p' }, {}, 'sora-2-pro'), {
    dimensions: { size: '1080x1920', resolution: '1080p' },
  })
  t.match(counted({ prompt, metadata: { seconds: '16' } }), { counts: { second: 16 } })
  for (const seconds of ['0', '-8', 'x']) {
    t.match(counted({ prompt, metadata: { seconds } }), { counts: { second: 4 } }, seconds)
  }
  t.match(counted({ prompt, metadata: { duration: 60, n: 2 } }), {
    counts: { second: 120, piece: 2 },
  })
  t.match(counted({ prompt, image: picture, seconds: 8, size: '1280x720' }), {
    counts: { second: 8, piece: 1 },
    dimensions: { size: '1280x720' },
  })
  const { wire } = sent(strictSora(), { prompt, metadata: { model: 'x', remix: { id: 'y' } } })
  t.strictSame(wire.kind === 'json' && wire.value, { model: 'sora-2', prompt })
})

t.test('documented answers are read', async (t) => {
  const { id } = recorded('queued')
  const ref = String(id)
  t.match(adapter.submitted(replied(recorded('queued')), { kind: 'none' }, 'm'), {
    ref,
    keep: { seconds: 8, size: '1280x720' },
    progress: { state: 'queued' },
    made: { counts: { second: 8, piece: 1 } },
  })
  t.match(read(recorded('completed'), ref), [{ state: 'succeeded', results: [{ keyed: true }] }])
  t.match(read(recorded('failed'), ref), [{ state: 'failed', reason: /moderation system/ }])
})

t.test('an answer that is none of the documented is no verdict over a task', async (t) => {
  const whole = (text: string, status = 200) => ({ status, headers: {}, body: Buffer.from(text) })
  for (const text of ['', '<html>', 'null', '[]', '{}', '{"id":""}', '{"id":{}}', '"video_1"']) {
    t.match(
      adapter.submitted(whole(text), { kind: 'none' }, 'm'),
      { failure: { status: 200 } },
      text,
    )
    const task = { ref: 'video_1', action: 'generate', model: 'm', keep: {} }
    t.match(adapter.poll.read(whole(text), [task], channel), { failure: {} }, text)
    t.equal(adapter.poll.readRefusal!(whole(text, 404), task), undefined, text)
  }
  t.strictSame(read({ id: 'video_2', status: 'failed' }, 'video_1'), [])
  t.match(read({ id: 'video_1', status: 'paused' }, 'video_1'), [
    { state: 'unknown', word: 'paused' },
  ])
  t.match(read({ id: 'video_1' }, 'video_1'), [{ state: 'unknown' }])
  t.match(read({ id: 'video_1', status: 'failed', error: 3 }, 'video_1'), [{ reason: '3' }])
  t.match(read({ id: 'video_1', status: 'failed' }, 'video_1'), [{ reason: /no reason/ }])
  const odd = { id: 'video_1', status: 'completed', seconds: -8, size: 7, progress: 900 }
  const [progress] = read(odd, 'video_1') as readonly Progress[]
  t.match(progress, { percent: 100, state: 'succeeded' })
  t.notOk(progress?.made?.counts?.second)
})

t.test('a clip the upstream does not have any more is a task that failed', async (t) => {
  const upstream = strictSora()
  const task = submit(upstream, { prompt: 'A cat' })
  upstream.forget(task.ref)
  const reply = sentTo(upstream, adapter.poll.request([task], channel, key, { now: 0 }))
  t.match(adapter.poll.readRefusal!(reply, task), { ref: task.ref, state: 'failed' })
  t.equal(adapter.poll.readRefusal!({ ...reply, status: 400 }, task), undefined)
  const other = replied({ error: { message: 'Invalid URL' } }, 404)
  t.equal(adapter.poll.readRefusal!(other, task), undefined)
})

t.test('refusals are the key, the account or the request', async (t) => {
  const failure = (status: number, error: JsonObject) =>
    adapter.fail(status, {}, Buffer.from(JSON.stringify({ error })))
  t.match(failure(401, { message: 'Incorrect API key' }), { blame: 'channel' })
  t.match(failure(429, { message: 'Rate limit' }), { blame: 'channel' })
  t.match(failure(400, { message: 'x', code: 'billing_hard_limit_reached' }), { blame: 'channel' })
  t.match(failure(400, { message: 'Invalid value', param: 'seconds' }), {
    blame: 'client',
    param: 'seconds',
  })
  t.match(adapter.fail(502, {}, Buffer.from('<html>')), { blame: 'upstream' })
})

t.test('channels of OpenAI name who pays', async (t) => {
  const paid = { ...channel, type: 1, settings: { organization: ' org ', project: 'p' } }
  const headers = { 'openai-organization': 'org', 'openai-project': 'p' }
  t.match(adapter.address(shaped({ prompt: 'x' }), paid, key, context).headers, headers)
  const task = { ref: 'video_1', action: 'generate', model: 'm', keep: {} }
  t.match(adapter.poll.request([task], paid, key, { now: 0 }).headers, headers)
})

/** Wan: older and newer forms of requests, tasks as they are reported, and what they are billed by. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Progress, TaskAdapter, TaskRef } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import create from '../../../plugins/tasks/wan/index.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'
import { type StrictWan, strictWan } from '../../kit/tasks/wan.js'

const adapter = create().operations.video as TaskAdapter
const channel = { id: 1, type: 17, baseUrl: 'https://dashscope.aliyuncs.com', settings: {} }
const key = { key: ' key ' }
const usual = 'wan2.6-t2v'
const picture = 'data:image/png;base64,iVBORw0KGgo='
const url = 'https://x.example/a'

function recorded(name: string): JsonObject {
  const file = new URL(`../../fixtures/tasks/wan/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function shaped(value: JsonObject, model = usual) {
  return adapter.shape(
    { kind: 'json', value: { model, prompt: 'A cat', ...value } },
    channel,
    model,
  )
}

function submit(upstream: StrictWan, value: JsonObject, model = usual): TaskRef {
  const wire = shaped(value, model)
  const context = { now: 0, forwarded: { headers: {} }, model, stream: false }
  const request = adapter.address(wire, channel, key, context)
  const reply = sentTo(upstream, { ...request, body: JSON.stringify(jsonOf(wire)) })
  const found = adapter.submitted(reply, wire, model)
  if ('failure' in found) throw new Error(String(reply.body))
  return { ref: found.ref, action: 'generate', model, keep: {} }
}

function polled(upstream: StrictWan, task: TaskRef): Progress {
  const reply = sentTo(upstream, adapter.poll.request([task], channel, key, { now: 0 }))
  const found = adapter.poll.read(reply, [task], channel)
  if ('failure' in found) throw new Error(String(reply.body))
  return found[0]!
}

function read(answer: unknown, ref: string) {
  const task = { ref, action: 'generate', model: usual, keep: {} }
  return adapter.poll.read(replied(answer), [task], channel)
}

function counted(value: JsonObject, model = usual) {
  return adapter.quantities(shaped(value, model), model, { kind: 'none' })
}

t.test('a clip is made of a text, watched and found', async (t) => {
  const upstream = strictWan()
  const task = submit(upstream, {
    seconds: '10',
    size: '1280x720',
    negative_prompt: 'dogs',
    seed: 3,
    watermark: false,
    audio_url: url,
    metadata: { prompt_extend: false, model: 'dear', parameters: { seed: 4 } },
  })
  t.strictSame(upstream.last, {
    path: '/api/v1/services/aigc/video-generation/video-synthesis',
    body: {
      model: usual,
      input: { prompt: 'A cat', negative_prompt: 'dogs', audio_url: url },
      parameters: {
        size: '1280*720',
        duration: 10,
        seed: 4,
        watermark: false,
        prompt_extend: false,
      },
    },
  })
  t.match(polled(upstream, task), { ref: task.ref, state: 'queued', word: 'PENDING' })
  upstream.run(task.ref)
  t.match(polled(upstream, task), { state: 'running' })
  upstream.finish(task.ref, { duration: 9, video_count: 1, SR: 720 })
  t.match(polled(upstream, task), {
    state: 'succeeded',
    results: [{ type: 'video', url: /^https:/ }],
    made: { counts: { second: 9 }, dimensions: { resolution: '720p' } },
  })
  upstream.fail(task.ref, 'It was blocked.')
  t.match(polled(upstream, task), { state: 'failed', reason: 'It was blocked.' })
})

t.test('a task that waits can be ended', async (t) => {
  const upstream = strictWan()
  const task = submit(upstream, {})
  const end = () => sentTo(upstream, adapter.cancel!(task, channel, key, { now: 0 }))
  t.equal(end().status, 200)
  t.match(polled(upstream, task), { state: 'failed', word: 'CANCELED', reason: 'CANCELED' })
  t.equal(end().status, 400)
})

t.test('pictures go where the model takes them', async (t) => {
  const upstream = strictWan()
  submit(upstream, { image: picture, resolution: '720p', audio: false }, 'wan2.6-i2v-flash')
  t.match(upstream.last.body, {
    input: { img_url: picture },
    parameters: { resolution: '720P', audio: false },
  })
  submit(upstream, { image: picture, image_tail: url }, 'wan2.2-kf2v-flash')
  t.match(upstream.last, {
    path: '/api/v1/services/aigc/image2video/video-synthesis',
    body: { input: { first_frame_url: picture, last_frame_url: url } },
  })
  submit(upstream, { video: url, size: '1280x720' }, 'wan2.6-r2v')
  t.match(upstream.last.body, { input: { reference_video_urls: [url] } })
  const framed = { image: picture, image_tail: url, audio_url: url, size: '1920x1080' }
  submit(upstream, framed, 'wan2.7-i2v')
  t.strictSame(upstream.last.body, {
    model: 'wan2.7-i2v',
    input: {
      prompt: 'A cat',
      media: [
        { type: 'first_frame', url: picture },
        { type: 'last_frame', url },
        { type: 'driving_audio', url },
      ],
    },
    parameters: { resolution: '1080P' },
  })
  submit(upstream, { video: url }, 'wan2.7-i2v')
  t.match(upstream.last.body.input, { media: [{ type: 'first_clip', url }] })
  submit(upstream, { images: [picture, url], video: url }, 'wan2.7-r2v')
  t.match(upstream.last.body.input, {
    media: [{ type: 'reference_image' }, { type: 'reference_image' }, { type: 'reference_video' }],
  })
  submit(upstream, { size: '720x1280' }, 'wan2.7-t2v')
  t.strictSame(upstream.last.body.parameters, { resolution: '720P', ratio: '9:16' })
})

t.test('what cannot be expressed is refused by its name', async (t) => {
  for (const [value, param, model = usual] of [
    [{ n: 2 }, 'n'],
    [{ images: [picture, picture] }, 'images', 'wan2.6-i2v'],
    [{ images: [picture, picture] }, 'images', 'wan2.7-i2v'],
    [{ video: url }, 'video'],
    [{ video: 'data:video/mp4;base64,AAAA' }, 'video', 'wan2.7-i2v'],
    [{ audio_url: 'data:audio/wav;base64,AAAA' }, 'audio_url'],
    [{ audio_url: url }, 'audio_url', 'wan2.2-t2v-plus'],
    [{ audio: true }, 'audio', 'wan2.2-t2v-plus'],
    [{ seconds: 16 }, 'seconds'],
    [{ seconds: 10 }, 'seconds', 'wanx2.1-t2v-turbo'],
    [{ seconds: 2.5 }, 'seconds'],
    [{ size: '720p' }, 'size'],
    [{ resolution: '4k' }, 'resolution'],
    [{ aspect_ratio: '21:9' }, 'aspect_ratio'],
  ] as const) {
    t.throws(() => shaped(value, model), { code: 'invalid_request', param }, param)
  }
  t.doesNotThrow(() => shaped({ seconds: 30, resolution: '4k' }, 'happyhorse-1.0-t2v'))
})

t.test('what was left out is counted as the service fills it in', async (t) => {
  t.strictSame(counted({}), {
    counts: { second: 5, piece: 1 },
    dimensions: { resolution: '1080p', audio: 'true' },
  })
  t.match(counted({}, 'wanx2.1-t2v-turbo'), { dimensions: { resolution: '720p', audio: 'false' } })
  t.match(counted({ image: picture }, 'wan2.2-i2v-flash'), { dimensions: { resolution: '720p' } })
  t.match(counted({ seconds: 12, size: '832x1088' }), {
    counts: { second: 12 },
    dimensions: { resolution: '720p', size: '832*1088' },
  })
  t.match(counted({ resolution: '1080p', aspect_ratio: '1:1' }), {
    dimensions: { resolution: '1080p', size: '1440*1440' },
  })
  t.match(counted({ aspect_ratio: '9:16' }), { dimensions: { size: '1080*1920' } })
  t.match(counted({ image: picture, audio: false }, 'wan2.6-i2v-flash'), {
    dimensions: { audio: 'false' },
  })
  t.match(counted({ metadata: { duration: 15, parameters: { size: '480*832' } } }), {
    counts: { second: 15 },
    dimensions: { resolution: '480p' },
  })
  t.match(counted({ metadata: { duration: -15 } }), { counts: { second: 5 } })
})

t.test('documented answers are read', async (t) => {
  const done = recorded('succeeded')
  t.match(read(done, '0385dc79-5ff8-4d82-bcb6-7a1c1c2f3d55'), [
    { state: 'succeeded', made: { counts: { second: 10 }, dimensions: { resolution: '720p' } } },
  ])
  t.match(read(recorded('failed'), '86ecf553-d340-4e21-af6e-a0c6a421c010'), [
    { state: 'failed', reason: /size is not match/ },
  ])
})

t.test('an answer that is none of the documented is no verdict over a task', async (t) => {
  const whole = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text) })
  const task = { ref: 'a', action: 'generate', model: usual, keep: {} }
  for (const text of [
    '',
    '<html>',
    'null',
    '[]',
    '{}',
    '{"output":[]}',
    '{"output":{"task_id":{}}}',
  ]) {
    const submission = adapter.submitted(whole(text), { kind: 'none' }, usual)
    t.match(submission, { failure: { status: 200 } }, text)
    t.match(adapter.poll.read(whole(text), [task], channel), { failure: { status: 200 } }, text)
  }
  const report = (output: JsonObject, usage: JsonObject = {}) =>
    read({ output: { task_id: 'a', ...output }, usage }, 'a')
  t.strictSame(report({ task_id: 'b', task_status: 'FAILED' }), [])
  t.match(report({ task_status: 'UNKNOWN' }), [{ state: 'unknown', word: 'UNKNOWN' }])
  const odd = report(
    { task_status: 'SUCCEEDED', video_url: 'file:///x' },
    { duration: -5, SR: 'x' },
  )
  t.match(odd, [{ state: 'succeeded' }])
  t.notOk((odd as readonly Progress[])[0]!.made)
  t.notOk((odd as readonly Progress[])[0]!.results)
})

t.test('refusals are the key, the account or the request', async (t) => {
  const failure = (status: number, code: string) =>
    adapter.fail(status, {}, Buffer.from(JSON.stringify({ code, message: 'words' })))
  t.match(failure(401, 'InvalidApiKey'), { blame: 'channel' })
  t.match(failure(400, 'Arrearage'), { blame: 'channel' })
  t.match(failure(400, 'InvalidParameter'), { blame: 'client', message: /words/ })
  t.match(failure(429, 'Throttling.RateQuota'), { blame: 'channel' })
  t.match(adapter.fail(502, {}, Buffer.from('<html>')), { blame: 'upstream' })
  const hidden = replied({ code: 'Throttling', message: 'words' })
  t.match(adapter.submitted(hidden, { kind: 'none' }, usual), { failure: { status: 429 } })
  const compatible = {
    ...channel,
    baseUrl: 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
  }
  const task = { ref: 'a/b', action: 'generate', model: usual, keep: {} }
  t.equal(
    adapter.poll.request([task], compatible, key, { now: 0 }).url,
    'https://dashscope-intl.aliyuncs.com/api/v1/tasks/a%2Fb',
  )
})

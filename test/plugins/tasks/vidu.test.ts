/** Vidu: what is submitted where, how its tasks are read, and what they are billed by. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Progress, TaskAdapter, TaskContext, TaskRef } from '../../../kernel/contract/task.js'
import create from '../../../plugins/tasks/vidu/index.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'
import { clipOf, type StrictVidu, strictVidu } from '../../kit/tasks/vidu.js'

const adapter = create().operations.video as TaskAdapter
const channel = { id: 1, type: 52, baseUrl: 'https://api.vidu.cn', settings: {} }
const key = { key: ' vidu-key ' }
const call = { now: 0, forwarded: { headers: {} }, model: 'm', stream: false }
const picture = 'data:image/png;base64,iVBORw0KGgo='
const address = 'https://x.example/b.png'

function recorded(name: string): JsonObject {
  const file = new URL(`../../fixtures/tasks/vidu/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function shaped(value: JsonObject, model = 'viduq2', given?: TaskContext) {
  return adapter.shape({ kind: 'json', value: { model, ...value } }, channel, model, given)
}

function refOf(ref: string): TaskRef {
  return { ref, action: 'generate', model: 'viduq2', keep: {} }
}

function submit(upstream: StrictVidu, ...args: Parameters<typeof shaped>): TaskRef {
  const wire = shaped(...args)
  const reply = sentTo(upstream, adapter.address(wire, channel, key, call))
  const found = adapter.submitted(reply, wire, 'viduq2')
  if ('failure' in found) throw new Error(String(reply.body))
  return refOf(found.ref)
}

function polled(upstream: StrictVidu, task: TaskRef): Progress {
  const reply = sentTo(upstream, adapter.poll.request([task], channel, key, { now: 0 }))
  const found = adapter.poll.read(reply, [task], channel)
  if ('failure' in found) throw new Error(String(reply.body))
  return found[0]!
}

function read(answer: unknown, ref = '7') {
  return adapter.poll.read(replied(answer), [refOf(ref)], channel)
}

t.test('a clip is made of a text, watched and found', async (t) => {
  const upstream = strictVidu()
  const task = submit(
    upstream,
    {
      prompt: 'A cat',
      seconds: 8,
      size: '1920x1080',
      seed: 7,
      audio: false,
      metadata: { bgm: true, model: 'viduq3-pro', callback_url: 'https://mine.example' },
    },
    'viduq2',
    { callbackUrl: 'https://gateway.example/report/1' },
  )
  t.strictSame(upstream.last, {
    path: '/ent/v2/text2video',
    body: {
      model: 'viduq2',
      prompt: 'A cat',
      duration: 8,
      resolution: '1080p',
      seed: 7,
      audio: false,
      aspect_ratio: '16:9',
      callback_url: 'https://gateway.example/report/1',
      bgm: true,
    },
  })
  t.match(polled(upstream, task), { state: 'queued', word: 'created' })
  upstream.change(task.ref, { state: 'processing' })
  t.equal(polled(upstream, task).state, 'running')
  upstream.finish(task.ref)
  t.match(polled(upstream, task), {
    state: 'succeeded',
    results: [{ type: 'video', url: /mp4$/, meta: { id: clipOf(task.ref), cover_url: /jpeg$/ } }],
  })
  upstream.change(task.ref, { state: 'failed', err_code: 'CreationPolicyViolation' })
  t.match(polled(upstream, task), { state: 'failed', reason: 'CreationPolicyViolation' })
})

t.test('pictures lead to the address that takes them', async (t) => {
  const upstream = strictVidu()
  const pathOf = (value: JsonObject) => {
    submit(upstream, { prompt: 'x', size: '1280x720', ...value })
    return upstream.last.path
  }
  t.equal(pathOf({ image: picture }), '/ent/v2/img2video')
  t.strictSame(upstream.last.body.images, [picture])
  t.notOk(upstream.last.body.aspect_ratio)
  t.equal(pathOf({ image: picture, image_tail: address }), '/ent/v2/start-end2video')
  t.strictSame(upstream.last.body.images, [picture, address])
  t.equal(pathOf({ images: [picture, address] }), '/ent/v2/reference2video')
  t.equal(upstream.last.body.aspect_ratio, '16:9')
  t.equal(pathOf({ image: picture, action: 'reference' }), '/ent/v2/reference2video')
  t.equal(pathOf({ metadata: { subjects: [{}] } }), '/ent/v2/reference2video')
})

t.test('a clip is extended by the id the service gave it, or at its address', async (t) => {
  const upstream = strictVidu()
  const first = submit(upstream, { prompt: 'x' })
  upstream.finish(first.ref)
  const { results = [] } = polled(upstream, first)
  const origin = { origin: { ...first, results } }
  submit(upstream, { action: 'extend', prompt: 'on', image: address }, 'viduq2-pro', origin)
  t.strictSame(upstream.last, {
    path: '/ent/v2/extend',
    body: {
      model: 'viduq2-pro',
      prompt: 'on',
      images: [address],
      video_creation_id: clipOf(first.ref),
    },
  })
  submit(upstream, { action: 'extend', video: 'https://x.example/c.mp4' })
  t.strictSame(upstream.last.body, { model: 'viduq2', video_url: 'https://x.example/c.mp4' })
  t.throws(() => shaped({ action: 'extend', prompt: 'x' }), {
    code: 'invalid_request',
    param: 'action',
  })
})

t.test('what a model cannot do is refused by its field', async (t) => {
  const images = Array.from({ length: 8 }, (_, at) => `https://x.example/${at}.png`)
  for (const [param, value, model] of [
    ['n', { n: 2 }],
    ['seconds', { seconds: 11 }],
    ['seconds', { seconds: 5 }, 'vidu2.0'],
    ['seconds', { seconds: 8 }, 'viduq1'],
    ['resolution', { resolution: '4k' }],
    ['resolution', { resolution: '720p' }, 'viduq1'],
    ['aspect_ratio', { aspect_ratio: '21:9' }],
    ['size', { size: '1024x512' }],
    ['images', { images }],
    ['image', { images: images.slice(6), image_tail: address }],
    ['video', { video: 'https://x.example/c.mp4' }],
    ['video', { action: 'extend', video: 'data:video/mp4;base64,AAAA' }],
  ] as const) {
    t.throws(
      () => shaped({ prompt: 'x', ...(value as unknown as JsonObject) }, model),
      { code: 'invalid_request', param },
      JSON.stringify(value),
    )
  }
  t.match(shaped({ prompt: 'x', seconds: 90, resolution: '8k' }, 'other'), {
    value: { duration: 90, resolution: '8k' },
  })
  t.match(shaped({ prompt: 'x', size: '1280x720' }, 'viduq1'), { value: { resolution: '1080p' } })
})

t.test(
  '[BILL-6] what is billed is read from the call as it goes out, with the defaults',
  async (t) => {
    const counted = (value: JsonObject, model = 'viduq2') =>
      adapter.quantities(shaped({ prompt: 'x', ...value }, model), model, { kind: 'none' })
    t.strictSame(counted({}), {
      counts: { second: 5, piece: 1 },
      dimensions: {
        kind: 'text2video',
        resolution: '720p',
        audio: 'false',
        off_peak: 'false',
        recommended_prompt: 'false',
      },
    })
    t.match(counted({}, 'viduq3-pro'), { dimensions: { resolution: '720p', audio: 'true' } })
    t.match(counted({}, 'viduq1'), { counts: { second: 5 }, dimensions: { resolution: '1080p' } })
    t.match(counted({}, 'vidu2.0'), { counts: { second: 4 }, dimensions: { resolution: '360p' } })
    t.match(counted({ seconds: 8 }, 'vidu1.5'), {
      counts: { second: 8 },
      dimensions: { resolution: '720p' },
    })
    t.match(
      counted({ image: picture, metadata: { duration: 9, resolution: '1080P', off_peak: true } }),
      {
        counts: { second: 9 },
        dimensions: { kind: 'img2video', resolution: '1080p', off_peak: 'true' },
      },
    )
    t.match(counted({ metadata: { duration: -4, submit: 'x' } }), {
      counts: { second: 5 },
      dimensions: { kind: 'text2video' },
    })
  },
)

t.test('answers are read as the service documents them', async (t) => {
  t.match(adapter.submitted(replied(recorded('submitted')), { kind: 'none' }, 'm'), {
    ref: '831922345719271433',
    progress: { state: 'queued', word: 'created', createdAt: 1735746091968 },
    made: { counts: { second: 5 }, dimensions: { resolution: '720p' } },
  })
  t.match(read(recorded('succeeded')), [
    { ref: '7', state: 'succeeded', results: [{ meta: { id: '831922345719271500' } }] },
  ])
  const refused = replied(recorded('refused'))
  t.match(adapter.fail(400, {}, refused.body), { blame: 'client', message: /can not cancel/ })
  t.match(read(recorded('refused')), { failure: { blame: 'client', status: 400 } })
  const poor = replied({ code: 400, reason: 'CreditInsufficient', message: 'x' })
  t.match(adapter.fail(400, {}, poor.body), { blame: 'channel' })
  const request = adapter.address(shaped({ prompt: 'x' }), channel, { key: 'other' }, call)
  const unknown = sentTo(strictVidu(), request)
  t.match(adapter.fail(unknown.status, {}, unknown.body), { blame: 'channel', status: 401 })
})

t.test('a task is cancelled while it is queued', async (t) => {
  const upstream = strictVidu()
  const task = submit(upstream, { prompt: 'x' })
  const cancel = () => sentTo(upstream, adapter.cancel!(task, channel, key, { now: 0 }))
  upstream.change(task.ref, { state: 'processing' })
  t.equal(cancel().status, 400)
  upstream.change(task.ref, { state: 'queueing' })
  t.equal(cancel().status, 200)
  t.equal(polled(upstream, task).state, 'failed')
})

t.test('answers of any kind are read without a throw', async (t) => {
  t.match(read({ state: 'dreaming' }), [{ state: 'unknown', word: 'dreaming' }])
  t.match(read({ state: {} }), [{ state: 'unknown' }])
  t.strictSame(read({ id: '8', state: 'failed' }), [])
  const creations = [null, 4, { url: 'file:///x' }]
  const [strange] = read({ state: 'success', creations }) as readonly Progress[]
  t.notOk(strange?.results)
  for (const answer of [{}, [], null, 'text', { task_id: {} }, { reason: 4 }]) {
    t.match(read(answer), { failure: { blame: 'upstream' } })
    t.match(adapter.submitted(replied(answer), { kind: 'none' }, 'm'), { failure: {} })
  }
  const negative = adapter.submitted(replied({ task_id: '7', duration: -1 }), { kind: 'none' }, 'm')
  t.notOk('made' in negative)
  const page = { status: 200, headers: {}, body: Buffer.from('<html>') }
  t.match(adapter.poll.read(page, [], channel), { failure: { blame: 'upstream' } })
})

t.test('a report concerns the task at whose address it arrives, or none', async (t) => {
  const noticed = (body: unknown) =>
    adapter.notice!(
      { method: 'POST', headers: {}, query: {}, body: Buffer.from(JSON.stringify(body)) },
      refOf('7'),
    )
  t.match(noticed(recorded('succeeded')), { ref: '7', state: 'succeeded' })
  t.match(noticed({ ...recorded('succeeded'), id: '7' }), { state: 'succeeded' })
  t.equal(noticed({ ...recorded('succeeded'), id: '8' }), undefined)
  t.equal(noticed(null), undefined)
})

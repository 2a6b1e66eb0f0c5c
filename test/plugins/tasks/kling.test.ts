/** Kling: what is submitted where and with which token, how its tasks are read, and what they are billed by. */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Progress, TaskAdapter, TaskContext, TaskRef } from '../../../kernel/contract/task.js'
import create from '../../../plugins/tasks/kling/index.js'
import { clipOf, type StrictKling, strictKling } from '../../kit/tasks/kling.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'

const adapter = create().operations.video as TaskAdapter
const channel = { id: 1, type: 50, baseUrl: 'https://api.klingai.com', settings: {} }
const key = { key: 'ak|sk' }
const now = 1_774_805_076_000
const picture = 'data:image/png;base64,iVBORw0KGgo='

function recorded(name: string): JsonObject {
  const file = new URL(`../../fixtures/tasks/kling/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function shaped(value: JsonObject, given?: TaskContext, model = 'kling-v1-6') {
  return adapter.shape({ kind: 'json', value: { model, ...value } }, channel, model, given)
}

function wireOf(value: JsonObject, given?: TaskContext, model?: string): JsonObject {
  const body = shaped(value, given, model)
  return body.kind === 'json' ? body.value : {}
}

function sent(upstream: StrictKling, value: JsonObject, given?: TaskContext, model = 'kling-v1-6') {
  const wire = shaped(value, given, model)
  const context = { now, forwarded: { headers: {} }, model, stream: false }
  const request = { ...adapter.address(wire, channel, key, context), body: bodyOf(wire) }
  return { reply: sentTo(upstream, request), wire }
}

function bodyOf(wire: ReturnType<typeof shaped>): string {
  return JSON.stringify(wire.kind === 'json' ? wire.value : null)
}

function submit(...args: Parameters<typeof sent>): TaskRef {
  const { reply, wire } = sent(...args)
  const found = adapter.submitted(reply, wire, 'kling-v1-6')
  if ('failure' in found) throw new Error(String(reply.body))
  return { ref: found.ref, action: 'generate', model: 'kling-v1-6', keep: found.keep ?? {} }
}

function polled(upstream: StrictKling, task: TaskRef): Progress {
  const reply = sentTo(upstream, adapter.poll.request([task], channel, key, { now }))
  const found = adapter.poll.read(reply, [task], channel)
  if ('failure' in found) throw new Error(String(reply.body))
  return found[0]!
}

function read(answer: unknown, ref = '867283741759111202', kind = 'text2video') {
  const task = { ref, action: 'generate', model: 'm', keep: { kind } }
  return adapter.poll.read(replied(answer), [task], channel)
}

const dimensions = { mode: 'std', audio: 'false', voice: 'false', video_input: 'false' }

t.test('a token is made of both halves of the key, by the time of the call', async (t) => {
  const context = { now, forwarded: { headers: {} }, model: 'kling-v1', stream: false }
  const call = (key: string) =>
    adapter.address(shaped({ prompt: 'x' }), channel, { key }, context).headers.authorization
  // HS256 of RFC 7515, over the header and claims the documentation names.
  const parts = [
    '{"alg":"HS256","typ":"JWT"}',
    `{"iss":"ak","exp":${now / 1000 + 1800},"nbf":${now / 1000 - 5}}`,
  ].map((part) => Buffer.from(part).toString('base64url'))
  const signature = createHmac('sha256', 'sk').update(parts.join('.')).digest('base64url')
  t.equal(call(' ak | sk '), `Bearer ${parts.join('.')}.${signature}`)
  t.equal(call('api-key'), 'Bearer api-key')
  const late = { ...context, now: now + 1_900_000 }
  const { url, headers } = adapter.address(shaped({ prompt: 'x' }), channel, key, late)
  t.equal(url, 'https://api.klingai.com/v1/videos/text2video')
  const reply = strictKling().handle('POST', '/v1/videos/text2video', headers, '{"prompt":"x"}')
  t.match(JSON.parse(String(reply.body)), { code: 1003 })
})

t.test('a clip is made of a text, watched and found', async (t) => {
  const upstream = strictKling()
  const task = submit(
    upstream,
    {
      prompt: 'A cat',
      negative_prompt: 'dogs',
      seconds: '10',
      size: '1920x1080',
      audio: true,
      watermark: false,
      metadata: {
        cfg_scale: 0.7,
        model_name: 'kling-v2-master',
        callback_url: 'https://mine.example',
      },
    },
    { callbackUrl: 'https://gateway.example/report/1' },
  )
  t.strictSame(upstream.last, {
    path: '/v1/videos/text2video',
    body: {
      model_name: 'kling-v1-6',
      prompt: 'A cat',
      negative_prompt: 'dogs',
      mode: 'pro',
      duration: '10',
      sound: 'on',
      watermark_info: { enabled: false },
      aspect_ratio: '16:9',
      cfg_scale: 0.7,
      callback_url: 'https://gateway.example/report/1',
    },
  })
  t.match(polled(upstream, task), { ref: task.ref, state: 'queued', word: 'submitted' })
  upstream.change(task.ref, { task_status: 'processing' })
  t.match(polled(upstream, task), { state: 'running', createdAt: now })
  upstream.finish(task.ref, '10.041')
  t.match(polled(upstream, task), {
    state: 'succeeded',
    made: { counts: { second: 10, piece: 1 } },
    results: [{ type: 'video', url: /^https:/, meta: { id: clipOf(task.ref), duration: 10.041 } }],
  })
  upstream.fail(task.ref, 'Failure to pass the risk control system')
  t.match(polled(upstream, task), { state: 'failed', reason: /risk control/ })
})

t.test('pictures lead to the address that takes them', async (t) => {
  const upstream = strictKling()
  const one = submit(upstream, {
    image: picture,
    image_tail: 'https://x.example/b.png',
    size: '1920x1080',
  })
  t.match(upstream.last, {
    path: '/v1/videos/image2video',
    body: { image: 'iVBORw0KGgo=', image_tail: 'https://x.example/b.png' },
  })
  t.notOk(upstream.last.body.aspect_ratio)
  t.equal(polled(upstream, one).state, 'queued')
  const several = submit(upstream, { prompt: 'x', images: [picture, 'https://x.example/b.png'] })
  t.match(upstream.last, {
    path: '/v1/videos/multi-image2video',
    body: { image_list: [{ image: 'iVBORw0KGgo=' }, { image: 'https://x.example/b.png' }] },
  })
  t.equal(polled(upstream, several).state, 'queued')
  const media = {
    prompt: 'x',
    image: picture,
    image_tail: 'https://x.example/b.png',
    video: 'https://x.example/c.mp4',
    seconds: 7,
  }
  submit(upstream, media, {}, 'kling-v3-omni')
  t.match(upstream.last, {
    path: '/v1/videos/omni-video',
    body: {
      image_list: [
        { image_url: 'iVBORw0KGgo=', type: 'first_frame' },
        { image_url: 'https://x.example/b.png', type: 'end_frame' },
      ],
      video_list: [{ video_url: 'https://x.example/c.mp4' }],
      duration: '7',
    },
  })
})

t.test('a clip is extended, and its lips move, by the id the service gave it', async (t) => {
  const upstream = strictKling()
  const first = submit(upstream, { prompt: 'x' })
  upstream.finish(first.ref)
  const { results = [] } = polled(upstream, first)
  const origin = { origin: { ...first, results } }
  const longer = submit(upstream, { action: 'extend', prompt: 'on' }, origin)
  t.match(upstream.last, { path: '/v1/videos/video-extend' })
  t.strictSame(upstream.last.body, { video_id: clipOf(first.ref), prompt: 'on' })
  upstream.finish(longer.ref, '10')
  t.notOk(polled(upstream, longer).made, 'the length of the whole is not what was made')
  const voice = { voice_id: 'uk_boy1', voice_language: 'en' }
  submit(upstream, { action: 'lip-sync', prompt: 'Hello', metadata: { input: voice } }, origin)
  t.strictSame(upstream.last, {
    path: '/v1/videos/lip-sync',
    body: { input: { video_id: clipOf(first.ref), mode: 'text2video', text: 'Hello', ...voice } },
  })
  const video = 'https://x.example/c.mp4'
  submit(upstream, { action: 'lip-sync', video, audio_url: 'data:audio/mpeg;base64,AAAA' })
  t.strictSame(upstream.last.body, {
    input: { video_url: video, mode: 'audio2video', audio_type: 'file', audio_file: 'AAAA' },
  })
  submit(upstream, { action: 'lip-sync', video, audio_url: 'https://x.example/a.mp3' })
  t.match(upstream.last.body, {
    input: { audio_type: 'url', audio_url: 'https://x.example/a.mp3' },
  })
  t.throws(() => shaped({ action: 'extend', prompt: 'x' }), {
    code: 'invalid_request',
    param: 'action',
  })
})

t.test('what a model cannot do is refused by its field', async (t) => {
  const images = Array.from({ length: 8 }, (_, at) => `https://x.example/${at}.png`)
  for (const [param, value, model] of [
    ['n', { n: 2 }],
    ['seconds', { seconds: 7 }],
    ['seconds', { seconds: 2 }, 'kling-v3'],
    ['seconds', { seconds: 12 }, 'kling-video-o1'],
    ['aspect_ratio', { aspect_ratio: '4:3' }],
    ['size', { size: '1024x768' }],
    ['video', { video: 'https://x.example/c.mp4' }],
    ['images', { images: images.slice(0, 5) }],
    ['image_tail', { images: images.slice(0, 2), image_tail: images[2] }],
    ['images', { images }, 'kling-v3-omni'],
    ['images', { images: images.slice(0, 5), video: 'https://x.example/c.mp4' }, 'kling-v3-omni'],
  ] as const) {
    t.throws(
      () => shaped({ prompt: 'x', ...(value as unknown as JsonObject) }, {}, model),
      { code: 'invalid_request', param },
      JSON.stringify(value),
    )
  }
  t.equal(wireOf({ prompt: 'x', seconds: 15 }, {}, 'kling-v3').duration, '15')
  t.equal(wireOf({ prompt: 'x', seconds: 7 }, {}, 'kling-v9').duration, '7')
})

t.test(
  '[BILL-6] what is billed is read from the call as it goes out, with the defaults',
  async (t) => {
    const counted = (value: JsonObject, model?: string) =>
      adapter.quantities(shaped({ prompt: 'x', ...value }, {}, model), 'm', { kind: 'none' })
    t.strictSame(counted({}), {
      counts: { second: 5, piece: 1 },
      dimensions: { kind: 'text2video', ...dimensions },
    })
    t.match(counted({ seconds: 10, mode: 'pro', audio: true }), {
      counts: { second: 10 },
      dimensions: { mode: 'pro', audio: 'true' },
    })
    t.match(counted({ resolution: '1080p' }), { dimensions: { mode: 'pro' } })
    t.match(counted({ metadata: { duration: 10, mode: 'pro', sound: 'on', voice_list: [{}] } }), {
      counts: { second: 10 },
      dimensions: { mode: 'pro', audio: 'true', voice: 'true' },
    })
    t.match(counted({ metadata: { duration: '-5' } }), { counts: { second: 5 } })
    t.match(counted({ image: picture }), { dimensions: { kind: 'image2video' } })
    t.match(counted({ video: 'https://x.example/c.mp4' }, 'kling-v3-omni'), {
      dimensions: { kind: 'omni-video', video_input: 'true' },
    })
    t.match(counted({ action: 'extend', metadata: { video_id: '1' } }), {
      counts: { second: 5 },
      dimensions: { kind: 'video-extend' },
    })
  },
)

t.test('answers are read as the service documents them', async (t) => {
  const found = adapter.submitted(replied(recorded('submitted')), shaped({ prompt: 'x' }), 'm')
  t.match(found, {
    ref: '867283741759111202',
    keep: { kind: 'text2video' },
    progress: { state: 'queued', word: 'submitted' },
  })
  t.match(read(recorded('succeeded')), [
    { state: 'succeeded', made: { counts: { second: 5, piece: 1 } }, updatedAt: 1774805176166 },
  ])
  const account = replied(recorded('account'))
  t.match(adapter.submitted(account, shaped({ prompt: 'x' }), 'm'), {
    failure: { blame: 'channel', status: 402 },
  })
  t.match(adapter.fail(429, {}, account.body), { blame: 'channel', status: 429 })
  const bad = replied({ code: 1201, message: 'duration is invalid' })
  t.match(adapter.fail(400, {}, bad.body), { blame: 'client', message: /duration is invalid/ })
  t.match(read({ code: 1303, message: 'slow down' }), {
    failure: { blame: 'channel', status: 429 },
  })
  t.match(read({ code: 5001, message: 'x' }), { failure: { blame: 'upstream', status: 503 } })
  const refused = sent(strictKling('other'), { prompt: 'x' }).reply
  t.match(adapter.fail(refused.status, {}, refused.body), { blame: 'channel', status: 401 })
})

t.test('a word that is not known is no failure, and another task is not this one', async (t) => {
  t.match(read({ code: 0, data: { task_id: '7', task_status: 'thinking' } }, '7'), [
    { state: 'unknown', word: 'thinking', reason: undefined },
  ])
  t.strictSame(read({ code: 0, data: { task_id: '8', task_status: 'failed' } }, '7'), [])
})

t.test('answers of any kind are read without a throw', async (t) => {
  const videos = [null, 4, { url: 'file:///x' }, { url: 'https://x.example/a', duration: -3 }]
  const task = { task_id: '7', task_status: 'succeed', created_at: -1, task_result: { videos } }
  const [hostile] = read({ code: 0, data: task }, '7') as readonly Progress[]
  t.equal(hostile?.results?.length, 1)
  t.notOk(hostile?.made)
  t.notOk(hostile?.createdAt)
  for (const answer of [{}, [], null, { code: 'x' }, 'text']) {
    t.match(read(answer), { failure: { blame: 'upstream' } })
    t.match(adapter.submitted(replied(answer), { kind: 'none' }, 'm'), { failure: {} })
  }
  for (const data of [null, [], { task_id: {} }, { task_id: '7', task_status: {} }]) {
    t.ok(Array.isArray(read({ code: 0, data }, '7')))
  }
  t.match(adapter.submitted(replied({ code: 0, data: {} }), { kind: 'none' }, 'm'), { failure: {} })
  const page = { status: 200, headers: {}, body: Buffer.from('<html>') }
  t.match(adapter.poll.read(page, [], channel), { failure: { blame: 'upstream' } })
  t.match(adapter.fail(502, {}, page.body), { blame: 'upstream', status: 502 })
})

t.test('a report concerns the task at whose address it arrives, or none', async (t) => {
  const { data } = recorded('succeeded') as { data: JsonObject }
  const noticed = (body: unknown, ref = '867283741759111202') =>
    adapter.notice!(
      { method: 'POST', headers: {}, query: {}, body: Buffer.from(JSON.stringify(body)) },
      { ref, action: 'generate', model: 'm', keep: {} },
    )
  t.match(noticed(data), { state: 'succeeded', results: [{ type: 'video' }] })
  t.match(noticed(recorded('succeeded')), { state: 'succeeded' })
  t.equal(noticed(data, '8'), undefined)
  t.equal(noticed('<html>'), undefined)
})

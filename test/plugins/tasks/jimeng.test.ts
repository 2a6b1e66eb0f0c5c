/** Jimeng: how calls are signed, which way a clip is made, how its tasks are read, and what they are billed by. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Progress, TaskAdapter, TaskRef } from '../../../kernel/contract/task.js'
import create from '../../../plugins/tasks/jimeng/index.js'
import { type StrictJimeng, strictJimeng } from '../../kit/tasks/jimeng.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'

const adapter = create().operations.video as TaskAdapter
const channel = { id: 1, type: 51, baseUrl: 'https://visual.volcengineapi.com', settings: {} }
const key = { key: 'ak | sk' }
const now = 1_774_805_076_000
const call = { now, forwarded: { headers: {} }, model: 'm', stream: false }
const picture = 'data:image/png;base64,iVBORw0KGgo='
const address = 'https://x.example/b.png'

function recorded(name: string): JsonObject {
  const file = new URL(`../../fixtures/tasks/jimeng/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function shaped(value: JsonObject, model = 'jimeng_v30') {
  return adapter.shape({ kind: 'json', value: { model, ...value } }, channel, model)
}

function submit(upstream: StrictJimeng, ...args: Parameters<typeof shaped>): TaskRef {
  const wire = shaped(...args)
  const reply = sentTo(upstream, adapter.address(wire, channel, key, call))
  const found = adapter.submitted(reply, wire, 'm')
  if ('failure' in found) throw new Error(String(reply.body))
  return { ref: found.ref, action: 'generate', model: 'm', keep: found.keep ?? {} }
}

function reported(upstream: StrictJimeng, task: TaskRef) {
  return sentTo(upstream, adapter.poll.request([task], channel, key, { now }))
}

function polled(upstream: StrictJimeng, task: TaskRef): Progress {
  const reply = reported(upstream, task)
  const found = adapter.poll.read(reply, [task], channel)
  if ('failure' in found) throw new Error(String(reply.body))
  return found[0]!
}

const seven: TaskRef = { ref: '7', action: 'generate', model: 'm', keep: {} }

function read(answer: unknown) {
  return adapter.poll.read(replied(answer), [seven], channel)
}

t.test('a call is signed as the vendor signs it', async (t) => {
  const vector = recorded('signature') as Record<string, string> & { now: number }
  const wire = shaped({ prompt: 'A cat' })
  const at = { ...call, now: vector.now }
  const request = adapter.address(wire, channel, { key: vector.key! }, at)
  t.equal(request.url, vector.url)
  t.equal(request.body, vector.body)
  t.match(request.headers, vector.headers)
  const plain = adapter.address(wire, channel, { key: 'one-key' }, call)
  t.equal(plain.headers.authorization, 'Bearer one-key')
  const early = adapter.address(wire, channel, key, { ...call, now: now - 3_600_000 })
  t.equal(sentTo(strictJimeng(), early).status, 401)
})

t.test('a clip is made of a text, watched and found', async (t) => {
  const upstream = strictJimeng()
  const task = submit(upstream, {
    prompt: 'A cat',
    seconds: 10,
    size: '1280x720',
    seed: 7,
    metadata: { req_key: 'jimeng_ti2v_v30_pro', model: 'x', callback_url: 'https://mine.example' },
  })
  t.strictSame(upstream.last.body, {
    req_key: 'jimeng_t2v_v30',
    prompt: 'A cat',
    frames: 241,
    seed: 7,
    aspect_ratio: '16:9',
  })
  t.match(polled(upstream, task), { state: 'queued', word: 'in_queue' })
  upstream.change(task.ref, { status: 'generating' })
  t.equal(polled(upstream, task).state, 'running')
  upstream.change(task.ref, { status: 'done', video_url: 'https://v26.example/clip?a=1' })
  t.match(polled(upstream, task), {
    state: 'succeeded',
    results: [{ type: 'video', url: 'https://v26.example/clip?a=1' }],
  })
  upstream.change(task.ref, { status: 'expired' })
  t.match(polled(upstream, task), { state: 'failed', reason: 'expired' })
  t.match(polled(upstream, { ...task, ref: '8' }), { state: 'failed', reason: 'not_found' })
})

t.test('pictures choose the way of a version', async (t) => {
  const upstream = strictJimeng()
  const wayOf = (value: JsonObject, model?: string) => {
    submit(upstream, { prompt: 'x', ...value }, model)
    return upstream.last.body.req_key
  }
  t.equal(wayOf({ image: picture }), 'jimeng_i2v_first_v30')
  t.strictSame(upstream.last.body.binary_data_base64, ['iVBORw0KGgo='])
  t.equal(wayOf({ images: [address, address] }), 'jimeng_i2v_first_tail_v30')
  t.strictSame(upstream.last.body.image_urls, [address, address])
  const both = { image: address, image_tail: address, size: '1280x720' }
  t.equal(wayOf(both, 'jimeng_v30_1080p'), 'jimeng_i2v_first_tail_v30_1080')
  t.notOk(upstream.last.body.aspect_ratio)
  t.equal(wayOf({}, 'jimeng_v30_1080p'), 'jimeng_t2v_v30_1080p')
  t.equal(wayOf({ image: address }, 'jimeng_v30_pro'), 'jimeng_ti2v_v30_pro')
  const camera = { template_id: 'hitchcock_dolly_in', camera_strength: 'weak' }
  t.equal(
    wayOf({ image: address, metadata: camera }, 'jimeng_i2v_recamera_v30'),
    'jimeng_i2v_recamera_v30',
  )
  t.match(upstream.last.body, camera)
  t.equal(wayOf({ seconds: 5 }, 'jimeng_vgfm_t2v_l20'), 'jimeng_vgfm_t2v_l20')
  t.notOk(upstream.last.body.frames)
})

t.test('what a model cannot do is refused by its field', async (t) => {
  const images = [address, address, address]
  for (const [param, value, model] of [
    ['n', { n: 2 }],
    ['video', { video: 'https://x.example/c.mp4' }],
    ['seconds', { seconds: 7 }],
    ['seconds', { seconds: 10 }, 'jimeng_vgfm_t2v_l20'],
    ['aspect_ratio', { aspect_ratio: '5:4' }],
    ['size', { size: '1280x1024' }],
    ['images', { images }],
    ['images', { image: address }, 'jimeng_t2v_v30'],
    ['image_tail', { image: address, image_tail: address }, 'jimeng_v30_pro'],
    ['image', { image_tail: address }],
    ['images', { images: [address, picture] }],
    ['images', { images: [address, address] }, 'constructor_i2v_first_x'],
  ] as const) {
    t.throws(
      () => shaped({ prompt: 'x', ...(value as unknown as JsonObject) }, model),
      { code: 'invalid_request', param },
      JSON.stringify(value),
    )
  }
  t.match(shaped({ prompt: 'x', seconds: 2 }, 'other'), { value: { req_key: 'other', frames: 49 } })
})

t.test(
  '[BILL-6] what is billed is read from the call as it goes out, with the defaults',
  async (t) => {
    const counted = (value: JsonObject, model?: string) =>
      adapter.quantities(shaped({ prompt: 'x', ...value }, model), 'm', { kind: 'none' })
    t.strictSame(counted({}), {
      counts: { second: 5, piece: 1 },
      dimensions: { way: 'jimeng_t2v_v30', resolution: '720p' },
    })
    t.match(counted({ seconds: 10 }, 'jimeng_v30_pro'), {
      counts: { second: 10 },
      dimensions: { way: 'jimeng_ti2v_v30_pro', resolution: '1080p' },
    })
    t.match(counted({ image: address, metadata: { frames: 241 } }, 'jimeng_v30_1080p'), {
      counts: { second: 10 },
      dimensions: { resolution: '1080p' },
    })
    t.match(counted({ metadata: { frames: -9 } }), { counts: { second: 5 } })
    t.strictSame(counted({}, 'other').dimensions, { way: 'other' })
  },
)

t.test('answers are read as the service documents them', async (t) => {
  t.strictSame(adapter.submitted(replied(recorded('submitted')), shaped({ prompt: 'x' }), 'm'), {
    ref: '7602141718759103050',
    keep: { req_key: 'jimeng_t2v_v30' },
  })
  t.match(read(recorded('done')), [{ ref: '7', state: 'succeeded', results: [{ type: 'video' }] }])
  const signature = replied(recorded('key')).body
  t.match(adapter.fail(400, {}, signature), { blame: 'channel' })
  t.match(read(recorded('key')), { failure: { blame: 'channel' } })
  t.match(read({ code: 50429, message: 'x' }), { failure: { blame: 'channel', status: 429 } })
  t.match(read({ code: 50400, message: 'Access Denied' }), { failure: { blame: 'channel' } })
  t.match(read({ code: 50500, message: 'x' }), { failure: { blame: 'upstream', status: 500 } })
  const filter = replied({ code: 50520, message: 'Risk Internal Error' }, 400)
  t.match(adapter.fail(400, {}, filter.body), { blame: 'upstream' })
  t.equal(adapter.poll.readRefusal!(filter, seven), undefined)
  const invalid = replied({ code: 50215, message: 'Input invalid for this service' })
  t.match(adapter.submitted(invalid, { kind: 'none' }, 'm'), {
    failure: { blame: 'client', message: /Input invalid/ },
  })
  const refused = sentTo(
    strictJimeng('other'),
    adapter.address(shaped({ prompt: 'x' }), channel, key, call),
  )
  t.match(adapter.fail(refused.status, {}, refused.body), { blame: 'channel', status: 401 })
})

t.test('what the content filter stops ends a task, whatever the status', async (t) => {
  const upstream = strictJimeng()
  const task = submit(upstream, { prompt: 'x' })
  upstream.stop(task.ref, 50511, 'Post Img Risk Not Pass')
  const reply = reported(upstream, task)
  t.equal(reply.status, 400)
  t.match(adapter.poll.readRefusal!(reply, task), {
    ref: task.ref,
    state: 'failed',
    reason: 'Post Img Risk Not Pass',
  })
  t.match(read(recorded('stopped')), [{ state: 'failed', reason: 'Pre Img Risk Not Pass' }])
  for (const answer of [{ code: 50429 }, { code: 50500 }, {}, null, recorded('key')]) {
    t.equal(adapter.poll.readRefusal!(replied(answer, 400), task), undefined)
  }
})

t.test('answers of any kind are read without a throw', async (t) => {
  t.match(read({ code: 10000, data: { status: 'dreaming' } }), [
    { state: 'unknown', word: 'dreaming' },
  ])
  t.match(read({ code: 10000, data: null }), [{ state: 'unknown' }])
  t.strictSame(read({ code: 10000, data: { task_id: '8', status: 'done' } }), [])
  const [strange] = read({
    code: 10000,
    data: { status: 'done', video_url: 'file:///x' },
  }) as readonly Progress[]
  t.notOk(strange?.results)
  for (const answer of [{}, [], null, 'text', { code: {} }, { ResponseMetadata: 4 }]) {
    t.match(read(answer), { failure: { blame: 'upstream' } })
    t.match(adapter.submitted(replied(answer), { kind: 'none' }, 'm'), { failure: {} })
  }
  t.match(adapter.submitted(replied({ code: 10000 }), { kind: 'none' }, 'm'), { failure: {} })
  const page = { status: 200, headers: {}, body: Buffer.from('<html>') }
  t.match(adapter.poll.read(page, [], channel), { failure: { blame: 'upstream' } })
})

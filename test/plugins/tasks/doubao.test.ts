/** Doubao video: what is submitted, how its tasks are read, and which tokens they are billed by. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Progress, TaskAdapter, TaskContext, TaskRef } from '../../../kernel/contract/task.js'
import create from '../../../plugins/tasks/doubao/index.js'
import { type StrictDoubao, strictDoubao } from '../../kit/tasks/doubao.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'

const adapter = create().operations.video as TaskAdapter
const channel = { id: 1, type: 54, baseUrl: 'https://ark.cn-beijing.volces.com', settings: {} }
const key = { key: ' ark-key ' }
const call = { now: 0, forwarded: { headers: {} }, model: 'm', stream: false }
const pro = 'doubao-seedance-1-0-pro-250528'
const audible = 'doubao-seedance-1-5-pro-251215'
const lite = 'doubao-seedance-1-0-lite-i2v-250428'
const second = 'doubao-seedance-2-0-260128'
const picture = 'data:image/png;base64,iVBORw0KGgo='
const address = 'https://x.example/b.png'

function recorded(name: string): JsonObject {
  const file = new URL(`../../fixtures/tasks/doubao/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function shaped(value: JsonObject, model = second, given?: TaskContext) {
  return adapter.shape({ kind: 'json', value: { model, ...value } }, channel, model, given)
}

function wireOf(...args: Parameters<typeof shaped>): JsonObject {
  const body = shaped(...args)
  return body.kind === 'json' ? body.value : {}
}

function refOf(ref: string): TaskRef {
  return { ref, action: 'generate', model: second, keep: {} }
}

function submit(upstream: StrictDoubao, ...args: Parameters<typeof shaped>): TaskRef {
  const wire = shaped(...args)
  const request = adapter.address(wire, channel, key, call)
  const body = JSON.stringify(wireOf(...args))
  const reply = sentTo(upstream, { ...request, body })
  const found = adapter.submitted(reply, wire, second)
  if ('failure' in found) throw new Error(String(reply.body))
  return refOf(found.ref)
}

function polled(upstream: StrictDoubao, task: TaskRef): Progress {
  const reply = sentTo(upstream, adapter.poll.request([task], channel, key, { now: 0 }))
  const found = adapter.poll.read(reply, [task], channel)
  if ('failure' in found) throw new Error(String(reply.body))
  return found[0]!
}

function read(answer: unknown, ref = 'cgt-20260521153338-abcde') {
  return adapter.poll.read(replied(answer), [refOf(ref)], channel)
}

t.test('a clip is made of a text, watched and found', async (t) => {
  const upstream = strictDoubao()
  const task = submit(
    upstream,
    {
      prompt: 'A cat',
      seconds: 10,
      size: '1024x1024',
      seed: 7,
      watermark: false,
      audio: true,
      metadata: { service_tier: 'flex', model: pro, callback_url: 'https://mine.example' },
    },
    second,
    { callbackUrl: 'https://gateway.example/report/1' },
  )
  t.strictSame(upstream.last.body, {
    model: second,
    content: [{ type: 'text', text: 'A cat' }],
    resolution: '720p',
    ratio: '1:1',
    duration: 10,
    seed: 7,
    watermark: false,
    generate_audio: true,
    callback_url: 'https://gateway.example/report/1',
    service_tier: 'flex',
  })
  t.match(polled(upstream, task), { state: 'queued', createdAt: 1779348818000, made: undefined })
  upstream.change(task.ref, { status: 'running' })
  t.equal(polled(upstream, task).state, 'running')
  upstream.finish(task.ref, 216_900)
  t.match(polled(upstream, task), {
    state: 'succeeded',
    made: { counts: { token: 216_900, second: 10 }, dimensions: { resolution: '720p' } },
    results: [{ type: 'video', url: /^https:/, meta: { duration: 10 } }],
  })
})

t.test(
  'pictures, clips and sounds have the role their number and the model give them',
  async (t) => {
    const upstream = strictDoubao()
    const rolesOf = (value: JsonObject, model?: string) => {
      submit(upstream, { prompt: 'x', ...value }, model)
      const { content } = upstream.last.body as unknown as { content: { role?: string }[] }
      return content.flatMap(({ role }) => role ?? [])
    }
    t.strictSame(rolesOf({ image: picture }), ['first_frame'])
    t.strictSame(rolesOf({ image: picture, image_tail: address }), ['first_frame', 'last_frame'])
    t.strictSame(rolesOf({ images: [picture, address] }), ['reference_image', 'reference_image'])
    t.strictSame(rolesOf({ images: [picture, address] }, pro), ['first_frame', 'last_frame'])
    const media = {
      image: address,
      video: 'https://x.example/c.mp4',
      audio_url: 'data:audio/mpeg;base64,AAAA',
    }
    t.strictSame(rolesOf(media), ['reference_image', 'reference_video', 'reference_audio'])
    const part = { type: 'image_url', image_url: { url: address }, role: 'reference_image' }
    t.strictSame(wireOf({ prompt: 'x', metadata: { content: [part] } }).content, [
      { type: 'text', text: 'x' },
      part,
    ])
    const text = { type: 'text', text: 'y' }
    t.strictSame(wireOf({ prompt: 'x', metadata: { content: [text] } }).content, [text])
  },
)

t.test('what a model cannot do is refused by its field', async (t) => {
  const images = Array.from({ length: 10 }, (_, at) => `https://x.example/${at}.png`)
  for (const [param, value, model] of [
    ['n', { n: 2 }, second],
    ['seconds', { seconds: 3 }, second],
    ['seconds', { seconds: 13 }, audible],
    ['seconds', { seconds: 5.5 }, pro],
    ['aspect_ratio', { aspect_ratio: '5:4' }, second],
    ['size', { size: '1280x1024' }, second],
    ['images', { images }, second],
    ['images', { images: images.slice(5) }, lite],
    ['images', { images: images.slice(7) }, pro],
    ['images', { images: images.slice(8), image_tail: address }, second],
    ['video', { video: 'data:video/mp4;base64,AAAA' }, second],
  ] as const) {
    t.throws(
      () => shaped({ prompt: 'x', ...(value as unknown as JsonObject) }, model),
      { code: 'invalid_request', param },
      JSON.stringify(value),
    )
  }
  t.equal(wireOf({ prompt: 'x', seconds: 30, resolution: '2K' }, 'ep-1').resolution, '2k')
})

t.test(
  '[BILL-6] what is billed is read from the call as it goes out, with the defaults',
  async (t) => {
    const counted = (value: JsonObject, model: string = second) =>
      adapter.quantities(shaped({ prompt: 'x', ...value }, model), model, { kind: 'none' })
    // The documentation's own examples: 5 s in 720p and in 1080p.
    t.strictSame(counted({ aspect_ratio: '16:9', resolution: '720p', seconds: 5 }), {
      counts: { second: 5, piece: 1, token: 108_900 },
      dimensions: {
        resolution: '720p',
        audio: 'true',
        video_input: 'false',
        tier: 'default',
        draft: 'false',
      },
    })
    t.match(counted({}, pro), {
      counts: { second: 5, token: 246_840 },
      dimensions: { resolution: '1080p', audio: 'false' },
    })
    t.equal(
      counted({ size: '720x1280' }).counts.token,
      108_900,
      'upright clips have the same pixels',
    )
    const shapeless = Math.ceil((1112 * 834 * 121) / 1024)
    t.equal(counted({}).counts.token, shapeless, 'the largest shape where the model chooses it')
    t.match(counted({ metadata: { duration: -1 } }), { counts: { second: 15 } })
    t.match(counted({ metadata: { duration: -1 } }, audible), { counts: { second: 12 } })
    t.match(counted({ metadata: { frames: 48 } }, pro), { counts: { second: 2 } })
    t.match(counted({ metadata: { duration: 'x' } }, pro), { counts: { second: 5 } })
    t.match(counted({ prompt: 'x --dur 10 --rs 480p --rt 1:1' }, pro), {
      counts: { second: 10, token: Math.ceil((640 * 640 * 241) / 1024) },
      dimensions: { resolution: '480p' },
    })
    t.match(counted({ prompt: 'x --duration 12', seconds: 4 }, pro), { counts: { second: 12 } })
    t.match(
      counted({
        video: 'https://x.example/c.mp4',
        audio: false,
        metadata: { service_tier: 'flex', draft: true },
      }),
      { dimensions: { audio: 'false', video_input: 'true', tier: 'flex', draft: 'true' } },
    )
    t.strictSame(Object.keys(counted({ resolution: '8k' }).counts), ['second', 'piece'])
  },
)

t.test('[CHAN-4] tokens of a finished task are read for billing', async (t) => {
  t.match(read(recorded('succeeded')), [
    { state: 'succeeded', made: { counts: { token: 108_900, second: 5 } } },
  ])
  const made = (fields: JsonObject) =>
    (read({ ...recorded('succeeded'), ...fields }) as readonly Progress[])[0]?.made
  t.match(made({ usage: { completion_tokens: 5, total_tokens: 9 } }), { counts: { token: 5 } })
  t.match(made({ usage: { total_tokens: 7 } }), { counts: { token: 7 } })
  t.strictSame(made({ usage: { completion_tokens: -1 }, duration: 5 })?.counts, { second: 5 })
  t.match(made({ duration: null, frames: 48 } as unknown as JsonObject), { counts: { second: 2 } })
  t.equal(
    made({ usage: 'x', duration: {}, resolution: 4, framespersecond: 0 })?.counts?.token,
    undefined,
  )
})

t.test('a task that failed or ran out of time states why', async (t) => {
  t.match(read(recorded('failed')), [{ state: 'failed', reason: /sensitive information/ }])
  for (const status of ['cancelled', 'expired']) {
    t.match(read({ id: '7', status, error: null }, '7'), [{ state: 'failed', reason: status }])
  }
  t.match(read({ id: '7', status: 'dreaming' }, '7'), [{ state: 'unknown', word: 'dreaming' }])
})

t.test('a task is cancelled while it is queued', async (t) => {
  const upstream = strictDoubao()
  const task = submit(upstream, { prompt: 'x' })
  const cancel = () => sentTo(upstream, adapter.cancel!(task, channel, key, { now: 0 }))
  upstream.change(task.ref, { status: 'running' })
  t.equal(cancel().status, 409)
  upstream.change(task.ref, { status: 'queued' })
  t.equal(cancel().status, 200)
  t.equal(polled(upstream, task).state, 'failed')
})

t.test('refusals are the fault of whom they name', async (t) => {
  const { body } = replied(recorded('refused'))
  t.match(adapter.fail(400, {}, body), { blame: 'client', param: 'duration', message: /not valid/ })
  const overloaded = replied({ error: { code: 'ServerOverloaded', message: 'x' } }).body
  t.match(adapter.fail(429, {}, overloaded), { blame: 'upstream', status: 429 })
  t.match(adapter.fail(404, {}, replied({ error: { code: 'ModelNotOpen' } }).body), {
    blame: 'channel',
  })
  t.match(adapter.submitted(replied(recorded('refused')), { kind: 'none' }, 'm'), {
    failure: { blame: 'client' },
  })
  const request = adapter.address(shaped({ prompt: 'x' }), channel, { key: 'other' }, call)
  const refused = sentTo(strictDoubao(), request)
  t.match(adapter.fail(refused.status, {}, refused.body), { blame: 'channel', status: 401 })
})

t.test('a base URL out of the documentation is taken as well', async (t) => {
  for (const base of [
    'https://ark.example',
    'https://ark.example/api/v3/',
    'https://ark.example/api',
  ]) {
    const { url } = adapter.poll.request([refOf('a/b')], { ...channel, baseUrl: base }, key, {
      now: 0,
    })
    t.equal(url, 'https://ark.example/api/v3/contents/generations/tasks/a%2Fb')
  }
})

t.test('answers of any kind are read without a throw', async (t) => {
  for (const answer of [{}, [], null, 'text', { id: {} }, { error: 'x' }, { error: [] }]) {
    t.match(read(answer), { failure: { blame: 'upstream' } })
    t.match(adapter.submitted(replied(answer), { kind: 'none' }, 'm'), { failure: {} })
  }
  t.strictSame(read({ id: '8', status: 'failed' }, '7'), [])
  const strange = { id: '7', status: 'succeeded', content: { video_url: 'file:///x' }, usage: [] }
  const [progress] = read(strange, '7') as readonly Progress[]
  t.notOk(progress?.results)
  t.notOk(progress?.made)
  const page = { status: 200, headers: {}, body: Buffer.from('<html>') }
  t.match(adapter.poll.read(page, [], channel), { failure: { blame: 'upstream' } })
})

t.test('a report concerns the task at whose address it arrives, or none', async (t) => {
  const noticed = (body: unknown, ref: string) =>
    adapter.notice!(
      { method: 'POST', headers: {}, query: {}, body: Buffer.from(JSON.stringify(body)) },
      refOf(ref),
    )
  t.match(noticed(recorded('succeeded'), 'cgt-20260521153338-abcde'), { state: 'succeeded' })
  t.equal(noticed(recorded('succeeded'), '8'), undefined)
  t.equal(noticed(null, '8'), undefined)
})

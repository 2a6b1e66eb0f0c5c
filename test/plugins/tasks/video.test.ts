/** The generic protocol: another gateway by the defaults, anything else by the settings of the channel. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { Json, JsonObject } from '../../../kernel/contract/json.js'
import type { ChannelView } from '../../../kernel/contract/provider.js'
import type { Progress, TaskAdapter, TaskRef } from '../../../kernel/contract/task.js'
import { readManifest } from '../../../kernel/registry/manifest.js'
import create from '../../../plugins/tasks/video/index.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'
import { type StrictVideo, strictVideo } from '../../kit/tasks/video.js'
import { channelArea } from '../management/channel-area.js'
import { managementFixture } from '../management/management-fixture.js'

const beside = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const manifest = readManifest(beside('../../../plugins/tasks/video/manifest.json'), 'manifest.json')
const [type] = manifest.channelTypes
const defaults = Object.fromEntries(
  manifest.channelSettings.map(({ name, default: usual }) => [name, usual as Json]),
)
const provider = create()
const adapter = provider.operations.video as TaskAdapter
const channel = channelOf({})
const key = { key: ' sk-test ' }
const context = { now: 0, forwarded: { headers: {} }, model: 'm', stream: false }
const picture = 'data:image/png;base64,iVBORw0KGgo='

function channelOf(settings: JsonObject): ChannelView {
  return {
    id: 1,
    type: type!.id,
    baseUrl: 'https://up.example',
    settings: { ...defaults, ...settings },
  }
}

function shaped(value: JsonObject, over: ChannelView = channel) {
  return adapter.shape(
    { kind: 'json', value: { model: 'm', prompt: 'A cat', ...value } },
    over,
    'm',
  )
}

function sentBody(value: JsonObject, over: ChannelView = channel): JsonObject {
  return JSON.parse(String(adapter.address(shaped(value, over), over, key, context).body))
}

function submit(upstream: StrictVideo, value: JsonObject): TaskRef {
  const wire = shaped(value)
  const reply = sentTo(upstream, adapter.address(wire, channel, key, context))
  const found = adapter.submitted(reply, wire, 'm')
  if ('failure' in found) throw new Error(String(reply.body))
  return { ref: found.ref, action: 'generate', model: 'm', keep: {} }
}

function polled(upstream: StrictVideo, task: TaskRef): Progress {
  const reply = sentTo(upstream, adapter.poll.request([task], channel, key, { now: 0 }))
  const found = adapter.poll.read(reply, [task], channel)
  if ('failure' in found) throw new Error(String(reply.body))
  return found[0]!
}

function read(answer: unknown, ref: string, over: ChannelView = channel) {
  const task = { ref, action: 'generate', model: 'm', keep: {} }
  return adapter.poll.read(replied(answer), [task], over)
}

function counted(value: JsonObject, over?: ChannelView) {
  return adapter.quantities(shaped(value, over), 'm', { kind: 'none' })
}

t.test('[CHAN-4] another gateway of the family is an upstream as it is', async (t) => {
  for (const enveloped of [true, false]) {
    const upstream = strictVideo('sk-test', enveloped)
    const task = submit(upstream, { seconds: '10', size: '1280x720', metadata: { cfg_scale: 0.5 } })
    t.strictSame(upstream.last, {
      model: 'm',
      prompt: 'A cat',
      duration: 10,
      size: '1280x720',
      width: 1280,
      height: 720,
      metadata: { cfg_scale: 0.5 },
    })
    t.match(polled(upstream, task), { ref: task.ref, state: 'queued', word: 'SUBMITTED' })
    upstream.change(task.ref, { status: 'IN_PROGRESS', progress: '40%' })
    t.match(polled(upstream, task), { state: 'running', percent: 40 })
    upstream.fail(task.ref, 'It was blocked.')
    t.match(polled(upstream, task), { state: 'failed', reason: 'It was blocked.' })
    upstream.finish(task.ref, 'https://cdn.example/a.mp4')
    t.match(polled(upstream, task), {
      state: 'succeeded',
      percent: 100,
      results: [{ type: 'video', url: 'https://cdn.example/a.mp4' }],
    })
  }
})

t.test('[CHAN-4] the times and the tokens of an answer are read at their paths', async (t) => {
  const upstream = strictVideo()
  const task = submit(upstream, {})
  upstream.finish(task.ref, 'https://cdn.example/a.mp4')
  t.match(polled(upstream, task), {
    createdAt: 1_764_064_000_000,
    updatedAt: 1_764_064_090_000,
    made: { counts: { token: 108_900 } },
  })
  const usage = JSON.parse(beside('../../fixtures/tasks/video/usage.json'))
  const found = { createdAt: 1_750_766_730_771, updatedAt: 1_750_766_738_772 }
  t.match(read(usage, usage.task_id), [{ ...found, made: { counts: { token: 246_840 } } }])
  const total = { id: 'a', status: 'done', usage: { completion_tokens: 0, total_tokens: '7' } }
  t.match(read(total, 'a'), [{ made: { counts: { token: 7 } } }])
  const paths = { created_at_path: 'times.0', updated_at_path: 'times.1' }
  const answer = { id: 'a', status: 'done', created_at: 5, times: ['2026-11-25T00:00:00Z', 1e12] }
  const times = { createdAt: Date.UTC(2026, 10, 25), updatedAt: 1e12 }
  t.match(read(answer, 'a', channelOf(paths)), [times])
  t.match(read(answer, 'a', channelOf({ video_task: paths })), [times], 'in the object as well')
  t.notOk(
    (read({ id: 'a', status: 'done', usage: { total_tokens: -3 } }, 'a') as Progress[])[0]!.made,
  )
})

t.test('[CHAN-4] unknown fields of the settings survive a save of the channel', async (t) => {
  const gateway = await managementFixture(t, [
    { ...type!, plugin: manifest.id, fields: manifest.channelSettings },
  ])
  const { create: made, update, stored } = channelArea(gateway)
  const vendor_extension = { kept: [1, null, { deep: '' }] }
  const settings = {
    submit_path: '/jobs',
    vendor_extension,
    video_task: { created_at_path: 'at', vendor_extension, and: 'more' },
  }
  const base_url = 'https://up.example'
  const { id } = await made({ type: type!.id, base_url, settings })
  t.strictSame((await stored(id)).settings, settings)
  const { failed_words, ...rest } = { ...settings, failed_words: ['bad'] }
  await update(id, { settings: { ...rest, failed_words } })
  t.strictSame((await stored(id)).settings, { ...settings, failed_words: ['bad'] })
  await update(id, { name: 'renamed' })
  t.strictSame((await stored(id)).settings, { ...settings, failed_words: ['bad'] })
  t.match(gateway.channels.get(id)?.settings, { ...defaults, ...settings, failed_words: ['bad'] })
  await t.rejects(update(id, { settings: { failed_words: [5] } }), { code: 'invalid_field' })
  await t.rejects(made({ type: type!.id, settings }), { code: 'invalid_field', param: 'base_url' })
})

t.test('everything of the protocol is a setting', async (t) => {
  const own = channelOf({
    submit_path: '/jobs?v=2',
    poll_path: '/jobs/{task_id}/state?of={task_id}',
    auth_header: 'X-Key',
    auth_prefix: '',
    metadata: 'merged',
    id_path: 'job.no',
    state_path: 'job.phase',
    url_path: 'job.files',
    error_path: 'job.why',
    progress_path: 'job.part',
    usage_path: 'job.cost',
    seconds_path: 'job.length',
    queued_words: ['w'],
    running_words: ['r'],
    succeeded_words: ['s'],
    failed_words: ['f'],
  })
  const request = adapter.address(shaped({}, own), own, key, context)
  t.match(request, { url: 'https://up.example/jobs?v=2', headers: { 'x-key': 'sk-test' } })
  t.notOk(request.headers.authorization)
  t.match(sentBody({ metadata: { style: 'x', model: 'dear', prompt: 'B' } }, own), {
    style: 'x',
    model: 'm',
    prompt: 'B',
  })
  const answer = { job: { no: 7 }, task_id: 'other' }
  t.match(adapter.submitted(replied(answer), shaped({}, own), 'm'), { ref: '7' })
  const task = { ref: 'a/b', action: 'generate', model: 'm', keep: {} }
  const poll = adapter.poll.request([task], own, key, { now: 0 })
  t.match(poll, { method: 'GET', url: 'https://up.example/jobs/a%2Fb/state?of=a%2Fb' })
  const job = {
    no: 7,
    part: 0.5,
    files: ['https://x.example/a', 5, { url: 'https://x.example/b' }],
  }
  t.match(read({ job: { ...job, phase: 'r' } }, '7', own), [{ state: 'running', percent: 0.5 }])
  const done = { ...job, phase: 'S', length: '9.5', cost: { total_tokens: 3 } }
  t.match(read({ job: done }, '7', own), [
    {
      state: 'succeeded',
      results: [{ url: 'https://x.example/a' }, { url: 'https://x.example/b' }],
      made: { counts: { token: 3, second: 9.5 } },
    },
  ])
  t.match(read({ job: { ...job, phase: 'f', why: 'no' } }, '7', own), [{ reason: 'no' }])
  t.match(read({ job: { ...job, phase: 'completed' } }, '7', own), [{ state: 'unknown' }])
})

t.test('settings that lead nowhere are refused', async (t) => {
  t.equal(provider.faultOf!(defaults), undefined)
  for (const [field, value] of [
    ['submit_path', 'jobs'],
    ['submit_path', '//evil.example/jobs'],
    ['poll_path', '/jobs'],
    ['auth_header', 'host'],
    ['auth_header', 'a b'],
    ['auth_prefix', 'a\nb'],
    ['state_path', 'a..b'],
    ['url_path', 'a,*'],
  ] as const) {
    const fault = provider.faultOf!({ ...defaults, [field]: value })
    t.match(fault, new RegExp(`"${field}"`), `${field}: ${value}`)
    t.equal(provider.faultOf!({ ...defaults, video_task: { [field]: value } }), fault)
  }
})

t.test("the key is sent to the channel's own address and nowhere else", async (t) => {
  const url = 'https://up.example/v1/videos/task_1/content'
  const [progress] = read({ id: 'a', status: 'completed', url }, 'a') as readonly Progress[]
  const [clip] = progress!.results!
  t.strictSame(clip, { type: 'video', url, keyed: true })
  const task = { ref: 'a', action: 'generate', model: 'm', keep: {} }
  const headers = (of: string) =>
    adapter.content!(task, { type: 'video', url: of }, channel, key, { now: 0 }).headers
  t.equal(headers(url).authorization, 'Bearer sk-test')
  for (const other of ['https://up.example.evil.example/a', 'http://up.example/a', 'nowhere']) {
    t.notOk(headers(other).authorization, other)
  }
})

t.test('what the client left out stays out, a length aside', async (t) => {
  t.strictSame(sentBody({}), { model: 'm', prompt: 'A cat', duration: 5 })
  t.strictSame(sentBody({}, channelOf({ default_seconds: 0 })), { model: 'm', prompt: 'A cat' })
  const url = 'https://x.example/b.png'
  const media = { images: [picture, url], image_tail: url, video: url, audio_url: url }
  const more = { fps: 24, seed: 0, mode: 'pro', audio: false, watermark: true, user: 'u', n: 2 }
  const worded = { resolution: '720p', aspect_ratio: '16:9', negative_prompt: 'x' }
  t.strictSame(sentBody({ ...media, ...more, ...worded, duration: 8 }), {
    model: 'm',
    prompt: 'A cat',
    image: picture,
    duration: 8,
    ...media,
    ...more,
    ...worded,
  })
  t.strictSame(sentBody({ image: picture }).image, picture)
  t.throws(() => shaped({ image: 'ftp://x' }), { code: 'invalid_request', param: 'image' })
})

t.test('what goes out is what is counted', async (t) => {
  t.strictSame(counted({}), {
    counts: { second: 5, piece: 1, token: 108_000 },
    dimensions: {},
  })
  t.strictSame(counted({}, channelOf({ default_seconds: 0 })).counts, { piece: 1 })
  t.strictSame(counted({ seconds: '10', n: 2, size: '1920x1080', mode: 'pro', audio: true }), {
    counts: { second: 20, piece: 2, token: 972_000 },
    dimensions: { size: '1920x1080', resolution: '1080p', mode: 'pro', audio: 'true' },
  })
  const own = { duration: '60s', parameters: { sampleCount: 2 }, resolution: '4k', mode: 'pro' }
  t.match(counted({ metadata: own, resolution: '720p', mode: 'std' }), {
    counts: { second: 120, piece: 2 },
    dimensions: { resolution: '4k', mode: 'pro' },
  })
  t.match(counted({ seconds: 10, metadata: { duration: 1 } }), { counts: { second: 10 } })
  t.match(counted({ resolution: '4k' }), { dimensions: { resolution: '4k' } })
  const merged = channelOf({ metadata: 'merged' })
  t.match(counted({ metadata: { duration: 60, n: 3 } }, merged), { counts: { second: 180 } })
  t.match(counted({ metadata: { duration: -60, n: -3 } }, merged), { counts: { piece: 1 } })
})

t.test('an answer that names no state is no verdict over a task', async (t) => {
  const whole = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text) })
  const task = { ref: 'a', action: 'generate', model: 'm', keep: {} }
  for (const text of ['', '<html>', 'null', '[]', '{}', '{"task_id":{}}', '"a"', '{"data":[]}']) {
    t.match(adapter.submitted(whole(text), shaped({}), 'm'), { failure: { status: 200 } }, text)
    t.match(adapter.poll.read(whole(text), [task], channel), { failure: { status: 200 } }, text)
  }
  const error = { code: 'task_not_exist', message: 'no such task' }
  t.match(read(error, 'a'), { failure: { blame: 'upstream', upstreamMessage: /no such task/ } })
  t.strictSame(read({ id: 'b', status: 'failed' }, 'a'), [])
  t.match(read({ status: 'failed' }, 'a'), [{ ref: 'a', state: 'failed', reason: 'failed' }])
  t.match(read({ id: 'a', status: 'paused' }, 'a'), [{ state: 'unknown', word: 'paused' }])
  const odd = { id: 'a', status: 'done', url: ['javascript:x', null, {}], progress: '-9%' }
  t.match(read(odd, 'a'), [{ state: 'succeeded', percent: 0 }])
  t.notOk((read(odd, 'a') as readonly Progress[])[0]!.results)
  t.match(read(JSON.parse('{"__proto__":{"status":"done"}}'), 'a'), { failure: {} })
  const bare = JSON.parse(beside('../../fixtures/tasks/video/bare.json'))
  t.match(read(bare, bare.task_id), [{ state: 'succeeded', results: [{ url: bare.url }] }])
  t.match(adapter.fail(401, {}, Buffer.from('{"error":{"message":"x"}}')), { blame: 'channel' })
})

/** Luma: what is submitted, how generations are read and reported, and what they are billed by. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Progress, TaskAdapter, TaskContext, TaskRef } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import create from '../../../plugins/tasks/luma/index.js'
import { type StrictLuma, strictLuma } from '../../kit/tasks/luma.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'

const adapter = create().operations.video as TaskAdapter
const channel = { id: 1, type: 7, baseUrl: 'https://api.lumalabs.ai', settings: {} }
const key = { key: ' luma-key ' }
const usual = 'ray-2'
const url = 'https://x.example/a.png'

function shaped(value: JsonObject, given?: TaskContext, model = usual) {
  const body = { kind: 'json', value: { model, prompt: 'A cat', ...value } } as const
  return adapter.shape(body, channel, model, given)
}

function submit(
  upstream: StrictLuma,
  value: JsonObject,
  given?: TaskContext,
  model = usual,
): TaskRef {
  const wire = shaped(value, given, model)
  const context = { now: 0, forwarded: { headers: {} }, model, stream: false }
  const request = adapter.address(wire, channel, key, context)
  const reply = sentTo(upstream, { ...request, body: JSON.stringify(jsonOf(wire)) })
  const found = adapter.submitted(reply, wire, model)
  if ('failure' in found) throw new Error(String(reply.body))
  return { ref: found.ref, action: 'generate', model, keep: found.keep ?? {} }
}

function polled(upstream: StrictLuma, task: TaskRef): Progress {
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
  return adapter.quantities(shaped(value, {}, model), model, { kind: 'none' })
}

t.test('a clip is made of a text, watched and found', async (t) => {
  const upstream = strictLuma()
  const callbackUrl = 'https://gateway.example/report/1'
  const task = submit(
    upstream,
    {
      seconds: '9',
      size: '1920x1080',
      image: url,
      image_tail: url,
      metadata: { loop: true, model: 'dear', callback_url: 'https://mine.example' },
    },
    { callbackUrl },
  )
  const frame = { type: 'image', url }
  t.strictSame(upstream.last, {
    model: usual,
    prompt: 'A cat',
    aspect_ratio: '16:9',
    duration: '9s',
    resolution: '1080p',
    keyframes: { frame0: frame, frame1: frame },
    callback_url: callbackUrl,
    loop: true,
  })
  t.match(polled(upstream, task), { ref: task.ref, state: 'queued', word: 'queued' })
  upstream.change(task.ref, { state: 'dreaming' })
  t.match(polled(upstream, task), { state: 'running', createdAt: Date.UTC(2026, 10, 25, 12) })
  upstream.finish(task.ref)
  const done = {
    state: 'succeeded',
    results: [{ type: 'video', url: /mp4$/, meta: { cover_url: /jpg$/ } }],
  }
  t.match(polled(upstream, task), done)
  const callback = { method: 'POST', headers: {}, query: {}, body: upstream.report(task.ref) }
  t.match(adapter.notice!(callback, task), done)
  t.equal(adapter.notice!(callback, { ...task, ref: 'other' }), undefined)
  t.equal(adapter.notice!({ ...callback, body: Buffer.from('<html>') }, task), undefined)
  upstream.change(task.ref, { state: 'failed', failure_reason: 'It was blocked.' })
  t.match(polled(upstream, task), { state: 'failed', reason: 'It was blocked.' })
})

t.test('an extension goes on from the clip of an earlier task', async (t) => {
  const upstream = strictLuma()
  const first = submit(upstream, {})
  upstream.finish(first.ref)
  const origin = { ...first, results: [] }
  submit(upstream, { action: 'extend', image_tail: url }, { origin })
  t.strictSame(upstream.last.keyframes, {
    frame0: { type: 'generation', id: first.ref },
    frame1: { type: 'image', url },
  })
  const refused = (param: string) => ({ code: 'invalid_request', param })
  t.throws(() => shaped({ action: 'extend' }), refused('action'))
  t.throws(() => shaped({ action: 'extend', image: url }, { origin }), refused('image'))
})

t.test('what cannot be expressed is refused by its name', async (t) => {
  for (const [value, param, model = usual] of [
    [{ n: 2 }, 'n'],
    [{ images: [url, url] }, 'images'],
    [{ image: 'data:image/png;base64,iVBORw0KGgo=' }, 'image'],
    [{ image_tail: 'data:image/png;base64,iVBORw0KGgo=' }, 'image_tail'],
    [{ video: url }, 'video'],
    [{ audio_url: url }, 'audio_url'],
    [{ audio: true }, 'audio'],
    [{ seconds: 10 }, 'seconds'],
    [{ seconds: 9 }, 'seconds', 'ray-1-6'],
    [{ resolution: '480p' }, 'resolution'],
    [{ size: '832x480' }, 'size'],
    [{ aspect_ratio: '5:4' }, 'aspect_ratio'],
  ] as const) {
    t.throws(() => shaped(value, {}, model), { code: 'invalid_request', param }, param)
  }
})

t.test('length and resolution are sent even where the client states none', async (t) => {
  t.strictSame(jsonOf(shaped({})), {
    model: usual,
    prompt: 'A cat',
    duration: '5s',
    resolution: '720p',
  })
  t.strictSame(jsonOf(shaped({}, {}, 'ray-1-6')), { model: 'ray-1-6', prompt: 'A cat' })
  t.strictSame(counted({}), {
    counts: { second: 5, piece: 1 },
    dimensions: { resolution: '720p', aspect_ratio: '16:9' },
  })
  t.match(counted({}, 'ray-1-6'), { counts: { second: 5 } })
  t.match(counted({ seconds: 9, size: '3840x2160' }), {
    counts: { second: 9 },
    dimensions: { resolution: '4k' },
  })
  t.match(counted({ metadata: { duration: '9s', resolution: '540p', aspect_ratio: '1:1' } }), {
    counts: { second: 9 },
    dimensions: { resolution: '540p', aspect_ratio: '1:1' },
  })
  t.match(counted({ metadata: { duration: '-9s' } }), { counts: { second: 5 } })
})

t.test('documented answers are read', async (t) => {
  const file = new URL('../../fixtures/tasks/luma/completed.json', import.meta.url)
  const done = JSON.parse(readFileSync(file, 'utf8'))
  t.match(read(done, done.id), [
    { state: 'succeeded', createdAt: Date.UTC(2023, 5, 1, 12), results: [{ url: /^https:/ }] },
  ])
})

t.test('an answer that is none of the documented is no verdict over a task', async (t) => {
  const whole = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text) })
  const task = { ref: 'a', action: 'generate', model: usual, keep: {} }
  for (const text of ['', '<html>', 'null', '[]', '{}', '{"id":{}}', '{"detail":"words"}']) {
    const submission = adapter.submitted(whole(text), { kind: 'none' }, usual)
    t.match(submission, { failure: { status: 200, blame: 'upstream' } }, text)
    t.match(adapter.poll.read(whole(text), [task], channel), { failure: { status: 200 } }, text)
  }
  t.strictSame(read({ id: 'b', state: 'failed' }, 'a'), [])
  t.match(read({ id: 'a', state: 'paused' }, 'a'), [{ state: 'unknown', word: 'paused' }])
  t.match(read({ id: 'a', state: 'failed' }, 'a'), [{ state: 'failed', reason: 'failed' }])
  const odd = read({ id: 'a', state: 'completed', assets: { video: 'x' }, created_at: -1 }, 'a')
  t.match(odd, [{ state: 'succeeded' }])
  t.notOk((odd as readonly Progress[])[0]!.results)
})

t.test('refusals are the key, the account or the request', async (t) => {
  const failure = (status: number, detail: string) =>
    adapter.fail(status, {}, Buffer.from(JSON.stringify({ detail })))
  t.match(failure(401, 'Invalid API key'), { blame: 'channel' })
  t.match(failure(402, 'Insufficient credits'), { blame: 'channel' })
  t.match(failure(400, 'Prompt not allowed'), { blame: 'client', message: /Prompt not allowed/ })
  t.match(failure(429, 'Too many'), { blame: 'channel' })
  t.match(adapter.fail(503, {}, Buffer.from('<html>')), { blame: 'upstream' })
})

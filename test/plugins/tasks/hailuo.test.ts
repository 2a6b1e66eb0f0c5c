/** Hailuo: what is submitted, the two questions that lead to a clip, and what it is billed by. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Progress, TaskAdapter, TaskRef } from '../../../kernel/contract/task.js'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import create from '../../../plugins/tasks/hailuo/index.js'
import { type StrictHailuo, strictHailuo } from '../../kit/tasks/hailuo.js'
import { replied, sentTo } from '../../kit/tasks/upstream.js'

const adapter = create().operations.video as TaskAdapter
const channel = { id: 1, type: 35, baseUrl: 'https://api.minimaxi.com', settings: {} }
const key = { key: ' key ' }
const usual = 'MiniMax-Hailuo-02'
const picture = 'data:image/png;base64,iVBORw0KGgo='

function recorded(name: string): JsonObject {
  const file = new URL(`../../fixtures/tasks/hailuo/${name}.json`, import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8'))
}

function shaped(value: JsonObject, model = usual) {
  return adapter.shape(
    { kind: 'json', value: { model, prompt: 'A cat', ...value } },
    channel,
    model,
  )
}

function sent(upstream: StrictHailuo, value: JsonObject, model = usual) {
  const wire = shaped(value, model)
  const context = { now: 0, forwarded: { headers: {} }, model, stream: false }
  const request = adapter.address(wire, channel, key, context)
  return { wire, reply: sentTo(upstream, { ...request, body: JSON.stringify(jsonOf(wire)) }) }
}

function submit(upstream: StrictHailuo, value: JsonObject): TaskRef {
  const { wire, reply } = sent(upstream, value)
  const found = adapter.submitted(reply, wire, usual)
  if ('failure' in found) throw new Error(String(reply.body))
  return { ref: found.ref, action: 'generate', model: usual, keep: found.keep ?? {} }
}

function polled(upstream: StrictHailuo, task: TaskRef): Progress {
  const reply = sentTo(upstream, adapter.poll.request([task], channel, key, { now: 0 }))
  const found = adapter.poll.read(reply, [task], channel)
  if ('failure' in found) throw new Error(String(reply.body))
  return found[0]!
}

function read(answer: unknown, ref: string, keep: JsonObject = {}) {
  const task = { ref, action: 'generate', model: usual, keep }
  return adapter.poll.read(replied(answer), [task], channel)
}

function counted(value: JsonObject, model = usual) {
  return adapter.quantities(shaped(value, model), model, { kind: 'none' })
}

t.test('a finished task leads to a file, and the file to the clip', async (t) => {
  const upstream = strictHailuo()
  const task = submit(upstream, {
    seconds: '10',
    resolution: '768p',
    image: picture,
    image_tail: 'https://x.example/b.png',
    watermark: true,
    metadata: { prompt_optimizer: false, model: 'dear', callback_url: 'https://mine.example' },
  })
  t.strictSame(upstream.last, {
    model: usual,
    prompt: 'A cat',
    first_frame_image: picture,
    last_frame_image: 'https://x.example/b.png',
    duration: 10,
    resolution: '768P',
    aigc_watermark: true,
    prompt_optimizer: false,
  })
  t.match(polled(upstream, task), { ref: task.ref, state: 'queued', word: 'Preparing' })
  upstream.change(task.ref, { status: 'Processing' })
  t.match(polled(upstream, task), { state: 'running' })
  upstream.finish(task.ref)
  const half = polled(upstream, task)
  t.match(half, {
    state: 'running',
    word: 'Success',
    again: true,
    keep: { file_id: `9${task.ref}` },
  })
  t.notOk(half.results)
  t.match(polled(upstream, { ...task, keep: half.keep! }), {
    ref: task.ref,
    state: 'succeeded',
    results: [{ url: `https://cdn.example/9${task.ref}.mp4`, meta: { width: 1366, height: 768 } }],
  })
  upstream.fail(task.ref, 1027, 'output new_sensitive')
  t.match(polled(upstream, task), { state: 'failed', reason: 'output new_sensitive' })
})

t.test('models of a person take the picture as that', async (t) => {
  const wire = jsonOf(shaped({ image: picture }, 'S2V-01'))
  t.strictSame(wire.subject_reference, [{ type: 'character', image: [picture] }])
  t.notOk(wire.first_frame_image)
  const served = (model: string) => adapter.serves!(channel, model)
  t.strictSame(['S2V-01', 'T2V-01-Director', usual, 'speech-02', 'MiniMax-M2'].map(served), [
    true,
    true,
    true,
    false,
    false,
  ])
})

t.test('what cannot be expressed is refused by its name', async (t) => {
  for (const [value, param, model = usual] of [
    [{ n: 2 }, 'n'],
    [{ images: [picture, picture] }, 'images'],
    [{ image_tail: picture }, 'image_tail', 'S2V-01'],
    [{ video: 'https://x.example/a.mp4' }, 'video'],
    [{ audio_url: 'https://x.example/a.mp3' }, 'audio_url'],
    [{ audio: true }, 'audio'],
    [{ seconds: 5 }, 'seconds'],
    [{ seconds: 10 }, 'seconds', 'T2V-01'],
    [{ seconds: 10, resolution: '1080P' }, 'seconds'],
    [{ resolution: '4k' }, 'resolution'],
    [{ size: '1280x720' }, 'size'],
    [{ resolution: '512P' }, 'resolution', 'MiniMax-Hailuo-2.3'],
  ] as const) {
    t.throws(() => shaped(value, model), { code: 'invalid_request', param }, param)
  }
  t.doesNotThrow(() => shaped({ seconds: 12, resolution: '2K' }, 'MiniMax-Hailuo-9'))
})

t.test('what was left out is counted as the service fills it in', async (t) => {
  t.strictSame(counted({}), {
    counts: { second: 6, piece: 1 },
    dimensions: { resolution: '768p' },
  })
  t.match(counted({}, 'T2V-01'), { dimensions: { resolution: '720p' } })
  t.match(counted({ seconds: 10 }), { counts: { second: 10 } })
  t.match(counted({ size: '1920x1080' }), { dimensions: { resolution: '1080p' } })
  t.match(counted({ metadata: { duration: 10, resolution: '512P' } }), {
    counts: { second: 10 },
    dimensions: { resolution: '512p' },
  })
  t.match(counted({ metadata: { duration: -10 } }), { counts: { second: 6 } })
})

t.test('documented answers are read', async (t) => {
  const query = recorded('query')
  const ref = String(query.task_id)
  const [half] = read(query, ref) as readonly Progress[]
  t.match(half, {
    state: 'running',
    keep: { file_id: '176844028768320', width: 1920 },
    again: true,
  })
  t.match(read(recorded('file'), ref, half!.keep), [
    {
      ref,
      state: 'succeeded',
      updatedAt: 1_700_469_398_000,
      results: [{ meta: { height: 1080 } }],
    },
  ])
})

t.test('an answer that is none of the documented is no verdict over a task', async (t) => {
  const whole = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text) })
  const task = { ref: '1', action: 'generate', model: usual, keep: {} }
  for (const text of ['', '<html>', 'null', '[]', '{}', '{"task_id":{}}', '{"file":{}}']) {
    const submission = adapter.submitted(whole(text), { kind: 'none' }, usual)
    t.match(submission, { failure: { status: 200 } }, text)
    t.match(adapter.poll.read(whole(text), [task], channel), { failure: { status: 200 } }, text)
  }
  t.strictSame(read({ task_id: '2', status: 'Fail' }, '1'), [])
  t.match(read({ task_id: 1, status: 'Paused' }, '1'), [{ state: 'unknown', word: 'Paused' }])
  t.match(read({ task_id: '1', status: 'Fail' }, '1'), [{ state: 'failed', reason: 'Fail' }])
  t.match(read({ task_id: '1', status: 'Success' }, '1'), [{ state: 'running' }])
  t.strictSame(read(recorded('file'), '1', { file_id: '7' }), [], 'the file of another task')
  const file = { file_id: '7', download_url: 'javascript:x' }
  t.match(read({ file }, '1', { file_id: '7' }), { failure: {} })
})

t.test('errors are numbers, mostly inside a 200', async (t) => {
  const failure = (status_code: number) => {
    const reply = replied({ base_resp: { status_code, status_msg: 'words' } })
    return adapter.submitted(reply, { kind: 'none' }, usual)
  }
  t.match(failure(1008), { failure: { blame: 'channel', status: 402 } })
  t.match(failure(1002), { failure: { blame: 'channel', status: 429 } })
  t.match(failure(1026), { failure: { blame: 'client', status: 400, message: /words/ } })
  t.match(failure(2013), { failure: { blame: 'client' } })
  t.match(failure(9999), { failure: { blame: 'upstream', status: 502 } })
  t.match(sent(strictHailuo('other'), {}).reply.body.toString(), /1004/)
  const head = Buffer.from('{"base_resp":{"status_code":1008,"status_msg":"x"}}')
  t.match(adapter.fail(500, {}, head), { blame: 'channel' })
  t.match(adapter.fail(503, {}, Buffer.from('<html>')), { blame: 'upstream' })
})

/** `/v1/video/generations`: what becomes of a submission, and how a task is shown. */
import t, { type Test } from 'tap'
import { jsonOf } from '../../../kernel/toolkit/operation/index.js'
import type { TaskRecord } from '../../../plugins/services/tasks/index.js'
import { bearer, createdAt, video, videoGateway } from './video-gateway.js'

const path = '/v1/video/generations'

async function client(t: Test, records: TaskRecord[] = []) {
  const gateway = await videoGateway(t, records)
  const headers = { ...bearer(), 'content-type': 'application/json' }
  return {
    ...gateway,
    submit: (body: object) =>
      gateway.ask('POST', path, { headers, body: JSON.stringify({ model: 'm', ...body }) }),
    fetch: (id: string, user = 7) => gateway.ask('GET', `${path}/${id}`, { headers: bearer(user) }),
    sent: () => jsonOf(gateway.requests.at(-1)!.body),
  }
}

t.test('a submission is answered with the id of the task, under both names', async (t) => {
  const { submit, requests, sent } = await client(t)
  const { status, json } = await submit({
    prompt: 'a cat',
    duration: 5,
    callback_url: 'https://client.example/hook',
  })
  t.equal(status, 200)
  t.strictSame(json, {
    id: 'task_1',
    task_id: 'task_1',
    object: 'video',
    model: 'm',
    status: 'queued',
    progress: 0,
    created_at: 1_712_158_011,
  })
  t.match(requests, [{ operation: 'video', format: 'chat', credential: { key: 'sk-7' } }])
  t.strictSame(requests[0]?.task, { callbackUrl: 'https://client.example/hook' })
  t.strictSame(sent(), { model: 'm', prompt: 'a cat', duration: 5 })
})

t.test('a body without words of its own goes on byte by byte', async (t) => {
  const { ask, requests } = await client(t)
  const body = '{"model": "m",\n "prompt": "a cat", "seed": 1.0}'
  const headers = { ...bearer(), 'content-type': 'application/json' }
  await ask('POST', path, { headers, body })
  const sent = requests[0]?.body
  t.equal(sent?.kind === 'json' && String(sent.bytes), body)
})

t.test('width and height are a size, and results are addresses', async (t) => {
  const { submit, sent } = await client(t)
  await submit({ prompt: 'x', width: 1280, height: 720, response_format: 'url' })
  t.strictSame(sent(), { model: 'm', prompt: 'x', size: '1280x720' })
  await submit({ prompt: 'x', width: 1280, height: 720, size: '720x1280' })
  t.strictSame(sent(), { model: 'm', prompt: 'x', size: '720x1280' })
  for (const [body, param] of [
    [{ width: 1280 }, 'height'],
    [{ height: 720 }, 'width'],
    [{ width: '1280', height: 720 }, 'width'],
    [{ width: 1280, height: 0.5 }, 'height'],
    [{ response_format: 'b64_json' }, 'response_format'],
    [{ callback_url: ['x'] }, 'callback_url'],
  ] as const) {
    const reply = await submit({ prompt: 'x', ...body })
    t.match(reply, { status: 400, json: { error: { param, code: 'invalid_request' } } }, param)
  }
})

t.test('[API-8] a clip a client sends is held to its types', async (t) => {
  const { submit } = await client(t)
  const of = (type: string) => submit({ video: `data:${type};base64,AAAA` })
  t.equal((await of('video/mp4')).status, 200)
  t.match(await of('video/avi'), { status: 400, json: { error: { param: 'video' } } })
})

t.test('a task is shown in the words of the family', async (t) => {
  const task = video({
    state: 'succeeded',
    percent: 99,
    startedAt: createdAt + 1000,
    finishedAt: createdAt + 60_999,
    results: [
      { type: 'image', url: 'https://cdn.example/1.png', index: 0 },
      { type: 'video', url: 'https://cdn.example/1.mp4', meta: { duration: 5 }, index: 1 },
      { type: 'text', text: 'a cat', index: 2 },
    ],
    raw: { state: 'done' },
  })
  const { fetch } = await client(t, [task])
  const { status, json } = await fetch('task_1')
  t.equal(status, 200)
  t.strictSame(json, {
    code: 'success',
    message: '',
    data: {
      task_id: 'task_1',
      action: 'generate',
      status: 'SUCCESS',
      fail_reason: '',
      progress: '100%',
      submit_time: 1_712_158_011,
      start_time: 1_712_158_012,
      finish_time: 1_712_158_072,
      result_url: 'https://cdn.example/1.mp4',
      results: [
        { type: 'image', url: 'https://cdn.example/1.png' },
        { type: 'video', url: 'https://cdn.example/1.mp4', meta: { duration: 5 } },
        { type: 'text', text: 'a cat' },
      ],
      data: { state: 'done' },
    },
  })
})

t.test('where a task stands has seven words', async (t) => {
  const records = [video()]
  const { fetch } = await client(t, records)
  for (const [state, word, status] of [
    ['submitting', '', 'NOT_START'],
    ['queued', 'submitted', 'SUBMITTED'],
    ['queued', 'pending', 'QUEUED'],
    ['running', 'submitted', 'IN_PROGRESS'],
    ['unknown', 'paused', 'UNKNOWN'],
    ['succeeded', 'running', 'SUCCESS'],
    ['failed', 'running', 'FAILURE'],
  ] as const) {
    records[0] = video({ state, word, percent: 50, reason: 'it was blocked' })
    const { json } = await fetch('task_1')
    t.match(json.data, {
      status,
      progress: state === 'succeeded' ? '100%' : '50%',
      fail_reason: state === 'failed' ? 'it was blocked' : '',
      result_url: '',
      start_time: 0,
    })
  }
})

t.test('what is another user’s, or no video, is not found', async (t) => {
  const records = [video({ userId: 8 }), video({ taskId: 'task_mj', operation: 'midjourney' })]
  const { fetch } = await client(t, records)
  for (const id of ['task_1', 'task_mj', 'task_3']) {
    t.match(await fetch(id), { status: 404, json: { error: { code: 'task_not_found' } } })
  }
  t.equal((await fetch('task_1', 8)).status, 200)
  t.equal((await fetch('task_1', 9)).status, 401)
})

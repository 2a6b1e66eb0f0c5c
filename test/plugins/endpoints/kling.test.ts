/** `/kling/v1/videos/…`: what becomes of a submission, and how tasks are shown in Kling's words. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { clientError, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { checkVideo, videoRequest } from '../../../kernel/toolkit/task/index.js'
import create from '../../../plugins/endpoints/kling/index.js'
import words from '../../../plugins/formats/kling/index.js'
import { answered, bodyOf, inboundOf, kitOf, received, record } from './task-fakes.js'

const png = 'iVBORw0KGgo='

function submitted(route: string, body: JsonObject) {
  return received(create(kitOf([])), route, inboundOf({ body }))
}

const clip = record({
  operation: 'video',
  action: 'generate',
  platform: 'kling',
  model: 'kling-v1',
  state: 'succeeded',
  word: 'succeed',
  updatedAt: 1_712_158_060_000,
  request: { metadata: { external_task_id: 'mine' } },
  raw: { data: { task_id: 'upstream-id' } },
  results: [
    { type: 'video', url: 'https://cdn.example/1.mp4', index: 0, meta: { duration: 5.1 } },
    { type: 'image', url: 'https://cdn.example/1.png', index: 1 },
  ],
})

t.test(
  'a submission is put into the words of the operation, all else is the maker’s',
  async (t) => {
    const request = await submitted('image', {
      model_name: 'kling-v2-6',
      prompt: 'A cat',
      negative_prompt: 'dogs',
      image: png,
      image_tail: 'https://x.example/b.jpg',
      duration: '10',
      mode: 'pro',
      sound: 'on',
      watermark_info: { enabled: false },
      cfg_scale: 0.5,
      external_task_id: 'mine',
      callback_url: 'https://mine.example/done',
    })
    t.match(request, { operation: 'video', format: 'kling', credential: { key: 'sk-7' } })
    t.strictSame(request.task, { callbackUrl: 'https://mine.example/done' })
    t.strictSame(bodyOf(request), {
      model: 'kling-v2-6',
      prompt: 'A cat',
      negative_prompt: 'dogs',
      mode: 'pro',
      duration: '10',
      image: `data:image/png;base64,${png}`,
      image_tail: 'https://x.example/b.jpg',
      audio: true,
      watermark: false,
      metadata: { cfg_scale: 0.5, external_task_id: 'mine' },
    })
    t.equal(checkVideo(bodyOf(request)), 'kling-v2-6')
    t.match(videoRequest(bodyOf(request)), { seconds: 10, audio: true, images: [/^data:image/] })
  },
)

t.test('what is missing or strange is left to the maker, or refused by its field', async (t) => {
  const plain = await submitted('text', { prompt: 'A cat', image: png, sound: 'loud' })
  t.strictSame(bodyOf(plain), { model: 'kling-v1', prompt: 'A cat', metadata: { sound: 'loud' } })
  t.strictSame(plain.task, {})
  t.match(bodyOf(await submitted('image', { model: 'other', image: '/9j/4AAQ' })), {
    model: 'other',
    image: 'data:image/jpeg;base64,/9j/4AAQ',
  })
  await t.rejects(submitted('image', { prompt: 'x' }), { code: 'invalid_request', param: 'image' })
  await t.rejects(submitted('image', { image: 4 }), { code: 'invalid_request', param: 'image' })
})

t.test('a task is shown in the words of Kling, under the id of the gateway', async (t) => {
  const read = (kit = kitOf([clip])) =>
    answered(create(kit), 'readText', inboundOf({ params: { id: 'task_1' } }))
  const shown = await read()
  t.strictSame(shown, {
    code: 0,
    message: 'SUCCEED',
    request_id: clip.requestId,
    data: {
      task_id: 'task_1',
      task_status: 'succeed',
      task_status_msg: '',
      task_info: { external_task_id: 'mine' },
      task_result: {
        videos: [{ id: 'task_1-0', url: 'https://cdn.example/1.mp4', duration: '5.1' }],
      },
      created_at: clip.createdAt,
      updated_at: 1_712_158_060_000,
    },
  })
  t.notMatch(JSON.stringify(shown), /upstream-id/)
  const states = {
    submitting: 'submitted',
    queued: 'submitted',
    running: 'processing',
    unknown: 'processing',
    failed: 'failed',
  } as const
  for (const [state, word] of Object.entries(states)) {
    const one = record({ operation: 'video', state: state as 'queued', reason: 'why' })
    const { data } = await read(kitOf([one]))
    t.match(data, { task_status: word, task_status_msg: state === 'failed' ? 'why' : '' })
    t.notOk(data.task_result)
  }
})

t.test('the answer to a submission is that of the maker', async (t) => {
  const { dialect } = await submitted('text', { prompt: 'x' })
  const fresh = record({ operation: 'video' }) as unknown as JsonObject
  t.match(dialect?.answer(fresh), {
    code: 0,
    data: { task_id: 'task_1', task_status: 'submitted', updated_at: clip.createdAt },
  })
})

t.test('only tasks of clips of the caller are read', async (t) => {
  const kit = kitOf([record(), record({ taskId: 'task_2', userId: 8, operation: 'video' })])
  const read = (id: string, headers = {}) =>
    answered(create(kit), 'readImage', inboundOf({ params: { id }, headers }))
  await t.rejects(read('task_1'), { code: 'task_not_found' })
  await t.rejects(read('task_2'), { code: 'task_not_found' })
  await t.rejects(read('task_1', { authorization: '' }), { code: 'missing_credential' })
})

t.test('[ERR-1] refusals have the codes of the maker', async (t) => {
  const of = (error: Refusal) => words().encodeError(clientError(error))
  t.strictSame(of(new Refusal('invalid_request', { reason: 'no.', param: 'prompt' })), {
    status: 400,
    body: {
      code: 1201,
      message: 'no.',
      request_id: '',
      error: {
        message: 'no.',
        type: 'invalid_request_error',
        param: 'prompt',
        code: 'invalid_request',
      },
    },
  })
  const codes = [
    [new Refusal('missing_credential'), 1001],
    [new Refusal('invalid_api_key'), 1002],
    [new Refusal('insufficient_user_quota'), 1102],
    [new Refusal('model_price_error', { model: 'x' }), 1201],
    [new Refusal('task_not_found', { task: 'x' }), 1203],
    [new Refusal('prompt_blocked', { reason: 'x' }), 1301],
    [new Refusal('too_many_tasks', { whose: 'user', limit: 1 }), 1302],
    [new Refusal('upstream_error', { reason: 'x' }), 5000],
    [new Refusal('upstream_timeout', { limit: 'x' }), 5002],
  ] as const
  for (const [error, code] of codes) t.equal(of(error).body.code, code, error.code)
})

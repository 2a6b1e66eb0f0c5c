/** `/jimeng/?Action=…`: what becomes of a submission, and how tasks are shown in Jimeng's words. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { clientError, Refusal } from '../../../kernel/toolkit/errors/index.js'
import { checkVideo, videoRequest } from '../../../kernel/toolkit/task/index.js'
import create from '../../../plugins/endpoints/jimeng/index.js'
import words from '../../../plugins/formats/jimeng/index.js'
import type { TaskRecord } from '../../../plugins/services/tasks/index.js'
import { answered, bodyOf, inboundOf, kitOf, received, record } from './task-fakes.js'

function submitted(body: JsonObject, Action = 'CVSync2AsyncSubmitTask') {
  const query = { Action, Version: '2022-08-31' }
  return received(create(kitOf([])), 'post', inboundOf({ body, query }))
}

function read(fields: Partial<TaskRecord>, query: Readonly<Record<string, string>> = {}) {
  const kit = kitOf([record({ operation: 'video', ...fields })])
  const asked = { Action: 'CVSync2AsyncGetResult', task_id: 'task_1', ...query }
  return answered(create(kit), 'read', inboundOf({ query: asked }))
}

t.test(
  'a submission is put into the words of the operation, all else is the maker’s',
  async (t) => {
    const request = await submitted({
      req_key: 'jimeng_i2v_first_tail_v30',
      prompt: 'A cat',
      image_urls: ['https://x.example/a.png'],
      binary_data_base64: ['/9j/4AAQ'],
      seed: -1,
      frames: 241,
      camera_strength: 'weak',
    })
    t.match(request, { operation: 'video', format: 'jimeng', credential: { key: 'sk-7' } })
    t.strictSame(bodyOf(request), {
      model: 'jimeng_i2v_first_tail_v30',
      prompt: 'A cat',
      seed: -1,
      seconds: 10,
      images: ['https://x.example/a.png', 'data:image/jpeg;base64,/9j/4AAQ'],
      metadata: { camera_strength: 'weak' },
    })
    t.equal(checkVideo(bodyOf(request)), 'jimeng_i2v_first_tail_v30')
    t.match(videoRequest(bodyOf(request)), { seconds: 10, seed: -1 })
    const shown = request.dialect?.answer(record() as unknown as JsonObject)
    t.match(shown, { code: 10000, data: { task_id: 'task_1' }, message: 'Success', status: 10000 })
  },
)

t.test('what is strange is left to the maker, or refused by its field', async (t) => {
  t.strictSame(bodyOf(await submitted({ req_key: 'k', prompt: 'x', frames: 100 })), {
    model: 'k',
    prompt: 'x',
    metadata: { frames: 100 },
  })
  const refused = (body: JsonObject, param: string, action?: string) =>
    t.rejects(submitted(body, action), { code: 'invalid_request', param })
  await refused({ prompt: 'x' }, 'req_key')
  await refused({ req_key: 'k', image_urls: 'x' }, 'image_urls')
  await refused({ req_key: 'k', binary_data_base64: [4] }, 'binary_data_base64')
  await refused({ req_key: 'k' }, 'Action', 'CVProcess')
})

t.test('a task is shown in the words of Jimeng, under the id of the gateway', async (t) => {
  const results = [{ type: 'video', url: 'https://cdn.example/1.mp4', index: 0 }] as const
  t.match(await read({ state: 'succeeded', results }), {
    code: 10000,
    data: { task_id: 'task_1', status: 'done', video_url: 'https://cdn.example/1.mp4' },
  })
  t.match(await read({ state: 'queued' }), { code: 10000, data: { status: 'in_queue' } })
  t.match(await read({ state: 'submitting' }), { data: { status: 'in_queue' } })
  t.match(await read({ state: 'unknown' }), { data: { status: 'generating', video_url: '' } })
  const stopped = { state: 'failed', reason: 'Risk', raw: { code: 50411 } } as const
  t.match(await read(stopped), { code: 50411, status: 50411, message: 'Risk' })
  t.match(await read({ ...stopped, raw: { code: 10000 } }), { code: 50500, message: 'Risk' })
})

t.test('only tasks of clips of the caller are read', async (t) => {
  await t.rejects(read({ userId: 8 }), { code: 'task_not_found' })
  await t.rejects(read({ operation: 'music' }), { code: 'task_not_found' })
  await t.rejects(read({}, { Action: 'x' }), { code: 'invalid_request', param: 'Action' })
})

t.test('a task is read at the path it was submitted to as well', async (t) => {
  const kit = kitOf([record({ operation: 'video', state: 'running' })])
  const query = { Action: 'CVSync2AsyncGetResult', Version: '2022-08-31' }
  const post = (body: JsonObject) => answered(create(kit), 'post', inboundOf({ body, query }))
  t.match(await post({ req_key: 'jimeng_t2v_v30', task_id: 'task_1' }), {
    code: 10000,
    data: { task_id: 'task_1', status: 'generating' },
  })
  await t.rejects(post({ task_id: 'task_2' }), { code: 'task_not_found' })
  await t.rejects(post({}), { code: 'invalid_request', param: 'task_id' })
})

t.test('[ERR-1] refusals have the codes of the maker', async (t) => {
  const of = (error: Refusal) => words().encodeError(clientError(error))
  t.strictSame(of(new Refusal('invalid_request', { reason: 'no.', param: 'frames' })), {
    status: 400,
    body: {
      ...{ code: 50200, data: null, message: 'no.', request_id: '', status: 50200 },
      error: {
        message: 'no.',
        type: 'invalid_request_error',
        param: 'frames',
        code: 'invalid_request',
      },
    },
  })
  t.match(of(new Refusal('invalid_api_key')), {
    status: 401,
    body: { ResponseMetadata: { Error: { Code: 'InvalidCredential' } } },
  })
  const codes = [
    [new Refusal('insufficient_user_quota'), 50400],
    [new Refusal('task_not_found', { task: 'x' }), 50200],
    [new Refusal('prompt_blocked', { reason: 'x' }), 50412],
    [new Refusal('too_many_tasks', { whose: 'user', limit: 1 }), 50429],
    [new Refusal('upstream_error', { reason: 'x' }), 50500],
  ] as const
  for (const [error, code] of codes) t.equal(of(error).body.code, code, error.code)
})

/** `/suno/…`: what becomes of a submission, and how tasks are shown in the envelope of the protocol. */
import t from 'tap'
import type { JsonObject } from '../../../kernel/contract/json.js'
import { clientError, Refusal } from '../../../kernel/toolkit/errors/index.js'
import create from '../../../plugins/endpoints/suno/index.js'
import words from '../../../plugins/formats/suno/index.js'
import { answered, bodyOf, inboundOf, kitOf, received, record } from './task-fakes.js'

function submitted(action: string, body: JsonObject) {
  return received(create(kitOf([])), 'submit', inboundOf({ params: { action }, body }))
}

const song = record({
  operation: 'music',
  action: 'music',
  model: 'suno_music',
  state: 'succeeded',
  word: 'SUCCESS',
  startedAt: 1_712_158_012_000,
  finishedAt: 1_712_158_060_999,
  results: [{ type: 'audio', url: 'https://cdn.example/1.mp3', index: 0 }],
  raw: { task_id: 'upstream-id', data: [{ id: 'clip', audio_url: 'https://cdn.example/1.mp3' }] },
})

t.test('[BILL-6] a submission is priced by its action', async (t) => {
  const request = await submitted('MUSIC', { prompt: 'x', model: 'mine', notify_hook: 'mine' })
  t.match(request, { operation: 'music', format: 'suno', credential: { key: 'sk-7' } })
  t.strictSame(bodyOf(request), { prompt: 'x', model: 'suno_music', action: 'music' })
  t.strictSame(request.task, { callbackUrl: 'mine', callbackField: 'notify_hook' })
  t.match(bodyOf(await submitted('lyrics', { prompt: 'x' })), { model: 'suno_lyrics' })
  await t.rejects(submitted('../x', {}), { code: 'not_found' })
  t.strictSame(request.dialect?.answer(song as unknown as JsonObject), {
    code: 'success',
    message: '',
    data: 'task_1',
  })
})

t.test('a song is continued where it was made', async (t) => {
  const { task } = await submitted('music', { task_id: 'task_1', continue_clip_id: 'clip' })
  t.strictSame(task, { originId: 'task_1' })
  t.strictSame((await submitted('music', { prompt: 'x' })).task, {})
  await t.rejects(submitted('music', { continue_clip_id: 'clip' }), {
    code: 'invalid_request',
    param: 'task_id',
  })
})

t.test('a task is shown in the envelope, under the id of the gateway', async (t) => {
  const { data, ...envelope } = await answered(
    create(kitOf([song])),
    'fetch',
    inboundOf({ params: { id: 'task_1' } }),
  )
  t.strictSame(envelope, { code: 'success', message: '' })
  t.strictSame(data, {
    task_id: 'task_1',
    action: 'MUSIC',
    status: 'SUCCESS',
    fail_reason: '',
    submit_time: 1_712_158_011,
    start_time: 1_712_158_012,
    finish_time: 1_712_158_060,
    progress: '100%',
    result_url: 'https://cdn.example/1.mp3',
    data: [{ id: 'clip', audio_url: 'https://cdn.example/1.mp3' }],
  })
})

t.test(
  'before its first report a task shows nothing of the answer to its submission',
  async (t) => {
    const fresh = record({ operation: 'music', raw: { code: 'success', data: 'upstream-id' } })
    const shown = await answered(
      create(kitOf([fresh])),
      'fetch',
      inboundOf({ params: { id: 'task_1' } }),
    )
    t.match(shown.data, { status: 'QUEUED', data: null, progress: '0%' })
    t.notMatch(JSON.stringify(shown), /upstream-id/)
  },
)

t.test('lyrics are whole, however much of the answer is kept', async (t) => {
  const lyrics = record({
    operation: 'music',
    state: 'succeeded',
    results: [{ type: 'text', text: 'all of it', index: 0 }],
    raw: { data: { title: 'x', text: 'all…' } },
  })
  const { data } = await answered(
    create(kitOf([lyrics])),
    'fetch',
    inboundOf({ params: { id: 'task_1' } }),
  )
  t.strictSame(data.data, { title: 'x', text: 'all of it' })
})

t.test('several tasks are those that are the caller’s', async (t) => {
  const kit = kitOf([song, record({ taskId: 'task_2', userId: 8 }), record({ taskId: 'task_3' })])
  const of = (ids: unknown) => answered(create(kit), 'list', inboundOf({ body: { ids } }))
  const { data } = await of(['task_1', 'task_2', 'task_3'])
  t.strictSame(
    data.map(({ task_id }: JsonObject) => task_id),
    ['task_1'],
  )
  await t.rejects(of([4]), { code: 'invalid_request', param: 'ids' })
  const stranger = inboundOf({ headers: { authorization: '' }, params: { id: 'task_1' } })
  await t.rejects(answered(create(kit), 'fetch', stranger), { code: 'missing_credential' })
})

t.test('how a task ended is for the gateway to state', async (t) => {
  const statusOf = async (fields: Parameters<typeof record>[0]) => {
    const kit = kitOf([record({ operation: 'music', ...fields })])
    const inbound = inboundOf({ params: { id: 'task_1' } })
    return (await answered(create(kit), 'fetch', inbound)).data
  }
  t.match(await statusOf({ state: 'failed', word: 'IN_PROGRESS', reason: 'too late' }), {
    status: 'FAILURE',
    fail_reason: 'too late',
  })
  t.match(await statusOf({ state: 'running', word: 'IN_PROGRESS', percent: 40 }), {
    status: 'IN_PROGRESS',
    progress: '40%',
  })
  t.match(await statusOf({ state: 'unknown', word: 'PAUSED' }), { status: 'UNKNOWN' })
})

t.test('[ERR-1] refusals stand in the same envelope', async (t) => {
  const { status, body } = words().encodeError(
    clientError(new Refusal('invalid_request', { reason: 'no.', param: 'prompt' })),
  )
  t.equal(status, 400)
  t.match(body, { code: 'invalid_request', message: 'no.', data: null })
  t.strictSame(body.error, {
    message: 'no.',
    type: 'invalid_request_error',
    param: 'prompt',
    code: 'invalid_request',
  })
})

t.test('only songs of the caller are read', async (t) => {
  const kit = kitOf([record({ operation: 'video' }), { ...song, taskId: 'task_2', userId: 8 }])
  const read = (id: string) => answered(create(kit), 'fetch', inboundOf({ params: { id } }))
  await t.rejects(read('task_1'), { code: 'task_not_found' })
  await t.rejects(read('task_2'), { code: 'task_not_found' })
})

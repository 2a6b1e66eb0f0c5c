/** Clips of Doubao through a whole gateway, paid by the tokens the service reports. */
import t, { type Test } from 'tap'
import { taskPlatform } from '../../../kit/task-platform.js'
import { strictDoubao } from '../../../kit/tasks/doubao.js'

const model = 'doubao-seedance-1-0-pro-250528'
/** 1920 x 1088 pixels, 121 frames, 1024 pixels a token. */
const estimated = 246_840n
const clip = { model, prompt: 'a cat', seconds: 5 }

/** A token costs one quota at 1080p, and half of it at 720p. */
async function doubao(t: Test, settings: object = {}) {
  const platform = await taskPlatform(t, {
    upstream: strictDoubao('ark-key'),
    channel: { type: 54, key: 'ark-key', models: model, settings: JSON.stringify(settings) },
    options: {
      TaskRateCards: {
        [model]: {
          unit: 'token',
          rates: [
            { when: { resolution: '1080p' }, price: '0.000002' },
            { when: { resolution: '720p' }, price: '0.000001' },
          ],
        },
      },
    },
  })
  const submit = async (body: object) => {
    const answer = await platform.call('POST', '/v1/video/generations', { body })
    return { ...answer, id: String(answer.body.task_id) }
  }
  const read = async (id: string) =>
    (await platform.call('GET', `/v1/video/generations/${id}`)).body.data
  return { ...platform, submit, read }
}

t.test('[BILL-4] a clip is charged by an estimate, and once by the tokens it took', async (t) => {
  const { upstream, submit, read, round, ref, books, spent } = await doubao(t)
  const { status, body, id } = await submit({ ...clip, resolution: '1080p' })
  t.equal(status, 200)
  t.match(body, { status: 'queued', model })
  t.equal(await spent(), estimated)
  t.match(await books(id), { settle: estimated, final: undefined, logs: [[2, estimated]] })
  upstream.change(await ref(id), { status: 'running', resolution: '1080p' })
  await round()
  t.match(await read(id), { status: 'IN_PROGRESS', data: { id, status: 'running' } })
  upstream.finish(await ref(id), 200_000)
  await Promise.all([round(), round()])
  t.match(await read(id), {
    status: 'SUCCESS',
    result_url: 'https://tos.example/clip-1.mp4',
    data: { usage: { completion_tokens: 200_000 } },
  })
  t.equal(await spent(), 200_000n)
  t.strictSame(await books(id), {
    ...{ settle: estimated, final: 200_000n - estimated, state: 'succeeded', billing: 'final' },
    logs: [
      [2, estimated],
      [6, estimated - 200_000n],
    ],
    ...{ charged: estimated, cost: 200_000n },
  })
})

t.test(
  '[BILL-4] more tokens than estimated, and a smaller picture, are paid as they are',
  async (t) => {
    const { upstream, submit, round, ref, books, spent } = await doubao(t)
    const more = await submit({ ...clip, resolution: '1080p' })
    const less = await submit({ ...clip, prompt: 'a dog', resolution: '1080p' })
    await upstream.finish(await ref(more.id), 300_001)
    upstream.change(await ref(more.id), { resolution: '1080p' })
    upstream.finish(await ref(less.id), 100_001)
    upstream.change(await ref(less.id), { resolution: '720p' })
    await round()
    t.match(await books(more.id), { final: 300_001n - estimated, cost: 300_001n })
    t.match(await books(less.id), { final: 50_001n - estimated, cost: 50_001n }, 'rounded half up')
    t.equal(await spent(), 350_002n)
  },
)

t.test('[CHAN-3] where the channel settles no difference, the estimate stands', async (t) => {
  const { upstream, submit, round, ref, books, spent, knex } = await doubao(t, {
    disable_task_delta_settlement: true,
  })
  const made = await submit({ ...clip, resolution: '1080p' })
  const failed = await submit({ ...clip, prompt: 'a dog', resolution: '1080p' })
  t.strictSame(await knex('tasks').pluck('delta_off'), [true, true])
  upstream.finish(await ref(made.id), 1_000)
  upstream.change(await ref(failed.id), {
    status: 'failed',
    error: { code: 'OutputVideoSensitiveContentDetected', message: 'It may not be shown.' },
  })
  await round()
  t.match(await books(made.id), { final: undefined, cost: estimated, logs: [[2, estimated]] })
  t.match(await books(failed.id), { final: -estimated, cost: 0n })
  t.equal(await spent(), estimated)
})

t.test('[BILL-4] a clip that fails is paid back whole, and its reason is shown', async (t) => {
  const { upstream, submit, read, round, ref, books, spent } = await doubao(t)
  const { id } = await submit({ ...clip, resolution: '1080p' })
  const known = await ref(id)
  upstream.change(known, {
    status: 'failed',
    error: { code: 'InternalServiceError', message: `The task ${known} failed.` },
  })
  await Promise.all([round(), round()])
  t.match(await read(id), { status: 'FAILURE', fail_reason: `The task ${id} failed.` })
  t.equal(await spent(), 0n)
  t.match(await books(id), {
    ...{ final: -estimated, cost: 0n },
    logs: [
      [2, estimated],
      [6, estimated],
    ],
  })
})

t.test('what the service refuses, and what has no price, costs nothing', async (t) => {
  const { submit, spent, server, knex } = await doubao(t)
  const refused = await submit({ ...clip, resolution: '1080p', metadata: { strange: 1 } })
  t.match([refused.status, refused.body.error], [400, { message: /strange/ }])
  const unpriced = await submit({ ...clip, resolution: '480p' })
  t.match(unpriced.body.error, { code: 'model_price_error' })
  t.equal(server.calls.length, 1)
  t.equal(await spent(), 0n)
  t.strictSame(await knex('tasks').pluck('state'), ['failed'])
})

t.test('a clip that waits is cancelled and paid back', async (t) => {
  const { gateway, submit, read, ref, books, server, spent } = await doubao(t)
  const { id } = await submit({ ...clip, resolution: '1080p' })
  server.calls.length = 0
  t.equal((await gateway.service('tasks').cancel(id)).state, 'failed')
  const path = `/api/v3/contents/generations/tasks/${await ref(id)}`
  t.strictSame(server.calls, [`GET ${path}`, `DELETE ${path}`, `GET ${path}`])
  t.match(await read(id), { status: 'FAILURE', fail_reason: 'cancelled' })
  t.match(await books(id), { final: -estimated, cost: 0n })
  t.equal(await spent(), 0n)
})

t.test(
  '[BILL-4] a clip that runs, or is there already, is never deleted, and is paid',
  async (t) => {
    const { upstream, gateway, submit, read, round, ref, server, spent } = await doubao(t)
    const { id } = await submit({ ...clip, resolution: '1080p' })
    const { cancel } = gateway.service('tasks')
    upstream.change(await ref(id), { status: 'running' })
    await t.rejects(cancel(id), { code: 'task_not_cancellable' })
    upstream.finish(await ref(id), 200_000)
    upstream.change(await ref(id), { resolution: '1080p' })
    await t.rejects(cancel(id), { code: 'task_ended' })
    t.strictSame(
      server.calls.filter((call) => call.startsWith('DELETE')),
      [],
    )
    await round()
    t.match(await read(id), { status: 'SUCCESS', result_url: /clip-1/ })
    t.equal(await spent(), 200_000n)
  },
)

t.test('[BILL-4] a clip that was made while it was cancelled is not paid back', async (t) => {
  const { upstream, gateway, submit, read, round, ref, books, spent } = await doubao(t)
  const { handle } = upstream
  // It is done between the look at it and the call that deletes its record.
  const racing = (...call: Parameters<typeof handle>) => {
    if (call[0] === 'DELETE') upstream.finish(call[1].split('/').at(-1)!, 200_000)
    return handle(...call)
  }
  Object.assign(upstream, { handle: racing })
  const { id } = await submit({ ...clip, resolution: '1080p' })
  t.ok(await ref(id))
  t.equal((await gateway.service('tasks').cancel(id)).state, 'failed')
  await round()
  t.match(await read(id), { status: 'FAILURE', fail_reason: /may have been made/ })
  t.match(await books(id), { final: undefined, cost: estimated, logs: [[2, estimated]] })
  t.equal(await spent(), estimated)
})

t.test(
  '[BILL-4] of a cancelled clip nothing is heard of until its time is out, the charge stands',
  async (t) => {
    const { upstream, gateway, submit, ref, books, spent, knex } = await doubao(t)
    const { handle } = upstream
    let deleted = false
    const silent = (...call: Parameters<typeof handle>) => {
      deleted ||= call[0] === 'DELETE'
      const lost = { status: 503, headers: {}, body: Buffer.from('') }
      return deleted ? lost : handle(...call)
    }
    Object.assign(upstream, { handle: silent })
    const { id } = await submit({ ...clip, resolution: '1080p' })
    t.ok(await ref(id))
    await t.rejects(gateway.service('tasks').cancel(id), { code: 'task_not_cancellable' })
    t.equal((await knex('tasks').first()).cancel_at, null, 'it refused: there is nothing to lose')
    await knex('tasks').update({ cancel_at: new Date(), deadline_at: new Date(0), poll_at: null })
    await gateway.service('tasks').round()
    t.match(await books(id), { state: 'failed', final: undefined, cost: estimated })
    t.equal(await spent(), estimated)
  },
)

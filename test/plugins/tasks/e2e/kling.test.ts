/** Clips of Kling through a whole gateway, at the paths of the maker and at the gateway's own. */
import t, { type Test } from 'tap'
import { taskPlatform } from '../../../kit/task-platform.js'
import { clipOf, strictKling } from '../../../kit/tasks/kling.js'

const model = 'kling-v2-6'
const paths = '/kling/v1/videos'
const clip = { model_name: model, prompt: 'a cat', duration: '5' }

/** A second costs 10,000 quota in the mode `std`, 20,000 in `pro`. */
async function kling(t: Test) {
  const platform = await taskPlatform(t, {
    upstream: strictKling('access-key', 'secret-key', Date.now),
    channel: { type: 50, key: 'access-key|secret-key', models: model },
    options: {
      TaskRateCards: {
        [model]: {
          unit: 'second',
          rates: [
            { when: { mode: 'pro' }, price: '0.04' },
            { when: { mode: 'std' }, price: '0.02' },
          ],
        },
      },
    },
  })
  const submit = async (body: object, kind = 'text2video') => {
    const answer = await platform.call('POST', `${paths}/${kind}`, { body })
    return { ...answer, id: String(answer.body.data?.task_id) }
  }
  const read = async (id: string, kind = 'text2video') =>
    (await platform.call('GET', `${paths}/${kind}/${id}`)).body
  return { ...platform, submit, read }
}

t.test('[BILL-4] a clip is charged in its mode and corrected by its length', async (t) => {
  const { upstream, submit, read, round, ref, books, spent } = await kling(t)
  const { status, body, id } = await submit({ ...clip, mode: 'pro', duration: '10' })
  t.equal(status, 200)
  t.match(body, { code: 0, message: 'SUCCEED', data: { task_status: 'submitted' } })
  t.match(id, /^task_/)
  t.equal(await spent(), 200_000n)
  upstream.change(await ref(id), { task_status: 'processing' })
  await round()
  t.match(await read(id), { data: { task_id: id, task_status: 'processing' } })
  upstream.finish(await ref(id), '8.041')
  await Promise.all([round(), round()])
  const made = clipOf(await ref(id))
  t.match(await read(id), {
    code: 0,
    data: {
      task_status: 'succeed',
      task_result: {
        videos: [{ id: made, url: `https://cdn.example/${made}.mp4`, duration: '8.041' }],
      },
    },
  })
  t.strictSame(await books(id), {
    ...{ settle: 200_000n, final: -40_000n, state: 'succeeded', billing: 'final' },
    logs: [
      [2, 200_000n],
      [6, 40_000n],
    ],
    ...{ charged: 200_000n, cost: 160_000n },
  })
  t.equal(await spent(), 160_000n)
})

t.test('[BILL-4] a clip of a picture that fails is paid back whole', async (t) => {
  const { upstream, submit, read, round, ref, books, spent } = await kling(t)
  const body = { ...clip, image: 'https://x.example/a.png', external_task_id: 'mine' }
  const { id } = await submit(body, 'image2video')
  t.equal(await spent(), 50_000n)
  t.equal(upstream.last.path, '/v1/videos/image2video')
  const known = await ref(id)
  upstream.fail(known, `Task ${known} broke the rules.`)
  await Promise.all([round(), round()])
  t.match(await read(id, 'image2video'), {
    code: 0,
    data: {
      task_status: 'failed',
      task_status_msg: `Task ${id} broke the rules.`,
      task_info: { external_task_id: 'mine' },
    },
  })
  t.match(await books(id), { settle: 50_000n, final: -50_000n, cost: 0n })
  t.equal(await spent(), 0n)
})

t.test('the same clips are made and read at the path of the gateway', async (t) => {
  const { upstream, call, round, read, ref, spent } = await kling(t)
  const path = '/v1/video/generations'
  const asked = { model, prompt: 'a cat', seconds: 5, mode: 'pro' }
  const { body } = await call('POST', path, { body: asked })
  const id = String(body.task_id)
  t.equal(await spent(), 100_000n)
  upstream.finish(await ref(id))
  await round()
  t.match((await call('GET', `${path}/${id}`)).body.data, {
    status: 'SUCCESS',
    result_url: `https://cdn.example/${clipOf(await ref(id))}.mp4`,
    data: { data: { task_id: id, task_status: 'succeed' } },
  })
  t.match(await read(id), { data: { task_id: id, task_status: 'succeed' } })
  t.equal(await spent(), 100_000n)
})

t.test('a longer clip is made where the one it goes on from was', async (t) => {
  const { upstream, admin, call, submit, server, round, ref, knex, spent } = await kling(t)
  const first = await submit(clip)
  const body = { model, prompt: 'more', action: 'extend', origin_task_id: first.id }
  const early = await call('POST', '/v1/video/generations', { body })
  t.match(early.body.error, { code: 'task_not_finished' })
  upstream.finish(await ref(first.id))
  await round()
  // A channel every other request would take.
  await admin.channel({
    ...{ type: 50, name: 'other', key: 'other|key', base_url: server.url, models: model },
    ...{ group: 'default', priority: 10 },
  })
  const more = await call('POST', '/v1/video/generations', { body })
  t.equal(more.status, 200)
  t.match(upstream.last, {
    path: '/v1/videos/video-extend',
    body: { video_id: clipOf(await ref(first.id)) },
  })
  const asked = server.calls.filter((call) => call === 'POST /v1/videos/video-extend')
  t.equal(asked.length, 1, 'no other channel was tried')
  const rows = await knex('tasks').whereNotNull('upstream_ref').orderBy('id')
  t.equal(rows.length, 2)
  t.strictSame([rows[1].channel_id, rows[1].key_id], [rows[0].channel_id, rows[0].key_id])
  t.equal(await spent(), 100_000n)
  upstream.finish(await ref(more.body.task_id), '9.9')
  await round()
  t.equal(await spent(), 100_000n, 'the length of the whole is not that of the new part')
})

t.test(
  '[ERR-1] refusals at the paths of the maker are in its words, and cost nothing',
  async (t) => {
    const { submit, call, read, server, spent } = await kling(t)
    const shown = ({ status, body }: { status: number; body: { code: number; error: object } }) => [
      status,
      body.code,
      body.error,
    ]
    t.match(shown(await submit({ ...clip, duration: '7' })), [
      400,
      1201,
      { param: 'seconds', code: 'invalid_request' },
    ])
    t.match(shown(await submit({ ...clip, mode: 'best' })), [400, 1201, {}])
    t.match(shown(await submit({ ...clip, model_name: 'kling-v9' })), [503, 5001, {}])
    const stranger = await call('POST', `${paths}/text2video`, { body: clip, key: null })
    t.match(shown(stranger), [401, 1001, { code: 'missing_credential' }])
    const unknown = await call('GET', `${paths}/text2video/task_00000000000000000000000000`)
    t.match(shown(unknown), [404, 1203, { code: 'task_not_found' }])
    t.match(await read('x'), { code: 1203 })
    t.equal(server.calls.length, 0)
    t.equal(await spent(), 0n)
  },
)

/** Clips of Jimeng through a whole gateway, at the one path of the maker and at the gateway's own. */
import t, { type Test } from 'tap'
import { taskPlatform } from '../../../kit/task-platform.js'
import { strictJimeng } from '../../../kit/tasks/jimeng.js'

const model = 'jimeng_t2v_v30'
const clip = { req_key: model, prompt: 'a cat', frames: 241 }
const made = { status: 'done', video_url: 'https://cdn.example/1.mp4' }

/** A second costs 10,000 quota at 720p. */
async function jimeng(t: Test) {
  const platform = await taskPlatform(t, {
    upstream: strictJimeng('access-key', 'secret-key', Date.now),
    channel: { type: 51, key: 'access-key|secret-key', models: `${model},jimeng_v30` },
    options: {
      TaskRateCards: Object.fromEntries(
        [model, 'jimeng_v30'].map((name) => [
          name,
          { unit: 'second', rates: [{ when: { resolution: '720p' }, price: '0.02' }] },
        ]),
      ),
    },
  })
  const act = (action: string, body: object) =>
    platform.call('POST', `/jimeng/?Action=${action}&Version=2022-08-31`, { body })
  return {
    ...platform,
    async submit(body: object) {
      const answer = await act('CVSync2AsyncSubmitTask', body)
      return { ...answer, id: String(answer.body.data?.task_id) }
    },
    read: (id: string) => act('CVSync2AsyncGetResult', { req_key: model, task_id: id }),
  }
}

t.test('[BILL-4] a clip is submitted, read and paid at one path', async (t) => {
  const { upstream, submit, read, round, ref, books, spent } = await jimeng(t)
  const { status, body, id } = await submit(clip)
  t.equal(status, 200)
  t.match(body, { code: 10000, message: 'Success', status: 10000 })
  t.match(id, /^task_/)
  t.equal(await spent(), 100_000n, 'ten seconds')
  t.match((await read(id)).body, { code: 10000, data: { task_id: id, status: 'in_queue' } })
  upstream.change(await ref(id), { status: 'generating' })
  await round()
  t.match((await read(id)).body, { data: { status: 'generating', video_url: '' } })
  upstream.change(await ref(id), made)
  await Promise.all([round(), round()])
  t.match((await read(id)).body, { code: 10000, data: { ...made, task_id: id } })
  t.strictSame(await books(id), {
    ...{ settle: 100_000n, final: undefined, logs: [[2, 100_000n]] },
    ...{ state: 'succeeded', billing: 'final', charged: 100_000n, cost: 100_000n },
  })
  t.equal(await spent(), 100_000n)
})

t.test(
  '[BILL-4] a clip the filter stops is paid back whole, under the code of the filter',
  async (t) => {
    const { upstream, submit, read, round, ref, books, spent } = await jimeng(t)
    const { id } = await submit({ req_key: model, prompt: 'a cat' })
    t.equal(await spent(), 50_000n)
    upstream.stop(await ref(id), 50511, 'Post Img Risk Not Pass')
    await Promise.all([round(), round()])
    const { body } = await read(id)
    t.match(body, { code: 50511, status: 50511, message: 'Post Img Risk Not Pass' })
    t.match(body.data, { task_id: id, status: 'done', video_url: '' })
    t.match(await books(id), { settle: 50_000n, final: -50_000n, cost: 0n })
    t.equal(await spent(), 0n)
  },
)

t.test('the same clips are made and read at the path of the gateway', async (t) => {
  const { upstream, call, round, read, ref, spent } = await jimeng(t)
  const path = '/v1/video/generations'
  const asked = { model: 'jimeng_v30', prompt: 'a cat', image: 'https://x.example/a.png' }
  const { body } = await call('POST', path, { body: asked })
  const id = String(body.task_id)
  t.equal(upstream.last.body.req_key, 'jimeng_i2v_first_v30')
  t.equal(await spent(), 50_000n)
  upstream.change(await ref(id), made)
  await round()
  t.match((await call('GET', `${path}/${id}`)).body.data, {
    status: 'SUCCESS',
    result_url: made.video_url,
  })
  t.match((await read(id)).body, { data: made })
  const get = `/jimeng?Action=CVSync2AsyncGetResult&Version=2022-08-31&task_id=${id}`
  t.match((await call('GET', get)).body, { data: made })
})

t.test(
  '[ERR-1] refusals at the path of the maker are in its words, and cost nothing',
  async (t) => {
    const { submit, read, call, server, spent } = await jimeng(t)
    const refused = await submit({ ...clip, frames: 73 })
    t.match(
      [refused.status, refused.body.code, refused.body.error],
      [400, 50200, { param: 'seconds', code: 'invalid_request' }],
    )
    const unknown = await read('task_00000000000000000000000000')
    t.match([unknown.status, unknown.body.code], [404, 50200])
    const path = '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31'
    const stranger = await call('POST', path, { body: clip, key: 'sk-nobody' })
    t.match(
      [stranger.status, stranger.body],
      [401, { ResponseMetadata: { Error: { Code: 'InvalidCredential' } }, error: {} }],
    )
    const strange = await call('POST', '/jimeng/?Action=CVProcess', { body: clip })
    t.match(strange.body, { code: 50200, error: { param: 'Action' } })
    t.equal(server.calls.length, 0)
    t.equal(await spent(), 0n)
  },
)

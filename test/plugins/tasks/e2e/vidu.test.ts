/** Clips of Vidu through a whole gateway, paid by the second at the price of a resolution. */
import t, { type Test } from 'tap'
import { taskPlatform } from '../../../kit/task-platform.js'
import { clipOf, strictVidu } from '../../../kit/tasks/vidu.js'

const model = 'viduq2'
const clip = { model, prompt: 'a cat', seconds: 4 }

/** A second costs 10,000 quota at 720p, 20,000 at 1080p. */
async function vidu(t: Test) {
  const platform = await taskPlatform(t, {
    upstream: strictVidu('vidu-key'),
    channel: { type: 52, key: 'vidu-key', models: model },
    options: {
      TaskRateCards: {
        [model]: {
          unit: 'second',
          rates: [
            { when: { resolution: '1080p' }, price: '0.04' },
            { when: { resolution: '720p' }, price: '0.02' },
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

t.test('[BILL-4] a clip is charged when it is accepted, and is there when it ends', async (t) => {
  const { upstream, submit, read, round, ref, books, spent } = await vidu(t)
  const { status, body, id } = await submit({ ...clip, resolution: '1080p' })
  t.equal(status, 200)
  t.match(body, { status: 'queued', model })
  t.equal(await spent(), 80_000n)
  upstream.change(await ref(id), { state: 'processing' })
  await round()
  t.match(await read(id), { status: 'IN_PROGRESS' })
  upstream.finish(await ref(id))
  await Promise.all([round(), round()])
  const url = `https://vidu.example/${clipOf(await ref(id))}.mp4`
  t.match(await read(id), { status: 'SUCCESS', result_url: url })
  t.strictSame(await books(id), {
    ...{ settle: 80_000n, final: undefined, logs: [[2, 80_000n]] },
    ...{ state: 'succeeded', billing: 'final', charged: 80_000n, cost: 80_000n },
  })
  t.equal(await spent(), 80_000n)
})

t.test('[BILL-4] a clip that fails is paid back whole', async (t) => {
  const { upstream, submit, read, round, ref, books, spent } = await vidu(t)
  const { id } = await submit(clip)
  t.equal(await spent(), 40_000n, 'the resolution is the usual one of the model')
  upstream.change(await ref(id), { state: 'failed', err_code: 'CreationPolicyViolation' })
  await Promise.all([round(), round()])
  t.match(await read(id), { status: 'FAILURE', fail_reason: 'CreationPolicyViolation' })
  t.match(await books(id), { settle: 40_000n, final: -40_000n, cost: 0n })
  t.equal(await spent(), 0n)
})

t.test('a longer clip is made where the one it goes on from was', async (t) => {
  const { upstream, admin, submit, server, round, ref, spent } = await vidu(t)
  const first = await submit(clip)
  upstream.finish(await ref(first.id))
  await round()
  // A channel every other request would take.
  await admin.channel({
    ...{ type: 52, name: 'other', key: 'other-key', base_url: server.url, models: model },
    ...{ group: 'default', priority: 10 },
  })
  const more = await submit({ ...clip, action: 'extend', origin_task_id: first.id })
  t.equal(more.status, 200)
  const asked = server.calls.filter((call) => call === 'POST /ent/v2/extend')
  t.equal(asked.length, 1, 'no other channel was tried')
  t.equal(server.last.headers.authorization, 'Token vidu-key')
  t.match(upstream.last, {
    path: '/ent/v2/extend',
    body: { video_creation_id: clipOf(await ref(first.id)) },
  })
  t.equal(await spent(), 80_000n)
})

t.test(
  '[BILL-10] a report of the service ends a task, and its secret is shown to no client',
  async (t) => {
    const { upstream, admin, gateway, url, submit, read, knex, ref, books, spent } = await vidu(t)
    await admin.option('ServerAddress', url)
    const { id } = await submit(clip)
    const address = String(upstream.last.body.callback_url)
    const secret = address.split('/').at(-1)!
    t.match(address, new RegExp(`/${id}/[0-9a-f]{40}$`))
    t.match((await read(id)).data, { state: 'created' })
    t.notMatch(JSON.stringify(await knex('tasks').first('raw', 'request', 'keep')), secret)
    const creations = [{ id: '1', url: 'https://x.example/1.mp4' }]
    const report = { id: await ref(id), state: 'success', creations }
    const sent = {
      method: 'POST',
      headers: {},
      query: {},
      body: Buffer.from(JSON.stringify(report)),
    }
    const { notice } = gateway.service('tasks')
    await t.rejects(notice(id, `${secret.slice(0, -4)}0000`, sent), { code: 'task_not_found' })
    await notice(id, secret, sent)
    t.match(await read(id), { status: 'SUCCESS', result_url: 'https://x.example/1.mp4' })
    t.match(await books(id), { cost: 40_000n })
    t.equal(await spent(), 40_000n)
  },
)

t.test('a clip is cancelled while it waits, and no longer', async (t) => {
  const { upstream, gateway, submit, ref, spent } = await vidu(t)
  const { cancel } = gateway.service('tasks')
  const waiting = await submit(clip)
  t.equal((await cancel(waiting.id)).state, 'failed')
  t.equal(await spent(), 0n)
  const running = await submit({ ...clip, prompt: 'a dog' })
  upstream.change(await ref(running.id), { state: 'processing' })
  await t.rejects(cancel(running.id), { code: 'task_not_cancellable' })
  t.equal(await spent(), 40_000n)
})
